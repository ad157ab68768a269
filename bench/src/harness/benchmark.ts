/**
 * One way to do the work that is measured. Subjects of a benchmark take turns in one run, so that
 * the noise of the machine falls on all of them.
 */
export interface Subject {
  name: string
  /** The subject that this one is compared with. */
  baseline?: string
  /**
   * Does the operation `count` times, one after the other or as the subject's nature is. Where
   * another process did it, it says what that took; else it is measured here.
   */
  run(count: number, signal: AbortSignal): Promise<Spent> | Promise<void> | Spent | void
  /** Operations in a round. Without it, as many as fill the time of a round. */
  count?: number
  /** Other processes that work for this one; their CPU is reported beside our own. Linux only. */
  pids?: readonly number[]
}

/** What all operations of a turn took together, in microseconds. */
export interface Spent {
  wall: number
  cpu: number
  /** The longest time that the event loop stood still. */
  stall?: number
  /** How much memory grew, in bytes. */
  grown?: number
}

export interface PrepareContext {
  /** The growth parameter: one of `sizes`, or 0 where there are none. */
  size: number
  /** A smoke run: as little as proves that the benchmark works. */
  quick: boolean
  signal: AbortSignal
}

/** What is measured at one size; disposed when its rounds are over, or interrupted. */
export interface Prepared extends Partial<AsyncDisposable> {
  subjects: readonly Subject[]
}

/** A file `bench/src/NAME.ts` exports one of these as `benchmark`. */
export interface Benchmark {
  /** One line for the list. */
  description: string
  /** Everything is measured once at each, smallest first; a smoke run takes the first only. */
  sizes?: readonly number[]
  /** Rounds at each size; every subject has one turn in each. */
  rounds?: number
  prepare(context: PrepareContext): Promise<Prepared> | Prepared
}
