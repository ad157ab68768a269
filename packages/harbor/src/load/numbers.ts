import type { Load } from '@dataagent/schema'
import type { Asking } from './run-load.ts'

interface NumbersOptions {
  load: Pick<Load, 'warm_up_seconds' | 'duration_seconds'>
  count: number | null
}

/** Says for each planned time which asking it is, and when there are no more. */
export function createNumbers({ load, count }: NumbersOptions) {
  const warmUpMs = load.warm_up_seconds * 1_000
  const endMs = warmUpMs + (load.duration_seconds ?? Number.POSITIVE_INFINITY) * 1_000
  const most = count ?? Number.POSITIVE_INFINITY
  let warm = 0
  let counted = 0

  return {
    /** How many can be under way at once without one of them having nothing to do. */
    most: warmUpMs > 0 ? Number.POSITIVE_INFINITY : most,
    /**
     * Of one that is planned so many milliseconds after the start; undefined where all are made.
     */
    take(ms: number): Pick<Asking, 'index' | 'isCounted'> | undefined {
      if (ms < warmUpMs) return { index: warm++, isCounted: false }
      if (ms >= endMs || counted >= most) return undefined
      return { index: counted++, isCounted: true }
    },
  }
}
