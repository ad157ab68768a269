import type {
  Comparison,
  Difference,
  EvaluationReport,
  Trial,
  TrialCounts,
  TrialStatus,
  Verdict,
} from '@dataagent/schema'
import {
  differenceOfMeans,
  differenceOfShares,
  type Interval,
  type IntervalAt,
  meanOf,
  quantileOf,
  resampleQuantiles,
  smallestVisibleChange,
  toldApart,
  toSorted,
  usualAlpha,
} from '../measure/index.ts'
import { countOf, isTimed } from './to-report.ts'

/**
 * One run beside an earlier one. Figures are of the questions that both have asked: a set that
 * has grown by easy questions is no better agent. Where they share none, of all.
 */
export function compareReports(baseline: EvaluationReport, current: EvaluationReport): Comparison {
  const [before, after] = sharedTrials(baseline.trials, current.trials)
  const [earlier, later] = [countOf(before), countOf(after)]
  const totals = [totalsOf(before), totalsOf(after)] as const
  const figures = {
    pass_rate: figureOfShares(earlier, later),
    mean_total_ms: figureOfMeans(...totals),
    p50_total_ms: figureOfQuantiles(...totals, 0.5),
    p95_total_ms: figureOfQuantiles(...totals, 0.95),
    mean_first_event_ms: figureOfMeans(firstEventsOf(before), firstEventsOf(after)),
  }
  // The strictest that the share of passed may have to meet: whatever the others show.
  const alpha = usualAlpha / Object.keys(figures).length
  return {
    ...{ baseline_run_id: baseline.run_id, current_run_id: current.run_id },
    ...toDifferences(figures),
    smallest_visible_change: smallestVisibleChange(earlier, later.total, { alpha }),
    questions: compareQuestions(baseline, current),
  }
}

function sharedTrials(
  baseline: readonly Trial[],
  current: readonly Trial[],
): [readonly Trial[], readonly Trial[]] {
  const idsOf = (trials: readonly Trial[]) => new Set(trials.map(({ question_id }) => question_id))
  const [before, after] = [idsOf(baseline), idsOf(current)]
  const shared = before.intersection(after)
  if (shared.size === 0) return [baseline, current]
  const isShared = ({ question_id }: Trial) => shared.has(question_id)
  return [baseline.filter(isShared), current.filter(isShared)]
}

function totalsOf(trials: readonly Trial[]): number[] {
  return trials.filter(isTimed).map(({ total_ms }) => total_ms)
}

function firstEventsOf(trials: readonly Trial[]): number[] {
  return trials.filter(isTimed).flatMap(({ first_event_ms }) => first_event_ms ?? [])
}

/** What is compared, before it is known whether it is more than chance. */
interface Figure {
  /** Null of a run that has nothing to take it of: 0 would be one. */
  baseline: number | null
  current: number | null
  intervalAt: IntervalAt
  better: 'more' | 'less'
}

function figureOfShares(before: TrialCounts, after: TrialCounts): Figure {
  const shareOf = ({ passed, total }: TrialCounts) => (total === 0 ? null : passed / total)
  return {
    ...{ baseline: shareOf(before), current: shareOf(after), better: 'more' },
    intervalAt: (alpha) => differenceOfShares(before, after, { alpha }),
  }
}

function figureOfMeans(before: readonly number[], after: readonly number[]): Figure {
  return {
    ...{ baseline: known(before, meanOf), current: known(after, meanOf), better: 'less' },
    intervalAt: (alpha) => differenceOfMeans(before, after, { alpha }),
  }
}

function figureOfQuantiles(
  before: readonly number[],
  after: readonly number[],
  at: number,
): Figure {
  const quantile = (values: readonly number[]) => quantileOf(toSorted(values), at)
  return {
    ...{ baseline: known(before, quantile), current: known(after, quantile) },
    intervalAt: resampleQuantiles(before, after, { at }),
    better: 'less',
  }
}

function known(values: readonly number[], figureOf: (values: readonly number[]) => number) {
  return values.length === 0 ? null : figureOf(values)
}

/** All are looked at, so all are judged together; each is shown with the interval of its own. */
function toDifferences<K extends string>(figures: Record<K, Figure>): Record<K, Difference> {
  const all = Object.values<Figure>(figures)
  const isKnown = ({ baseline, current }: Figure) => baseline !== null && current !== null
  const judged = all.filter(isKnown)
  const told = toldApart(
    judged.map(({ intervalAt }) => intervalAt),
    usualAlpha,
  )
  const differences = Object.entries<Figure>(figures).map(([name, figure]) => {
    return [name, toDifference(figure, told[judged.indexOf(figure)] ?? false)]
  })
  return Object.fromEntries(differences)
}

function toDifference(figure: Figure, isTold: boolean): Difference {
  const { baseline, current, intervalAt } = figure
  if (baseline === null || current === null) {
    return { baseline, current, difference: null, low: null, high: null, verdict: 'unknown' }
  }
  const difference = current - baseline
  const verdict = isTold ? verdictOf(intervalAt(usualAlpha), figure.better) : 'within_noise'
  return { baseline, current, difference, ...intervalAt(usualAlpha), verdict }
}

function verdictOf({ low }: Interval, better: Figure['better']): Verdict {
  return low > 0 === (better === 'more') ? 'better' : 'worse'
}

type QuestionChange = Comparison['questions'][number]

function compareQuestions(baseline: EvaluationReport, current: EvaluationReport): QuestionChange[] {
  const [before, after] = [statusesOf(baseline.trials), statusesOf(current.trials)]
  const known = new Map(baseline.questions.map((question) => [question.question_id, question]))
  for (const question of current.questions) known.set(question.question_id, question)
  const texts = [...known].map(([question_id, { question }]) => ({ question_id, question }))
  return texts.flatMap(({ question_id, question }) => {
    const [was, is] = [before.get(question_id) ?? null, after.get(question_id) ?? null]
    const change = changeOf(was, is)
    return change ? [{ question_id, question, baseline: was, current: is, change }] : []
  })
}

/** Of several attempts what most ended with; of as many the worse. */
function statusesOf(trials: readonly Trial[]): Map<string, TrialStatus> {
  const groups = Map.groupBy(trials, ({ question_id }) => question_id)
  return new Map([...groups].map(([question_id, own]) => [question_id, usualStatus(own)]))
}

const worstFirst = ['error', 'timeout', 'failed', 'passed'] as const

function usualStatus(trials: readonly Trial[]): TrialStatus {
  const counts = countOf(trials)
  return worstFirst.reduce((usual, status) => (counts[status] > counts[usual] ? status : usual))
}

/** Undefined where neither run has asked it. */
function changeOf(
  was: TrialStatus | null,
  is: TrialStatus | null,
): QuestionChange['change'] | undefined {
  if (was === null) return is === null ? undefined : 'added'
  if (is === null) return 'removed'
  if ((was === 'passed') === (is === 'passed')) return 'same'
  return is === 'passed' ? 'fixed' : 'broken'
}
