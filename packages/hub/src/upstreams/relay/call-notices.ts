import type { Clock } from '@dataagent/guard'
import type { Progress, ServerNotice } from '@dataagent/mcp'
import { logLevels } from '../links/log-levels.ts'
import type { CallRequest, Downward } from './messages.ts'
import { isTooLong, toShortNotice, toShortProgress } from './short-notice.ts'

/** What a server tells of one call, on its way to the process that wants to know. */
export interface CallNotices {
  onProgress(progress: Progress): void
  onNotice(notice: ServerNotice): void
  /** The last progress goes before the answer; from then on nothing does. */
  end(): void
}

export interface CallNoticesOptions {
  clock: Clock
  answer(to: string, message: Downward): Promise<void>
}

/** So many at once, and from then on one in each interval. */
const burst = 20
const everyMs = 100
/** What the store has not taken yet, of all calls: it has room for most of the others. */
const mostUnderWay = 500

/** Gives each call what it is told by; what is too much is left out. */
export function createCallNotices({ clock, answer }: CallNoticesOptions) {
  let underWay = 0

  return ({ id, from, logLevel }: CallRequest): CallNotices => {
    const ways = { log: createWay(), other: createWay(), progress: createWay() }
    let isOver = false
    /** The latest that could not be told yet. */
    let waiting: Progress | undefined
    let cancel: (() => void) | undefined

    return {
      onProgress(progress) {
        if (isOver) return
        waiting = progress
        if (cancel === undefined) tellProgress()
      },
      onNotice(notice) {
        if (isOver || !isWanted(notice, logLevel) || isTooLong(notice)) return
        const send = notice.kind === 'log' ? ways.log : ways.other
        send(() => ({ kind: 'notice', id, notice: toShortNotice(notice) }))
      },
      end() {
        isOver = true
        cancel?.()
        const last = waiting && toShortProgress(waiting)
        if (last !== undefined)
          void answer(from, { kind: 'progress', id, progress: last }).catch(ignore)
      },
    }

    function tellProgress(): void {
      cancel = undefined
      const told = waiting
      if (told === undefined) return
      if (ways.progress(() => ({ kind: 'progress', id, progress: toShortProgress(told) }))) {
        waiting = undefined
      } else cancel = clock.after(everyMs, tellProgress)
    }

    /** Sends a message of its kind, or gives false where it is not its time. */
    function createWay(): (toMessage: () => Downward) => boolean {
      const mayGo = createPace(clock)
      let ofKind = 0
      const count = (more: number) => {
        ofKind += more
        underWay += more
      }
      return (toMessage) => {
        if (ofKind >= burst || underWay >= mostUnderWay || !mayGo()) return false
        count(1)
        void answer(from, toMessage())
          .catch(ignore)
          .finally(() => count(-1))
        return true
      }
    }
  }
}

function isWanted(notice: ServerNotice, logLevel: string | undefined): boolean {
  if (notice.kind !== 'log') return true
  const levels: readonly string[] = logLevels
  const at = levels.indexOf(notice.level)
  return logLevel !== undefined && (at === -1 || at >= levels.indexOf(logLevel))
}

/** Whether one more may go. */
function createPace(clock: Clock): () => boolean {
  let left = burst
  let since = clock.monotonic()
  return () => {
    const now = clock.monotonic()
    left = Math.min(burst, left + (now - since) / everyMs)
    since = now
    if (left < 1) return false
    left -= 1
    return true
  }
}

function ignore(): void {}
