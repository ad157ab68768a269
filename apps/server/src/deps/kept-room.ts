import { createHash } from 'node:crypto'
import type { Kv } from '@dataagent/hub'
import { AppError } from '@dataagent/schema'
import type { Principal } from '../identity/index.ts'

/** How long an answer is kept, and so counts. */
export const keptMs = 24 * 60 * 60 * 1000

/** Requests that are noted: each takes some hundred bytes for a day. */
const noted = {
  ofUser: { max: 1_000, windowMs: 3_600_000 },
  ofTenant: { max: 20_000, windowMs: 3_600_000 },
}
/** Bytes of answers. */
const kept = {
  ofUser: { max: 4 * 1_048_576, windowMs: keptMs },
  ofTenant: { max: 64 * 1_048_576, windowMs: keptMs },
}

/** What of one user and of one tenant is kept for idempotency keys. */
export interface KeptRoom {
  /** Counts one more request. Throws `rate_limited`. */
  enter(): Promise<void>
  /** Counts an answer of so many bytes, where it fits. */
  take(bytes: number): Promise<boolean>
}

export function createKeptRoom(kv: Pick<Kv, 'count'>, { tenant_id, user_id }: Principal): KeptRoom {
  const user = digest([tenant_id, user_id])
  const tenant = digest([tenant_id])

  async function count(what: 'kept' | 'answers', limits: typeof kept, cost: number) {
    const counts = await Promise.all([
      kv.count(`idempotency-${what}:${user}`, { ...limits.ofUser, cost }),
      kv.count(`idempotency-${what}:${tenant}`, { ...limits.ofTenant, cost }),
    ])
    return counts.map((one) => (one.status === 'limited' ? one.retryAfterMs : undefined))
  }

  return {
    async enter() {
      const [ofUser, ofTenant] = await count('kept', noted, 1)
      if (ofUser !== undefined) throw tooMany('You', noted.ofUser.max, ofUser)
      if (ofTenant !== undefined) throw tooMany('Your tenant', noted.ofTenant.max, ofTenant)
    },
    async take(bytes) {
      const refusals = await count('answers', kept, bytes)
      return refusals.every((one) => one === undefined)
    },
  }
}

export function digest(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}

function tooMany(who: string, max: number, retryAfterMs: number): AppError {
  const message = `${who} may send ${max} requests with an Idempotency-Key in an hour.`
  return new AppError('rate_limited', message, { data: { retryAfterMs } })
}
