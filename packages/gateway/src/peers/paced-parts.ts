import type { Clock } from '@dataagent/guard'

/** What is told of one ask before its answer. */
export interface PacedParts {
  tell(part: unknown): void
  /** The last goes before the answer; from then on nothing does. */
  end(): void
}

export interface PacedPartsOptions {
  clock: Clock
  /** Settles when the store has taken it. */
  send(part: unknown): Promise<unknown>
}

/** So many at once, and from then on one in each interval: the latest. */
const burst = 20
const everyMs = 100
/** A text that is longer is left out: it may be of any server. */
const longest = 16 * 1024
/** What the store has not taken yet, of all asks: it has room for most of the others. */
const mostUnderWay = 500

export function createPacing({ clock }: Pick<PacedPartsOptions, 'clock'>) {
  let ofAll = 0

  return (send: PacedPartsOptions['send']): PacedParts => {
    let left = burst
    let since = clock.monotonic()
    let ofAsk = 0
    let isOver = false
    let waiting: { part: unknown } | undefined
    let cancel: (() => void) | undefined

    function mayGo(): boolean {
      const now = clock.monotonic()
      left = Math.min(burst, left + (now - since) / everyMs)
      since = now
      return left >= 1 && ofAsk < burst && ofAll < mostUnderWay
    }

    function count(more: number): void {
      ofAsk += more
      ofAll += more
    }

    function go(): void {
      cancel = undefined
      if (waiting === undefined) return
      if (!mayGo()) {
        cancel = clock.after(everyMs, go)
        return
      }
      const { part } = waiting
      waiting = undefined
      left -= 1
      count(1)
      void send(part).finally(() => count(-1))
    }

    return {
      tell(part) {
        if (isOver || (typeof part === 'string' && part.length > longest)) return
        waiting = { part }
        if (cancel === undefined) go()
      },
      end() {
        isOver = true
        cancel?.()
        if (waiting !== undefined) void send(waiting.part)
      },
    }
  }
}
