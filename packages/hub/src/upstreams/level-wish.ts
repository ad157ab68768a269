import { type Clock, wait } from '@dataagent/guard'
import { mostVerbose } from './links/log-levels.ts'
import type { RefusedWish } from './links/wishes.ts'

/** Makes a server tell its log lines from some level on. */
export interface LevelWish {
  /**
   * Settles when the server has agreed, or has let us wait for long: then it is told when it can
   * be. At once where a level that tells as much was asked for already. Rejects where it refuses.
   */
  ask(level: string): Promise<void>
  /** The server may know of none. */
  forget(): void
}

export interface LevelWishOptions {
  clock: Clock
  /** Makes all wishes known; gives those that are refused. */
  wish(): Promise<RefusedWish[]>
}

/** What a call waits for, before it is made without the lines that it wants. */
const patienceMs = 2_000

export function createLevelWish({ clock, wish }: LevelWishOptions): LevelWish {
  let asked: { level: string; settled: Promise<void> } | undefined

  return {
    ask(level) {
      const isEnough = asked && mostVerbose([asked.level, level]) === asked.level
      return asked && isEnough ? asked.settled : begin(level)
    },
    forget() {
      asked = undefined
    },
  }

  function begin(level: string): Promise<void> {
    const agreed = wish().then(throwRefused)
    const current = { level, settled: atMost(agreed) }
    asked = current
    agreed.catch(() => {
      if (asked === current) asked = undefined
    })
    return current.settled
  }

  async function atMost(agreed: Promise<void>): Promise<void> {
    const over = new AbortController()
    try {
      await Promise.race([agreed, wait(clock, patienceMs, over.signal)])
    } finally {
      over.abort()
    }
  }
}

function throwRefused(refused: RefusedWish[]): void {
  for (const { wish, error } of refused) if (wish === 'level') throw error
}
