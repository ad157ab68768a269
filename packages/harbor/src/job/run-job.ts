import { systemClock } from '@dataagent/guard'
import type { EvaluationReport, Trial } from '@dataagent/schema'
import type { JobOptions, Progress, Way } from '../contract.ts'
import { type Asking, runLoad } from '../load/index.ts'
import { toReport } from '../report/index.ts'
import { createAskings } from './askings.ts'
import { createDeck } from './deck.ts'
import { readExpectedTables } from './expected-tables.ts'
import { watchLoopDelay } from './loop-delay.ts'
import { startProgress } from './progress.ts'
import { toTimeline } from './timeline.ts'
import { toTranscript, toTrial } from './to-trial.ts'
import { withWholeTables } from './whole-tables.ts'
import { createWrites } from './writes.ts'

/**
 * Puts the questions as the load says, looks at every answer and gives the report. Rejects only
 * where the journal cannot be written or keeps trials that were asked in another way, or where
 * `onTrial` throws; what goes wrong with an asking is a trial.
 */
export async function runJob(options: JobOptions): Promise<EvaluationReport> {
  const { set, asker, load, journal, transcripts, clock = systemClock } = options
  await journal?.begin?.(wayOf(options))
  const cpu = process.cpuUsage()
  using loopDelay = watchLoopDelay()
  const began = clock.monotonic()
  const trials: Trial[] = [...(journal?.trials ?? [])]
  const started_at = Math.min(clock.now(), ...trials.slice(0, 1).map((trial) => trial.started_at))
  const stop = new AbortController()
  using _listening = follow(options.signal, stop)
  const writes = createWrites(() => stop.abort())
  const attempts = load.duration_seconds === null ? options.attempts : null
  const deck = createDeck({ questions: set.questions, attempts, done: trials })
  const askings = createAskings({ asker, clock, signal: stop.signal })
  let measuredFrom: number | undefined

  function toPhase(): Progress['phase'] {
    if (stop.signal.aborted) return 'stopping'
    if (measuredFrom === undefined) return 'reading'
    return clock.monotonic() < measuredFrom ? 'warm_up' : 'running'
  }
  using progress = startProgress({
    ...{ clock, total: deck.total, before: trials, phase: toPhase },
    ...{ underWay: () => askings.underWay, tell: options.onProgress },
  })
  const expected = await readExpectedTables(asker, set.questions, stop.signal)
  progress.restart()
  measuredFrom = clock.monotonic() + load.warm_up_seconds * 1_000
  let lastEnd = measuredFrom

  async function ask({ index, planned, isCounted }: Asking): Promise<void> {
    const card = isCounted ? deck.at(index) : deck.warmUpAt(index)
    const { question, question_id, max_seconds } = card.question
    const maxMs = (max_seconds ?? options.max_seconds) * 1_000
    const asked = await askings.ask(question, planned, maxMs)
    const isStopped = stop.signal.aborted && asked.outcome.error?.code === 'cancelled'
    if (!isCounted || isStopped) return
    lastEnd = clock.monotonic()
    const compared = { expected: expected.get(question_id), signal: stop.signal }
    const outcome = await withWholeTables(asker, asked.outcome, compared)
    // It is asked again by who goes on with the run.
    if (stop.signal.aborted && outcome.tables.some(({ unread }) => unread !== undefined)) return
    const trial = toTrial(card, { ...asked, outcome }, compared.expected)
    trials.push(trial)
    progress.add(trial)
    options.onTrial?.(trial)
    writes.add(journal?.add(trial))
    writes.add(transcripts?.add(toTranscript(card, trial, asked)))
  }
  const { count } = deck
  try {
    if (count !== 0) await runLoad({ load, count, clock, signal: stop.signal, ask })
  } catch (error) {
    // What a listener threw: nobody waits for the others any more.
    stop.abort()
    throw error
  }
  const measuredMs = lastEnd - measuredFrom
  await writes.settled()
  const wall_seconds = (clock.monotonic() - began) / 1_000
  const is_complete = deck.total === null ? !stop.signal.aborted : trials.length >= deck.total
  return toReport({
    ...{ run_id: options.run_id, set, target: options.target, load, trials },
    ...{ started_at, ended_at: clock.now(), is_complete },
    measured_seconds:
      (journal?.earlier_seconds ?? 0) + toMeasured(options, measuredMs, is_complete),
    asker: {
      ...toCpu(process.cpuUsage(cpu), wall_seconds),
      loop_delay_p99_ms: loopDelay.p99(),
    },
    timeline: toTimeline(trials, started_at),
  })
}

function wayOf({ asker, target, max_seconds }: JobOptions): Way {
  const { url, transport, assistant_id } = target
  return { url, transport, assistant_id, approve: asker.approve ?? null, max_seconds }
}

/** Until the last answer; a duration is measured whole, also where its last seconds were idle. */
function toMeasured({ load }: JobOptions, ms: number, isComplete: boolean): number {
  const least = isComplete ? (load.duration_seconds ?? 0) : 0
  return Math.max(0, least, ms / 1_000)
}

function toCpu({ user, system }: NodeJS.CpuUsage, wall_seconds: number) {
  const cpu_seconds = (user + system) / 1_000_000
  return { cpu_seconds, cpu_share: wall_seconds > 0 ? cpu_seconds / wall_seconds : 0 }
}

/** Aborts `stop` with the signal, for as long as it is held. */
function follow(signal: AbortSignal | undefined, stop: AbortController): Disposable {
  const abort = () => stop.abort()
  if (signal?.aborted) abort()
  signal?.addEventListener('abort', abort, { once: true })
  return { [Symbol.dispose]: () => signal?.removeEventListener('abort', abort) }
}
