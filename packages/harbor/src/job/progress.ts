import type { Clock } from '@dataagent/guard'
import type { Trial, TrialCounts } from '@dataagent/schema'
import type { Progress } from '../contract.ts'
import { createTimes } from '../measure/index.ts'

const everyMs = 200
/** Over how many of these the throughput is taken: five seconds. */
const ticks = 25
const recentMax = 5

export interface ProgressOptions {
  clock: Clock
  total: number | null
  before: readonly Trial[]
  phase(): Progress['phase']
  underWay(): number
  tell: ((progress: Progress) => void) | undefined
}

/**
 * Tells how the run stands, at most five times a second and once more when it is disposed of. Keeps
 * the process alive: nothing else does while the next question is not yet due.
 */
export function startProgress(options: ProgressOptions) {
  const { clock, total, before, tell } = options
  let began = clock.monotonic()
  const counts: TrialCounts = { total: 0, passed: 0, failed: 0, error: 0, timeout: 0 }
  const times = createTimes()
  const lateness = createTimes()
  const recent: Trial[] = []
  const marks = [{ at: began, ended: 0 }]
  let ended = 0

  function count(trial: Trial): void {
    counts.total += 1
    counts[trial.status] += 1
    // As in the report: a refusal is no quick answer.
    if (trial.status !== 'error') times.record(trial.total_ms)
    lateness.record(trial.late_ms)
  }

  function throughput(): number {
    const at = clock.monotonic()
    marks.push({ at, ended })
    if (marks.length > ticks) marks.shift()
    const first = marks[0] ?? { at, ended }
    return at > first.at ? ((ended - first.ended) * 1_000) / (at - first.at) : 0
  }

  const toProgress = (): Progress => ({
    ...{ phase: options.phase(), elapsed_ms: clock.monotonic() - began, total },
    ...{ under_way: options.underWay(), counts: { ...counts }, throughput: throughput() },
    ...{ p50_ms: times.percentile(50), p95_ms: times.percentile(95) },
    ...{ p99_ms: times.percentile(99), late_p99_ms: lateness.percentile(99) },
    recent: [...recent],
  })

  for (const trial of before) count(trial)
  const timer = setInterval(() => tell?.(toProgress()), everyMs)
  return {
    /** What is asked from now on is what is timed. */
    restart(): void {
      began = clock.monotonic()
      marks.splice(0, marks.length, { at: began, ended })
    },
    add(trial: Trial): void {
      count(trial)
      ended += 1
      recent.push(trial)
      if (recent.length > recentMax) recent.shift()
    },
    [Symbol.dispose]() {
      clearInterval(timer)
      tell?.(toProgress())
    },
  }
}
