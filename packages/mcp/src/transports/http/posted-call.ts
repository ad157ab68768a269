import type { AnswerFlow, AnswerHead } from '@dataagent/guard'
import { cancelledError, type McpError, protocolError } from '../../errors.ts'
import { toBrokenError } from '../../rpc/broken-answer.ts'
import type { JsonRpcRequest, JsonRpcResponse, Sorted } from '../../rpc/messages.ts'
import type { MessageTaker } from '../event-stream/message-stream.ts'
import { createQuietWatch, type QuietWatch } from '../event-stream/quiet-watch.ts'
import type { CallOptions } from '../transport.ts'
import type { HttpContext, UnderWay } from './call-context.ts'
import { confidencesInHeaders } from './confidences.ts'
import { GetStream } from './get-stream.ts'
import { cutOffError, toHttpError } from './http-error.ts'
import type { AnswerReader, RunningRequest } from './lane.ts'
import { isEventStream, type MessageSource, openMessageSource } from './message-source.ts'
import { toModernHeaders } from './modern-headers.ts'
import { Outcome } from './outcome.ts'
import { findFault, type Refusal } from './refusal.ts'
import { findSessionLoss } from './session.ts'
import { createStreamPlace } from './stream-place.ts'

/** A stream that goes on after its response is left after this. */
const lingerMs = 1_000

const resumesMax = 5

/**
 * A request and the way to its answer: a body, a stream, or several streams one after the other.
 */
export class PostedCall implements AnswerReader, MessageTaker, UnderWay {
  readonly #outcome: Outcome<JsonRpcResponse>
  readonly #context: HttpContext
  readonly #request: JsonRpcRequest
  readonly #options: CallOptions
  #isModern = false
  #isStream = false
  #running: RunningRequest | undefined
  #resumed: GetStream | undefined
  #source: MessageSource | undefined
  #watch: QuietWatch | undefined
  #problem: McpError | undefined
  #cancelTimer: (() => void) | undefined

