import { isAppError } from '@dataagent/schema'
import { networkOf } from '../http/index.ts'
import type { OAuthServerOptions } from './options.ts'

const minute = 60_000

/** How often one address may do a thing. */
const limits = {
  register: { max: 60, windowMs: 10 * minute },
  document: { max: 30, windowMs: minute },
  authorize: { max: 60, windowMs: minute },
  key: { max: 10, windowMs: minute },
  token: { max: 600, windowMs: minute },
} as const

/** Keys that may be tried on one page, from whatever addresses. */
const triesPerPage = { max: 20, windowMs: 10 * minute }

/** Gives how long to wait where there was too much; undefined where it may go on. */
export interface Throttle {
  take(what: keyof typeof limits, ip: string): Promise<number | undefined>
  /** One more key tried on the page of a transaction. */
  tryKey(tx: string, ip: string): Promise<number | undefined>
}

/** How long to wait after an error that says `rate_limited`; any other is thrown again. */
export function waitAfter(error: unknown): number {
  if (!isAppError(error, 'rate_limited')) throw error
  const { retryAfterMs = minute } = (error.data ?? {}) as { retryAfterMs?: number }
  return retryAfterMs
}

export function createThrottle({ kv }: Pick<OAuthServerOptions, 'kv'>): Throttle {
  async function count(key: string, limit: { max: number; windowMs: number }) {
    const window = await kv.count(`mcp:oauth:${key}`, limit)
    return window.status === 'limited' ? window.retryAfterMs : undefined
  }

  const take: Throttle['take'] = (what, ip) => count(`${what}:${networkOf(ip)}`, limits[what])

  return {
    take,
    async tryKey(tx, ip) {
      return (await take('key', ip)) ?? (await count(`key-tx:${tx}`, triesPerPage))
    },
  }
}
