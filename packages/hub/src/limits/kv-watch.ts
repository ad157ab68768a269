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
    const isBack = await inTime({ clock, patienceMs }, probe).then(
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
        return await inTime({ clock, patienceMs }, ask)
      } catch (error) {
        // A limit that the KV does not take says nothing of the KV.
        if (!isAppError(error, 'invalid_request')) noteAway()
        return undefined
      }
    },
  }
}

type Patience = Pick<KvWatchOptions, 'clock' | 'patienceMs'>

function inTime<T>({ clock, patienceMs }: Patience, ask: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let cancel = clock.after(patienceMs, () => {
      // An answer may lie here unread while this process was busy: it is read first.
      cancel = clock.after(0, () => reject(new Error('The KV did not answer in time.')))
    })
    const settle = () => cancel()
    ask().then(resolve, reject).finally(settle)
  })
}
