import { type Clock, createEgress, type Egress, type EgressPolicy } from '@dataagent/guard'
import { isAppError, readJson } from '@dataagent/schema/base'
import { timeoutError } from '../../errors.ts'

/** How requests to authorization servers leave. */
export interface OAuthWayOut {
  /** Default: one that reaches any address, for each request anew: there are few of them. */
  egress?: Egress | undefined
  /** Where they may go. Default: the egress's own policy. */
  policy?: EgressPolicy | undefined
  /** Default: the egress's own. */
  proxy?: string | undefined
}

/** A document that may or may not be where it was looked for. */
export type Lookup =
  | { status: 'found'; value: unknown }
  | { status: 'absent' }
  /** The server is in trouble: it may be there later. */
  | { status: 'trouble'; statusCode: number }

export interface OAuthRequests {
  /**
   * Reads a JSON document, following redirects within its origin. What is not JSON counts as
   * absent: many servers answer anything.
   */
  look(url: string | URL): Promise<Lookup>
  /** For the SDK. Answers hold JSON that is safe to parse, or nothing. */
  fetch: typeof globalThis.fetch
}

const limits = { timeoutMs: 10_000, maxResponseBytes: 64 * 1024 }
const redirectsMax = 3
const bodyless = new Set([204, 205, 304])

/** Requests that end with `signal`, each within ten seconds and with at most 64 KiB of answer. */
export function createOAuthRequests(wayOut: OAuthWayOut, signal: AbortSignal): OAuthRequests {
  const { egress, policy, proxy } = wayOut
  const standing = { ...limits, policy, proxy, signal, headers: { accept: 'application/json' } }

  return {
    async look(url) {
      const { answer, text } = await follow(new URL(url), redirectsMax)
      if (answer.status >= 500 || answer.status === 429) {
        return { status: 'trouble', statusCode: answer.status }
      }
      const value = answer.status === 200 ? parse(text) : undefined
      return value === undefined ? { status: 'absent' } : { status: 'found', value }
    },
    async fetch(input, init) {
      const { answer, text } = await ask(input, init)
      const { status, headers } = answer
      return new Response(bodyless.has(status) ? null : normalize(text), { status, headers })
    },
  }

  /** Only within the origin: what lies elsewhere was judged by nobody. */
  async function follow(url: URL, left: number): ReturnType<typeof ask> {
    const found = await ask(url, { redirect: 'manual' })
    const location = found.answer.headers.get('location')
    const next = location === null || left === 0 ? null : URL.parse(location, url.href)
    const isRedirect = found.answer.status >= 300 && found.answer.status < 400
    return isRedirect && next?.origin === url.origin ? await follow(next, left - 1) : found
  }

  async function ask(...request: Parameters<OAuthRequests['fetch']>) {
    if (egress !== undefined) return askBy(egress, request)
    await using own = createEgress({ policy: { mode: 'any' } })
    return await askBy(own, request)
  }

  async function askBy(way: Egress, request: Parameters<OAuthRequests['fetch']>) {
    const answer = await way.createFetch(standing)(...request)
    return { answer, text: await answer.text() }
  }
}

/** A signal that ends by itself after `ms`, for work that nobody waits for alone. */
export function openDeadline(clock: Clock, ms: number): Disposable & { signal: AbortSignal } {
  const controller = new AbortController()
  const expire = () => controller.abort(timeoutError('the authorization server', ms, false))
  const stop = clock.after(ms, expire)
  return { signal: controller.signal, [Symbol.dispose]: stop }
}

function parse(text: string): unknown {
  try {
    return readJson(text)
  } catch (error) {
    if (isAppError(error)) return undefined
    throw error
  }
}

/**
 * The SDK reads answers by JSON.parse and quotes them in its errors. So it is given the same value
 * written anew, without keys that would need an escape (see `readJson`), and nothing else.
 */
function normalize(text: string): string {
  const value = parse(text)
  if (value === undefined) return ''
  const isOdd = (key: string) => JSON.stringify(key).length !== key.length + 2
  return JSON.stringify(value, (key, member) => (isOdd(key) ? undefined : member))
}
