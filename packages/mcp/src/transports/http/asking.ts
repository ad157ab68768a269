import type { AnswerFlow, AnswerHead, AnswerSink, EgressRoute, RunningCall } from '@dataagent/guard'
import type { AppError } from '@dataagent/schema/base'
import type { Authorizer, Challenge } from '../../auth/contract.ts'
import { GatheredBytes } from '../event-stream/gathered-bytes.ts'
import type { Confidences } from '../shared/confidences.ts'
import { confidencesInHeaders } from './confidences.ts'
import { type Headers, mergeHeaders } from './headers.ts'
import { toNetworkError, toUnsentError } from './http-error.ts'
import type { AnswerReader, HttpRequest, RunningRequest } from './lane.ts'
import { isChallenge, isFollowed, type Refusal, refusalBytesMax, toRefusal } from './refusal.ts'

export interface Place {
  route: EgressRoute
  /** The protocol's headers among those of the route. */
  own: Headers
  authorizer: Authorizer | undefined
  url: URL
  /** What an error must not hold, though the server says it. */
  confidences: Confidences
}

const redirectsMax = 3

/**
 * A request on its way to an answer: with a credential, to where a redirect points, and once more
 * when another credential could help. Each status is taken to the authorizer once, so that a server
 * that is never content ends it after two more tries.
 */
export class Asking implements AnswerSink, RunningRequest {
  readonly #place: Place
  readonly #request: HttpRequest
  #reader: AnswerReader | undefined
  #running: RunningCall | undefined
  #refusal: { head: AnswerHead; body: GatheredBytes } | undefined
  #credential: Headers | undefined
  #redirects = 0
  #target: URL | undefined
  readonly #challenges: number[] = []

  constructor(place: Place, request: HttpRequest, reader: AnswerReader) {
    this.#place = place
    this.#request = request
    this.#reader = reader
  }

  get sent(): boolean {
    return this.#running?.sent ?? false
  }

  start(): void {
    const { authorizer } = this.#place
    if (authorizer === undefined) this.#send()
    else void this.#authorize(authorizer)
  }

  stop(): void {
    this.#reader = undefined
    this.#running?.stop()
  }

  begin(head: AnswerHead, flow: AnswerFlow): void {
    if (head.status < 300) this.#reader?.begin(head, flow)
    else this.#refusal = { head, body: new GatheredBytes() }
  }

  data(chunk: Buffer): void {
    if (this.#refusal === undefined) this.#reader?.data(chunk)
    else this.#gather(this.#refusal.body, chunk)
  }

  end(): void {
    if (this.#refusal === undefined) this.#reader?.end()
    else this.#judge()
  }

  fail(error: AppError): void {
    if (this.#refusal === undefined) this.#reader?.fail(toNetworkError(error, this.sent))
    else this.#judge()
  }

  async #authorize(authorizer: Authorizer): Promise<void> {
    try {
      this.#credential = await authorizer.headers()
      this.#place.confidences.addPassing(confidencesInHeaders(this.#credential))
    } catch (error) {
      this.#reader?.fail(toUnsentError(error))
      return
    }
    this.#send()
  }

  #send(): void {
    if (this.#reader === undefined) return
    const { method, body } = this.#request
    const path = this.#target && this.#target.pathname + this.#target.search
    this.#running = undefined
    try {
      const call = { method, body, path, headers: this.#toHeaders() }
      this.#running = this.#place.route.send(call, this)
    } catch (error) {
      this.#reader.fail(toUnsentError(error))
    }
  }

  /** Besides those of the route. */
  #toHeaders(): Headers | undefined {
    const { own, headers } = this.#request
    if (headers === undefined && this.#credential === undefined) return own
    return mergeHeaders(this.#credential, headers, this.#place.own, own)
  }

  #gather(body: GatheredBytes, chunk: Buffer): void {
    body.add(chunk.subarray(0, refusalBytesMax - body.length))
    if (body.length < refusalBytesMax) return
    this.#running?.stop()
    this.#judge()
  }

  #judge(): void {
    if (this.#refusal === undefined) return
    const { head, body } = this.#refusal
    const from = this.#target ?? this.#place.url
    const refusal = toRefusal(head, this.#toTellable(body.take()), from)
    this.#refusal = undefined
    // What was refused has not run.
    this.#running = undefined
    if (isFollowed(refusal, from) && this.#redirects < redirectsMax) this.#follow(refusal)
    else void this.#challenge(refusal)
  }

  #toTellable(body: Buffer): Buffer {
    const text = body.toString()
    const further = confidencesInHeaders(this.#request.headers)
    const tellable = this.#place.confidences.inText(text, further)
    return tellable === text ? body : Buffer.from(tellable)
  }

  #follow({ location }: Refusal): void {
    this.#redirects += 1
    this.#target = location
    this.#send()
  }

  async #challenge(refusal: Refusal): Promise<void> {
    const { authorizer } = this.#place
    if (authorizer === undefined || !this.#isNewChallenge(refusal)) {
      this.#reader?.refuse(refusal)
      return
    }
    this.#challenges.push(refusal.status)
    const sent = { ...this.#credential }
    const { signal } = this.#request
    try {
      await authorizer.challenged(toChallenge(refusal), { sent, signal })
    } catch (error) {
      this.#reader?.fail(toUnsentError(error))
      return
    }
    if (this.#reader !== undefined) await this.#authorize(authorizer)
  }

  #isNewChallenge(refusal: Refusal): boolean {
    if (this.#request.isFarewell || this.#reader === undefined) return false
    return isChallenge(refusal) && !this.#challenges.includes(refusal.status)
  }
}

function toChallenge({ status, challenge }: Refusal): Challenge {
  return { status: status === 401 ? 401 : 403, wwwAuthenticate: challenge }
}
