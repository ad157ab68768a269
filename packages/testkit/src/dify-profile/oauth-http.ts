import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { fault } from './fault.ts'
import { createWire, type Sending, type WireRequest } from './wire.ts'

export interface OAuthAnswer {
  status: number
  type: string
  text: string
}

/** One request of the sign-in: no redirect is followed, and what may pass is tried again. */
export type OAuthAsk = (sending: Sending) => Promise<OAuthAnswer>

export interface OAuthHttpOptions {
  requests: WireRequest[]
  timeoutMs: number
  /** Before the first repetition; doubled for each one after it. */
  backoffMs: number
}

const repeated = [429, 500, 502, 503, 504]
const repetitions = 3

/** Rejects with `authentication` when the repetitions are used up: that ends the whole sign-in. */
export function createOAuthAsk({ requests, timeoutMs, backoffMs }: OAuthHttpOptions): OAuthAsk {
  async function askOnce(sending: Sending): Promise<OAuthAnswer | string> {
    using wire = createWire({ requests })
    try {
      const signal = AbortSignal.timeout(timeoutMs)
      const { status, headers, body } = await wire.send({ ...sending, signal })
      const answer = { status, type: headers['content-type'] ?? '', text: await text(body) }
      return repeated.includes(status) ? `it was answered ${status}` : answer
    } catch {
      return 'it was not answered'
    }
  }

  return async (sending) => {
    for (let tries = 0; ; tries++) {
      const answer = await askOnce(sending)
      if (typeof answer !== 'string') return answer
      if (tries === repetitions)
        throw fault('authentication', `Reached maximum retries for ${sending.url}: ${answer}`)
      await delay(backoffMs * 2 ** tries)
    }
  }
}

/** A form as Python writes it. */
export function encodeForm(fields: Record<string, string>): string {
  return Object.entries(fields)
    .map((pair) => pair.map(quotePlus).join('='))
    .join('&')
}

function quotePlus(value: string): string {
  const quoted = encodeURIComponent(value).replace(/[!'()*]/g, toPercent)
  return quoted.replaceAll('%20', '+')
}

function toPercent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}
