import type { Clock } from '@dataagent/guard'
import type { EvaluationReport, Load, Question, Trial } from '@dataagent/schema'

/** Questions with what a right answer has, as a file or a person gave them. */
export interface QuestionSet {
  name: string
  questions: Question[]
}

/** A table that a query gave: what `expected_sql` is compared with. */
export interface ResultTable {
  columns: string[]
  rows: unknown[][]
}

/** What is expected of a question's rows: a table, or why there is none. */
export type ExpectedTable =
  | { status: 'read'; table: ResultTable }
  | { status: 'unread'; message: string }

/** Rows that the platform keeps of a query. */
export interface KeptRows {
  query_id: string
  kept_rows: number
}

/** A table of a turn: all of it, or as much as was shown. */
export interface ShownTable extends ResultTable {
  /** Set where a query of the platform gave it: what was shown may be its beginning. */
  kept?: KeptRows
  /** Why its rows could not be read whole, where that was needed. */
  unread?: string
}

/** What came of one asking, before anything is expected of it. Times are since it was begun. */
export interface Outcome {
  session_id: string | null
  /** The last reply, whole. */
  answer: string
  /** Set where no whole answer came: nothing can be said about the agent then. */
  error: { code: string; message: string } | null
  /** The turn ended because a person, a policy or nobody was there to allow something. */
  isDenied: boolean
  first_event_ms: number | null
  first_text_ms: number | null
  total_ms: number
  tools: Trial['tools']
  /** Of tools that gave rows, in order. */
  tables: ShownTable[]
  usage: {
    model: string
    prompt_tokens: number
    completion_tokens: number
    cached_tokens: number
    cost: number | null
  } | null
  /** What happened, in short, for the transcript; absent where nobody can tell. */
  events?: readonly TranscriptEvent[]
}

/** One thing that happened in a turn: a reply is one, however many pieces it came in. */
export interface TranscriptEvent {
  /** Since the asking was begun. */
  ms: number
  event_type: string
  /** Of a long one the beginning. */
  text: string
}

/** All that was said in one asking. */
export interface Transcript
  extends Pick<Trial, 'trial_id' | 'question_id' | 'attempt' | 'session_id' | 'status'> {
  question: string
  events: readonly TranscriptEvent[]
  answer: string
}

/** Puts one question to an agent, in a session of its own. */
export interface Asker extends AsyncDisposable {
  readonly transport: EvaluationReport['target']['transport']
  /** What becomes of a call that asks for leave; absent where the asker has no say in it. */
  readonly approve?: Way['approve']
  /**
   * Never rejects: what went wrong is in the outcome. Once the signal is aborted the turn is
   * cancelled on the server too, and the outcome is there within two seconds.
   */
  ask(question: string, options: { signal: AbortSignal }): Promise<Outcome>
  /** All rows of the query that is expected; absent where there is nothing to run it on. */
  runSql?(sql: string, options: { signal: AbortSignal }): Promise<ResultTable>
  /** All rows of a query that a turn has shown; absent where none are kept. */
  readRows?(kept: KeptRows, options: { signal: AbortSignal }): Promise<unknown[][]>
}

/** Whom a run asks and how: trials that were asked in another way do not mix with its own. */
export interface Way {
  url: string
  transport: EvaluationReport['target']['transport']
  /** Null: the server's default. */
  assistant_id: string | null
  approve: 'never' | 'policy' | 'auto' | null
  max_seconds: number
}

/** Where trials are kept while a run goes on, so that it can be resumed. */
export interface Journal {
  /**
   * Keeps the way before anything is asked. Throws `conflict` where trials are kept that were asked
   * in another; absent where that cannot be.
   */
  begin?(way: Way): Promise<void>
  /** Durable once resolved. */
  add(trial: Trial): Promise<void>
  /** Those of the run before, when it was interrupted. */
  readonly trials: readonly Trial[]
  /** How long those took, all together, while they were measured. */
  readonly earlier_seconds: number
}

/** Where transcripts are kept: many more bytes than trials, read by people only. */
export interface Transcripts {
  add(transcript: Transcript): Promise<void>
}

/** How a run stands, a few times a second. */
export interface Progress {
  /** `reading` is of what the expected queries give: nothing is asked yet. */
  phase: 'reading' | 'warm_up' | 'running' | 'stopping'
  /** Since it began to ask; while it reads, since that. */
  elapsed_ms: number
  /** Null where only a duration is known. */
  total: number | null
  under_way: number
  counts: EvaluationReport['counts']
  /** Ended in the last seconds, for each of them. */
  throughput: number
  p50_ms: number
  p95_ms: number
  p99_ms: number
  late_p99_ms: number
  /** What ended last, newest last; a few. */
  recent: readonly Trial[]
}

export interface JobOptions {
  run_id: string
  set: QuestionSet
  asker: Asker
  load: Load
  /** How often each question is asked where there is no duration. */
  attempts: number
  /** For questions that have no `max_seconds`. */
  max_seconds: number
  target: EvaluationReport['target']
  journal?: Journal
  transcripts?: Transcripts
  onProgress?(progress: Progress): void
  onTrial?(trial: Trial): void
  /** Lets what is under way end as cancelled, and gives the report of what there is. */
  signal?: AbortSignal
  /** Default: that of the system. */
  clock?: Clock
}
