import { createHash } from 'node:crypto'
import {
  AppError,
  isPlainObject,
  type Load,
  parseAs,
  type Trial,
  trialSchema,
} from '@dataagent/schema'
import type { Journal, QuestionSet, Way } from '../contract.ts'
import { openLines } from './lines.ts'
import { differencesOf } from './way.ts'

/** What a run is known by: trials of another do not mix with its own. */
export interface JournalHeader {
  /** Of a new run; one that is resumed keeps its own. */
  run_id: string
  set: QuestionSet
  load: Load
}

export interface OpenJournal extends Required<Journal>, AsyncDisposable {
  /** Of the run that is begun or resumed. */
  readonly run_id: string
}

interface RunLine {
  kind: 'run'
  format: 1
  run_id: string
  name: string
  /** SHA-256 of the questions. */
  questions: string
  load: Load
}

/**
 * After the first: how questions are asked, what came of one, or that the run went on after an
 * interruption. Only journals of older versions have no way.
 */
type Line = { kind: 'way'; way: Way } | { kind: 'trial'; trial: Trial } | { kind: 'resumed' }

/** Begins a journal, or goes on with the one that is there. */
export async function openJournal(file: string, header: JournalHeader): Promise<OpenJournal> {
  await using cleanup = new AsyncDisposableStack()
  const lines = cleanup.use(await openLines(file))
  const [first, ...rest] = lines.before
  const own = toRun(header)
  const run = first === undefined ? own : checkSame(file, first, own)
  if (first === undefined) await lines.add(own)
  const known = rest.map((line, at) => readLine(line, `${file}, line ${at + 2}`))
  const parts = toParts(known)
  const ended = parts.flat()
  // Nothing was learned of what ended by an error: it is asked again.
  const trials = ended.filter(({ status }) => status !== 'error')
  if (ended.length > 0) checkResumable(file, header.load)
  let isResumed = ended.length === 0
  let way = known.find((line) => line.kind === 'way')?.way
  const keep = (line: Line) => lines.add(line)
  const kept = cleanup.move()
  return {
    ...{ run_id: run.run_id, trials },
    earlier_seconds: parts.reduce((sum, part) => sum + spanOf(part), 0) / 1_000,
    async begin(own) {
      if (way !== undefined) return checkWay(way, own, { file, run })
      way = own
      await keep({ kind: 'way', way })
    },
    async add(trial) {
      // Only now: where nothing is asked any more, nothing has gone on.
      const resumed = isResumed ? undefined : keep({ kind: 'resumed' })
      isResumed = true
      await Promise.all([resumed, keep({ kind: 'trial', trial })])
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

function toRun({ run_id, set, load }: JournalHeader): RunLine {
  const questions = createHash('sha256').update(JSON.stringify(set.questions)).digest('hex')
  return { kind: 'run', format: 1, run_id, name: set.name, questions, load }
}

function checkSame(file: string, first: unknown, own: RunLine): RunLine {
  if (!isPlainObject(first) || first.kind !== 'run' || first.format !== own.format)
    throw new AppError('parse_error', `${file} is not the journal of a run.`)
  const found = first as unknown as RunLine
  const refuse = (what: string) => otherRun(`with other ${what}`, { file, run: found })
  if (found.questions !== own.questions) throw refuse('questions')
  if (JSON.stringify(found.load) !== JSON.stringify(own.load)) throw refuse('settings of its load')
  return found
}

interface Found {
  file: string
  run: RunLine
}

function checkWay(kept: Way, own: Way, found: Found): void {
  const differences = differencesOf(kept, own)
  if (differences !== '') throw otherRun(`that was asked otherwise (${differences})`, found)
}

function otherRun(what: string, { file, run: { run_id, name } }: Found): AppError {
  const message = `${file} is of a run ${what}: choose another file.`
  return new AppError('conflict', message, { data: { run_id, name } })
}

/** Two times with a pause between them are not one time. */
function checkResumable(file: string, { duration_seconds }: Load): void {
  if (duration_seconds === null) return
  const message = `${file} is of a run by duration, which cannot be resumed: choose another file.`
  throw new AppError('conflict', message)
}

function readLine(line: unknown, where: string): Line {
  if (isPlainObject(line) && line.kind === 'resumed') return { kind: 'resumed' }
  if (isPlainObject(line) && line.kind === 'way') return { kind: 'way', way: line.way as Way }
  const trial = isPlainObject(line) && line.kind === 'trial' ? line.trial : line
  return { kind: 'trial', trial: parseAs(trialSchema, trial, where) }
}

/** The trials between interruptions. */
function toParts(lines: readonly Line[]): Trial[][] {
  const parts: Trial[][] = [[]]
  for (const line of lines) {
    if (line.kind === 'resumed') parts.push([])
    if (line.kind === 'trial') parts.at(-1)?.push(line.trial)
  }
  return parts
}

/** Milliseconds from the first beginning to the last end. */
function spanOf(trials: readonly Trial[]): number {
  let from = Number.POSITIVE_INFINITY
  let to = Number.NEGATIVE_INFINITY
  for (const { started_at, late_ms, total_ms } of trials) {
    from = Math.min(from, started_at - late_ms)
    to = Math.max(to, started_at - late_ms + total_ms)
  }
  return Math.max(0, to - from)
}
