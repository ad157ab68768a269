import type {
  EvaluationReport,
  Load,
  Question,
  Trial,
  TrialCounts,
  TrialGroup,
} from '@dataagent/schema'
import type { QuestionSet } from '../contract.ts'
import { createTimes, meanOf, quantileOf, toSorted, wilson } from '../measure/index.ts'
import { thinTimeline } from './thin-timeline.ts'

/** What a run leaves behind. */
export interface ReportParts {
  run_id: string
  set: QuestionSet
  target: EvaluationReport['target']
  load: Load
  trials: readonly Trial[]
  started_at: number
  ended_at: number
  is_complete: boolean
  /** Without what was warm-up. */
  measured_seconds: number
  asker: EvaluationReport['asker']
  timeline: EvaluationReport['timeline']
}

/**
 * The report of a run. A trial that ended as an error is counted, and none of its times are: a
 * refusal within a millisecond would make the agent look fast.
 */
export function toReport(parts: ReportParts): EvaluationReport {
  const { set, trials } = parts
  const counts = countOf(trials)
  const answered = trials.filter(isTimed)
  return {
    ...{ format: 1, run_id: parts.run_id, name: set.name },
    ...{ started_at: parts.started_at, ended_at: parts.ended_at, is_complete: parts.is_complete },
    ...{ target: parts.target, load: parts.load, counts },
    failures: {
      capability: trials.filter(({ failure }) => failure?.kind === 'capability').length,
      infrastructure: trials.filter(({ failure }) => failure?.kind === 'infrastructure').length,
    },
    pass_rate: wilson(counts.passed, counts.total),
    times: {
      first_event: summaryOf(answered, ({ first_event_ms }) => first_event_ms),
      first_text: summaryOf(answered, ({ first_text_ms }) => first_text_ms),
      tool: summaryOf(answered, ({ tools, tool_ms }) => (tools.length === 0 ? null : tool_ms)),
      total: summaryOf(answered, ({ total_ms }) => total_ms),
      late: summaryOf(trials, ({ late_ms }) => late_ms),
    },
    throughput: parts.measured_seconds > 0 ? counts.total / parts.measured_seconds : 0,
    prompt_tokens: sumOf(trials, ({ prompt_tokens }) => prompt_tokens),
    completion_tokens: sumOf(trials, ({ completion_tokens }) => completion_tokens),
    cached_tokens: sumOf(trials, ({ cached_tokens }) => cached_tokens),
    cost: costOf(trials),
    ...toGroups(set.questions, trials),
    timeline: thinTimeline(parts.timeline),
    asker: parts.asker,
    questions: set.questions,
    trials: [...trials],
  }
}

/** Whether its times say something about the agent. */
export function isTimed({ status }: Trial): boolean {
  return status !== 'error'
}

export function countOf(trials: readonly Trial[]): TrialCounts {
  const counts = { total: trials.length, passed: 0, failed: 0, error: 0, timeout: 0 }
  for (const { status } of trials) counts[status] += 1
  return counts
}

function summaryOf(trials: readonly Trial[], timeOf: (trial: Trial) => number | null) {
  const times = createTimes()
  for (const trial of trials) {
    const ms = timeOf(trial)
    if (ms !== null) times.record(ms)
  }
  return times.summary()
}

function sumOf(trials: readonly Trial[], of: (trial: Trial) => number): number {
  return trials.reduce((sum, trial) => sum + of(trial), 0)
}

/** Of those whose model has a price. */
function costOf(trials: readonly Trial[]): number | null {
  const priced = trials.filter(({ cost }) => cost !== null)
  return priced.length === 0 ? null : sumOf(priced, ({ cost }) => cost ?? 0)
}

function toGroups(questions: readonly Question[], trials: readonly Trial[]) {
  const byQuestion = Map.groupBy(trials, ({ question_id }) => question_id)
  const groupBy = (namesOf: (question: Question) => readonly string[]): TrialGroup[] => {
    const groups = new Map<string, Trial[]>()
    for (const question of questions) {
      const own = byQuestion.get(question.question_id) ?? []
      for (const name of new Set(namesOf(question))) {
        const known = groups.get(name)
        if (known) for (const trial of own) known.push(trial)
        else groups.set(name, [...own])
      }
    }
    const named = [...groups].some(([name]) => name !== '')
    return named ? [...groups].map(([name, own]) => toGroup(name, own)) : []
  }
  return {
    // Those without one are a group of their own, without a name, beside those that have one.
    by_category: groupBy(({ category }) => [category ?? '']),
    by_difficulty: groupBy(({ difficulty }) => [difficulty ?? '']),
    by_tag: groupBy(({ tags }) => tags),
  }
}

function toGroup(name: string, trials: readonly Trial[]): TrialGroup {
  const counts = countOf(trials)
  const times = toSorted(trials.filter(isTimed).map(({ total_ms }) => total_ms))
  return {
    ...{ name, counts, pass_rate: wilson(counts.passed, counts.total) },
    ...{ mean_ms: meanOf(times), p95_ms: quantileOf(times, 0.95) },
  }
}
