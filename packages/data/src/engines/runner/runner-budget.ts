import { createPlaces } from '../places.ts'

/** How many runners there may be at a time, over all sources of a process. */
export interface RunnerBudget {
  /** Waits for its turn; the returned function gives it back. */
  take(signal: AbortSignal): Promise<() => void>
  /** Whether somebody waits: a runner that falls idle then is let go of. */
  isWanted(): boolean
  /** Told how to let go of an idle runner, for others that wait; returns how to take that back. */
  addHolder(dropIdle: () => boolean): () => void
}

/** Counts the runners of all engines that it is given to. */
export function createRunnerBudget({ most }: { most: number }): RunnerBudget {
  const holders = new Set<() => boolean>()
  const { take, areWanted } = createPlaces({
    most,
    onWait() {
      for (const dropIdle of holders) if (dropIdle()) break
    },
  })
  return {
    take,
    isWanted: areWanted,
    addHolder(dropIdle) {
      holders.add(dropIdle)
      return () => holders.delete(dropIdle)
    },
  }
}
