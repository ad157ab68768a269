import type { AnswerHead } from '@dataagent/guard'
import { cancelledError, type McpError } from '../../errors.ts'
import type { JsonRpcNotification, JsonRpcResponse } from '../../rpc/messages.ts'
import type { CallOptions } from '../transport.ts'
import type { CallContext, UnderWay } from './call-context.ts'
import { toHttpError } from './http-error.ts'
import type { AnswerReader, RunningRequest } from './lane.ts'
import { isEventStream } from './message-source.ts'
import { toModernHeaders } from './modern-headers.ts'
import { Outcome } from './outcome.ts'
import { findFault, type Refusal } from './refusal.ts'
import { findSessionLoss } from './session.ts'

/** A body that nobody waits for is read so far, for the sake of its connection. */
const bodyBytesMax = 16_384
const lingerMs = 1_000

/** A notification, or an answer to the server: taken when the server begins to say so. */
export class PostedNotice implements AnswerReader, UnderWay {
  readonly #outcome: Outcome<void>
  readonly #context: CallContext
  readonly #options: CallOptions
  #running: RunningRequest | undefined
  #bytes = 0
  #stopTimer: (() => void) | undefined

  constructor(context: CallContext, options: CallOptions) {
    this.#context = context
    this.#options = options
    this.#outcome = new Outcome(options.signal, this)
  }

  get taken(): Promise<void> {
    return this.#outcome.promise
  }

  /** Sends it; `body` is the message as text. */
  post(message: JsonRpcNotification | JsonRpcResponse, body: string): void {
    const { session, active } = this.#context
    const { signal, headers } = this.#options
    const own = toModernHeaders(message, session.protocol)
    active.add(this)
    const running = session.post.ask({ method: 'POST', body, own, headers, signal }, this)
    if (this.#outcome.isSettled) running.stop()
    else this.#running = running
  }

  abandon(toError: (mayHaveRun: boolean) => McpError): void {
    this.fail(toError(this.#running?.sent ?? false))
  }

  /** The caller's signal has aborted. */
  handleEvent(): void {
    this.abandon((mayHaveRun) => cancelledError(this.#options.signal, mayHaveRun))
  }

  begin(head: AnswerHead): void {
    this.#outcome.resolve()
    if (isEventStream(head)) this.#leave()
    else this.#stopTimer = this.#context.clock.after(lingerMs, () => this.#leave())
  }

  data(chunk: Buffer): void {
    this.#bytes += chunk.length
    if (this.#bytes > bodyBytesMax) this.#leave()
  }

  end(): void {
    this.#outcome.resolve()
    this.#leave()
  }

  refuse(refusal: Refusal): void {
    const { session } = this.#context
    this.fail(findSessionLoss(refusal, session) ?? toHttpError(refusal, findFault(refusal)))
  }

  fail(error: McpError): void {
    this.#outcome.reject(error)
    this.#leave()
  }

  #leave(): void {
    this.#stopTimer?.()
    this.#running?.stop()
    this.#context.active.delete(this)
  }
}