  constructor(context: HttpContext, request: JsonRpcRequest, options: CallOptions) {
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
    const { session, active } = this.#context
    const { signal, headers } = this.#options
    const own = toModernHeaders(this.#request, session.protocol)
    this.#isModern = own !== undefined
    active.add(this)
    const running = session.post.ask({ method: 'POST', body, own, headers, signal }, this)
    if (this.#outcome.isSettled) running.stop()
    else this.#running = running
  }

  /** Ends it, whatever its state; `toError` is told whether the server may have acted on it. */
  abandon(toError: (mayHaveRun: boolean) => McpError): void {
    if (this.#outcome.isSettled) this.#leave()
    else this.#fail(toError((this.#resumed ?? this.#running)?.sent ?? false))
  }

  /** The caller's signal has aborted. */
  handleEvent(): void {
    this.abandon((mayHaveRun) => cancelledError(this.#options.signal, mayHaveRun))
  }

  begin(head: AnswerHead, flow: AnswerFlow): void {
    const { maxMessageBytes } = this.#context
    const { signal } = this.#options
    if (this.#request.method === 'initialize' && !this.#adoptSession(head)) return
    this.#isStream = isEventStream(head)
    this.#source = openMessageSource(head, { maxMessageBytes, flow, taker: this, signal })
    if (this.#options.endless && this.#isStream) this.#startWatch()
  }

  data(chunk: Buffer): void {
    this.#source?.push(chunk)
    this.#watch?.heard(this.#source?.comments ?? 0)
  }

  end(): void {
    this.#source?.end()
  }

  fail(error: McpError): void {
    if (this.#source === undefined) this.ended(error)
    else this.#source.end(error)
  }

  refuse(refusal: Refusal): void {
    const { session } = this.#context
    const { id } = this.#request
    const fault = findFault(refusal, id)
    if (fault !== undefined && this.#isAnswer(refusal)) {
      this.#succeed({ jsonrpc: '2.0', id, error: fault })
      this.#leave()
    } else this.#fail(findSessionLoss(refusal, session, id) ?? toHttpError(refusal, fault))
  }

  message(sorted: Sorted): void {
    const { id, method } = this.#request
    if (sorted.kind === 'response' && this.#isMine(sorted.message)) {
      this.#succeed({ ...sorted.message, id })
    } else if (sorted.kind === 'broken' && sorted.id === id) {
      this.#fail(toBrokenError(sorted, method))
    } else this.#context.deliver(sorted, id)
  }

  unreadable(error: McpError): void {
    this.#problem = error
    if (!this.#isStream) return
    this.#context.events.onWarning(`an event of the server was skipped: ${error.message}`)
  }

  ended(error: McpError | undefined): void {
    if (this.#outcome.isSettled) this.#leave()
    else if (this.#mayResume(error)) this.#resume()
    else this.#fail(this.#explain(error))
  }

  #adoptSession({ headers }: AnswerHead): boolean {
    try {
      this.#context.session.adopt(headers)
      return true
    } catch (error) {
      this.#fail(error as McpError)
      return false
    }
  }

  #startWatch(): void {
    const { clock } = this.#context
    const onQuiet = () => this.#fail(cutOffError('the stream has gone quiet'))
    this.#watch = createQuietWatch({ clock, onQuiet })
  }

  /**
   * A server of the modern era answers some requests with a JSON-RPC error and 400 or 404. One of
   * the legacy era means by it that it did not take the request.
   */
  #isAnswer({ status }: Refusal): boolean {
    return this.#context.session.protocol?.era !== 'legacy' && (status === 400 || status === 404)
  }

  #isMine({ id }: JsonRpcResponse): boolean {
    return id === this.#request.id || (id === null && !this.#outcome.isSettled)
  }

  #mayResume(error: McpError | undefined): boolean {
    if (this.#isModern || this.#resumed !== undefined) return false
    if (this.#source?.lastEventId === undefined) return false
    return error === undefined ? this.#problem === undefined : error.retryable
  }

  #resume(): void {
    const { session, clock, maxMessageBytes, resuming } = this.#context
    const { signal } = this.#options
    const place = createStreamPlace()
    if (this.#source !== undefined) place.note(this.#source)
    const common = { session, clock, maxMessageBytes, signal }
    this.#resumed = new GetStream({ ...common, place, taker: this, failuresMax: resumesMax })
    this.#resumed.openLater()
    resuming.set(this.#request.id, this)
  }

  #explain(error: McpError | undefined): McpError {
    const { method } = this.#request
    if (this.#resumed !== undefined && error?.kind !== 'too_large') {
      return cutOffError(`the answer to "${method}" broke off and was not resumed`, error)
    }
    if (error !== undefined) return error
    if (this.#problem !== undefined) return this.#problem
    if (this.#isStream) return cutOffError(`the stream ended before "${method}" was answered`)
    return protocolError(`the server accepted "${method}" and did not answer it`)
  }

  #succeed(response: JsonRpcResponse): void {
    if (!this.#outcome.resolve(this.#toTellable(response)) || !this.#isStream) return
    this.#cancelTimer = this.#context.clock.after(lingerMs, () => this.#leave())
  }

  #fail(error: McpError): void {
    if (this.#outcome.reject(error)) this.#leave()
  }

  #toTellable(response: JsonRpcResponse): JsonRpcResponse {
    if (!('error' in response)) return response
    const further = confidencesInHeaders(this.#options.headers)
    return this.#context.confidences.inAnswer(response, further)
  }

  #leave(): void {
    this.#cancelTimer?.()
    if (this.#running !== undefined) this.#context.lateStops.add(this.#running)
    this.#resumed?.stop()
    this.#source?.stop()
    this.#watch?.stop()
    this.#context.active.delete(this)
    if (this.#resumed !== undefined) this.#context.resuming.delete(this.#request.id)
  }
}
