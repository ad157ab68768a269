import type { Clock } from '@dataagent/guard'
import { isAppError } from '@dataagent/schema'

export interface KvWatchOptions {
  clock: Clock
  patienceMs: number
  /** Asks the KV something that changes nothing. */
  probe: () => Promise<unknown>
}

/** Knows whether the KV is there, so that no call waits for one that is not. */
export interface KvWatch {
  /**
   * What `ask` gives, or undefined where the KV is away: at once while that is known. Never
   * rejects. What `ask` does late may still happen.
   */
  run<T>(ask: () => Promise<T>): Promise<T | undefined>
}

/** How often a KV that is away is probed, and only when somebody calls. */
const probeEveryMs = 500

export function createKvWatch({ clock, patienceMs, probe }: KvWatchOptions): KvWatch {
  const inTime = createPatience({ clock, patienceMs })
  let isAway = false
  let isProbing = false
  let probeAt = 0

  function noteAway(): void {
    isAway = true
    probeAt = clock.monotonic() + probeEveryMs
  }

  /** Beside the call, which goes on without: only the probe waits. */
  async function probeIfDue(): Promise<void> {
    if (isProbing || clock.monotonic() < probeAt) return
    isProbing = true
    const isBack = await inTime(probe).then(
      () => true,
      () => false,
    )
    isProbing = false
    if (isBack) isAway = false
    else noteAway()
  }

  return {
    async run(ask) {
      if (isAway) {
        void probeIfDue()
        return undefined
      }
      try {
        return await inTime(ask)
      } catch (error) {
        // A limit that the KV does not take says nothing of the KV.
        if (!isAppError(error, 'invalid_request')) noteAway()
        return undefined
      }
    },
  }
}

interface Asked {
  due: number
  giveUp(): void
}

/**
 * Waits for answers, none longer than `patienceMs`. One timer serves all: it is set for the oldest
 * question and left alone when that is answered, so that an answer in time costs no timer.
 */
function createPatience({ clock, patienceMs }: Pick<KvWatchOptions, 'clock' | 'patienceMs'>) {
  /** Oldest first. */
  const open = new Set<Asked>()
  let isTimed = false

  function setTimer(ms: number): void {
    isTimed = true
    clock.after(ms, giveUpLate)
  }

  function giveUpLate(): void {
    isTimed = false
    const now = clock.monotonic()
    for (const asked of open) {
      if (asked.due > now) {
        setTimer(asked.due - now)
        return
      }
      open.delete(asked)
      asked.giveUp()
    }
  }

  return function inTime<T>(ask: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const asked = {
        due: clock.monotonic() + patienceMs,
        // An answer may lie here unread while this process was busy: it is read first.
        giveUp: () => clock.after(0, () => reject(new Error('The KV did not answer in time.'))),
      }
      open.add(asked)
      if (!isTimed) setTimer(patienceMs)
      ask().then(
        (answer) => {
          open.delete(asked)
          resolve(answer)
        },
        (error) => {
          open.delete(asked)
          reject(error)
        },
      )
    })
  }
}
