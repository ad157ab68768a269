import type { Clock } from '@dataagent/guard'
import type { Load } from '@dataagent/schema'
import { runClosed } from './closed.ts'
import { runRate } from './rate.ts'

/** One question to be put now. */
export interface Asking {
  /** From 0, in the order in which they are planned; those of the warm-up count apart. */
  index: number
  /** When it was to begin, by the monotonic clock: all its times count from there. */
  planned: number
  /** False in the warm-up. */
  isCounted: boolean
}

export interface LoadOptions {
  load: Load
  /** How many are counted; null where the duration decides. */
  count: number | null
  clock: Clock
  /** Nothing is begun any more. */
  signal: AbortSignal
  /** Called at the moment at which it begins. If it rejects, so does the whole. */
  ask(asking: Asking): Promise<void>
}

/** Begins askings as the load says, and resolves when all have ended. */
export function runLoad(options: LoadOptions): Promise<void> {
  const { load } = options
  return load.mode === 'closed' ? runClosed(load, options) : runRate(load, options)
}
