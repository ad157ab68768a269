import { type Clock, systemClock } from '@dataagent/guard'
import type { Kv } from '../kv-port.ts'
import type { Limit } from '../policy/index.ts'
import type { Principal } from '../principal.ts'
import type { Limiter, LimitVerdict } from './contract.ts'
import { createKvWatch } from './kv-watch.ts'
import { toLimitKey } from './limit-key.ts'
import { createLocalWindows, type LocalWindows, type WindowSize } from './local-windows.ts'

export interface LimiterOptions {
  kv: Pick<Kv, 'count'>
  clock?: Clock
  /** Called for each verdict that this process gave alone. Must not throw. */
  onLocal?: () => void
  /** How long the KV may take before this process decides alone; default 1,000. */
  patienceMs?: number
}

/** A limit and the window that a call counts in. */
interface Share extends WindowSize {
  key: string
  limit: Limit
}

type Count = Awaited<ReturnType<Kv['count']>>
type CountShare = (share: Share, cost: 0 | 1) => Promise<Count>

const ok: LimitVerdict = { status: 'ok' }
const okAtOnce = Promise.resolve(ok)
const probed = { max: 1, windowMs: 1_000, cost: 0 }

/**
 * Limits on the KV; in this process alone while the KV is away, where no call then waits for it.
 * Each process so lets through at most what the KV had left in the window; when the KV is back,
 * what was let through meanwhile counts until it would have left the window.
 */
export function createLimiter(options: LimiterOptions): Limiter {
  const { kv, clock = systemClock, onLocal = () => {}, patienceMs = 1_000 } = options
  const local = createLocalWindows(clock)
  const watch = createKvWatch({ clock, patienceMs, probe: () => kv.count('limit:probe', probed) })

  /** What this process let through alone is not in the KV: its window is smaller by that. */
  async function count({ key, max, windowMs }: Share, cost: 0 | 1): Promise<Count> {
    const room = Math.max(0, max - local.counted(key, windowMs))
    const result = await kv.count(key, { max: room, windowMs, cost })
    local.note(key, result.used, windowMs)
    return result
  }

  async function takeAny(shares: readonly Share[]): Promise<LimitVerdict> {
    const [only] = shares
    const ask = () => (only && shares.length === 1 ? takeOnly(only) : takeShared(shares, count))
    const verdict = await watch.run(ask)
    if (verdict !== undefined) return verdict
    onLocal()
    return takeLocal(shares, local)
  }

  async function takeOnly(share: Share): Promise<LimitVerdict> {
    const counted = await count(share, 1)
    return counted.status === 'ok' ? ok : (toRefusal([share], [counted]) ?? ok)
  }

  return {
    take(principal, limits) {
      const shares = toShares(principal, limits)
      return shares.length === 0 ? okAtOnce : takeAny(shares)
    },
  }
}

function toShares(principal: Principal, limits: readonly Limit[]): Share[] {
  const shares: Share[] = []
  for (const limit of limits) {
    const key = toLimitKey(principal, limit)
    if (key === undefined) continue
    shares.push({ key, limit, max: limit.max_calls, windowMs: limit.window_ms })
  }
  return shares
}

/**
 * A window of the KV gives nothing back, so a call of several limits asks them all, takes the
 * scarcest and then the others. Who comes too late is refused by the scarcest and has used up
 * nothing. Only where another limit runs out in between, by calls that do not share the scarcest,
 * is one of the scarcest lost: a limit then holds early by one, and never late.
 */
async function takeShared(shares: readonly Share[], count: CountShare): Promise<LimitVerdict> {
  const asked = await countAll(shares, 0, count)
  const [scarcest, ...others] = toScarcestFirst(shares, asked)
  if (!scarcest) return ok
  const refused = toRefusal([scarcest], [await count(scarcest, 1)])
  if (refused || others.length === 0) return refused ?? ok
  return toRefusal(others, await countAll(others, 1, count)) ?? ok
}

function countAll(shares: readonly Share[], cost: 0 | 1, count: CountShare): Promise<Count[]> {
  return Promise.all(shares.map((share) => count(share, cost)))
}

function toScarcestFirst(shares: readonly Share[], asked: readonly Count[]): Share[] {
  const left = asked.map((count) => (count.status === 'ok' ? count.left : 0))
  const order = [...shares.keys()].sort((a, b) => (left[a] ?? 0) - (left[b] ?? 0))
  return order.flatMap((index) => shares[index] ?? [])
}

function toRefusal(shares: readonly Share[], counts: readonly Count[]): LimitVerdict | undefined {
  const waits = counts.map((count) =>
    count.status === 'limited' ? Math.max(1, count.retryAfterMs) : 0,
  )
  return toLongest(shares, waits)
}

/** Nothing else runs in between here: ask all, then take all. */
function takeLocal(shares: readonly Share[], local: LocalWindows): LimitVerdict {
  const waits = shares.map((share) => local.ask(share.key, share))
  const refused = toLongest(shares, waits)
  if (refused) return refused
  for (const share of shares) local.take(share.key, share)
  return ok
}

/** The limit that keeps the caller waiting longest, if any does. */
function toLongest(
  shares: readonly Share[],
  waits: readonly number[],
): (LimitVerdict & { status: 'limited' }) | undefined {
  const retryAfterMs = Math.max(...waits)
  const limit = shares[waits.indexOf(retryAfterMs)]?.limit
  return retryAfterMs > 0 && limit ? { status: 'limited', limit, retryAfterMs } : undefined
}
