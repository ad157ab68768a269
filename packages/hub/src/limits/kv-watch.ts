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

interface Asked {
  due: number
  /** There was no answer in time. */
  giveUp(): void
}

export function createKvWatch({ clock, patienceMs, probe }: KvWatchOptions): KvWatch {
  const patience = createPatience({ clock, patienceMs })
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
    const isBack = await ask(async () => {
      await probe()
      return true
    })
    isProbing = false
    if (isBack) isAway = false
    else noteAway()
  }

  /** What `question` gives, or undefined where the KV does not answer: then it counts as away. */
  function ask<T>(question: () => Promise<T>): Promise<T | undefined> {
    return new Promise((resolve) => {
      const asked = patience.begin(() => {
        noteAway()
        resolve(undefined)
      })
      question().then(
        (answer) => {
          patience.end(asked)
          resolve(answer)
        },
        (error) => {
          // A limit that the KV does not take says nothing of the KV, nor does what comes too late.
          if (patience.end(asked) && !isAppError(error, 'invalid_request')) noteAway()
          resolve(undefined)
        },
      )
    })
  }

  return {
    run(question) {
      if (!isAway) return ask(question)
      void probeIfDue()
      return Promise.resolve(undefined)
    },
  }
}

/**
 * Waits, never longer than `patienceMs`. One timer serves all: it is set for the oldest question
 * and left alone when that is answered, so that an answer in time costs no timer.
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
      // An answer may lie here unread while this process was busy: it is read first.
      clock.after(0, () => open.delete(asked) && asked.giveUp())
    }
  }

  return {
    begin(giveUp: () => void): Asked {
      const asked = { due: clock.monotonic() + patienceMs, giveUp }
      open.add(asked)
      if (!isTimed) setTimer(patienceMs)
      return asked
    },
    end: (asked: Asked): boolean => open.delete(asked),
  }
}
