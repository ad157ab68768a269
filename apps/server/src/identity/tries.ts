import type { Clock } from '@dataagent/guard'
import type { Kv } from '@dataagent/hub'
import { AppError } from '@dataagent/schema'

const windowMs = 60_000
const most = 10_000

export interface TriesOptions {
  /** Per minute and address. */
  max: number
  clock: Clock
  /** May throw `store_unavailable`: this process then counts for itself. */
  kv(): Kv
}

/** Counts wrong credentials by the address they come from. */
export interface Tries {
  /** Throws `rate_limited` where this address has had its tries. */
  assertLeft(address: string): Promise<void>
  /** Counts one more. Throws `rate_limited` where there was none left. */
  take(address: string): Promise<void>
}

export function createTries({ max, clock, kv }: TriesOptions): Tries {
  const local = createLocalWindows(max, clock)

  async function count(address: string, cost: 0 | 1): Promise<void> {
    const network = networkOf(address)
    const shared = async () => kv().count(`wrong-keys:${network}`, { max, windowMs, cost })
    const window = await shared().catch(() => local(network, cost))
    // A window that is full says `ok` to one who only asks.
    if (window.status === 'ok' && (cost === 1 || window.left > 0)) return
    const retryAfterMs = window.status === 'ok' ? windowMs : window.retryAfterMs
    throw new AppError('rate_limited', 'Too many wrong credentials from your address.', {
      data: { retryAfterMs },
    })
  }

  return {
    assertLeft: (address) => count(address, 0),
    take: (address) => count(address, 1),
  }
}

/** Windows of this process alone, which begin with their first count. */
function createLocalWindows(max: number, clock: Clock) {
  const windows = new Map<string, { used: number; endsAt: number }>()

  return (network: string, cost: 0 | 1) => {
    const now = clock.monotonic()
    const found = windows.get(network)
    const window = found && found.endsAt > now ? found : { used: 0, endsAt: now + windowMs }
    if (window.used + cost > max)
      return { status: 'limited' as const, retryAfterMs: window.endsAt - now }
    if (windows.size >= most) windows.clear()
    window.used += cost
    windows.set(network, window)
    return { status: 'ok' as const, left: max - window.used }
  }
}

/** Who has one IPv6 address has the 2^64 of its network. */
function networkOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address.replace(/^::ffff:/i, '')
  const [head = '', tail] = address.split('%', 1)[0]!.split('::')
  const front = head === '' ? [] : head.split(':')
  const back = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : 8 - front.length - back.length
  const groups = [...front, ...Array<string>(zeros).fill('0'), ...back]
  return `${groups.slice(0, 4).join(':').toLowerCase()}::`
}
