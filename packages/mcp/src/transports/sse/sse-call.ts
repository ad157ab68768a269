import type { AnswerFlow, AnswerHead } from '@dataagent/guard'
import { cancelledError, type McpError } from '../../errors.ts'
import { toBrokenError } from '../../rpc/broken-answer.ts'
import type { JsonRpcRequest, JsonRpcResponse, Sorted } from '../../rpc/messages.ts'
import type { MessageTaker } from '../event-stream/message-stream.ts'
import type { CallContext, UnderWay } from '../http/call-context.ts'
import { confidencesInHeaders } from '../http/confidences.ts'
import { toHttpError } from '../http/http-error.ts'
import type { AnswerReader, RunningRequest } from '../http/lane.ts'
import { isJson, type MessageSource, openMessageSource } from '../http/message-source.ts'
import { Outcome } from '../http/outcome.ts'
import { findFault, type Refusal } from '../http/refusal.ts'
import type { CallOptions } from '../transport.ts'

/** So long the server may take to say that it took a request which it has answered already. */
const lingerMs = 1_000

/** A request whose answer comes on the server's stream, or else with the answer to its POST. */
export class SseCall implements AnswerReader, MessageTaker, UnderWay {
  readonly #context: CallContext
  readonly #request: JsonRpcRequest
  readonly #options: CallOptions
  readonly #outcome: Outcome<JsonRpcResponse>
  #running: RunningRequest | undefined
  #source: MessageSource | undefined
  #isPosted = false
  #cancelTimer: (() => void) | undefined

  constructor(context: CallContext, request: JsonRpcRequest, options: CallOptions) {
    this.#context = context
    this.#request = request
    this.#options = options
    this.#outcome = new Outcome(options.signal, this)
  }

  get answer(): Promise<JsonRpcResponse> {
    return this.#outcome.promise
  }

  /** Sends it; `body` is the request as text. */
  post(body: string): void {
    const { signal, headers } = this.#options
    const { active, session } = this.#context
    active.add(this)
    const running = session.post.ask({ method: 'POST', body, headers, signal }, this)
    if (active.has(this)) this.#running = running
    else running.stop()
  }

  /** Whether the server may be about to answer it. */
  get isSent(): boolean {
    return this.#isPosted || (this.#running?.sent ?? false)
  }

  abandon(toError: (mayHaveRun: boolean) => McpError): void {
    if (this.#outcome.isSettled) this.#leave()
    else this.fail(toError(this.isSent))
  }

  /** The caller's signal has aborted. */
  handleEvent(): void {
    this.abandon((mayHaveRun) => cancelledError(this.#options.signal, mayHaveRun))
  }

  begin(head: AnswerHead, flow: AnswerFlow): void {
    const { maxMessageBytes } = this.#context
    const { signal } = this.#options
    if (isJson(head)) {
      this.#source = openMessageSource(head, { maxMessageBytes, flow, taker: this, signal })
    }
  }

  data(chunk: Buffer): void {
    this.#source?.push(chunk)
  }

  end(): void {
    this.#isPosted = true
    this.#source?.end()
    if (this.#outcome.isSettled) this.#leave()
  }

  refuse(refusal: Refusal): void {
    this.fail(toHttpError(refusal, findFault(refusal, this.#request.id)))
  }

  fail(error: McpError): void {
    this.#outcome.reject(error)
    this.#leave()
  }

  message(sorted: Sorted): void {
    const { id, method } = this.#request
    if (sorted.kind === 'response' && sorted.message.id === id) this.#succeed(sorted.message)
    else if (sorted.kind === 'broken' && sorted.id === id) this.fail(toBrokenError(sorted, method))
    else this.#context.deliver(sorted)
  }

  /** Many say no more than that they accept it. */
  unreadable(): void {}

  ended(error: McpError | undefined): void {
    if (error?.kind === 'too_large') this.fail(error)
  }

  #succeed(response: JsonRpcResponse): void {
    if (!this.#outcome.resolve(this.#toTellable(response))) return
    if (this.#isPosted) this.#leave()
    else this.#cancelTimer = this.#context.clock.after(lingerMs, () => this.#leave())
  }

  #toTellable(response: JsonRpcResponse): JsonRpcResponse {
    if (!('error' in response)) return response
    const further = confidencesInHeaders(this.#options.headers)
    return this.#context.confidences.inAnswer(response, further)
  }

  #leave(): void {
    this.#cancelTimer?.()
    this.#running?.stop()
    this.#source?.stop()
    this.#context.active.delete(this)
  }
}
