import type { EvaluationReport, Trial, TrialGroup } from '@dataagent/schema'
import {
  toCost,
  toCount,
  toGroupTimes,
  toLoadText,
  toMoment,
  toShareTexts,
  toThreeDigits,
  toTime,
} from '../figures.ts'
import { notesOf } from '../notes.ts'
import { type Lang, type Words, wordsOf } from '../words.ts'
import { toLine, widthOf } from './cells.ts'
import { createPaint, type Paint, statusColours } from './paint.ts'
import { toTable } from './table.ts'

export interface FormatOptions {
  lang: Lang
  /** Cells of a line. */
  width: number
  colour: boolean
}

interface Look {
  words: Words
  paint: Paint
  width: number
}

const failuresMax = 20
const groupsMax = 20
const barCells = 20

/** The report for a terminal, without a newline at its end. */
export function formatReport(report: EvaluationReport, options: FormatOptions): string {
  const look = toLook(options)
  const parts = [
    headOf(report, look),
    scoreOf(report, look),
    timesOf(report, look),
    groupsOf(look.words.category, report.by_category, look),
    groupsOf(look.words.difficulty, report.by_difficulty, look),
    groupsOf(look.words.tag, report.by_tag, look),
    failuresOf(report, look),
    notesOf(report, look.words).map((note) => look.paint('yellow', `! ${note}`)),
  ]
  return toText(parts)
}

export function toLook({ lang, width, colour }: FormatOptions): Look {
  return { words: wordsOf(lang), paint: createPaint(colour), width: Math.max(40, width) }
}

export function toText(parts: readonly (readonly string[])[]): string {
  const shown = parts.filter((lines) => lines.length > 0)
  return shown.map((lines) => lines.join('\n')).join('\n\n')
}

function headOf(report: EvaluationReport, { words, paint, width }: Look): string[] {
  const { target, load, started_at, ended_at, run_id } = report
  const state = report.is_complete ? '' : ` · ${paint('yellow', words.interrupted)}`
  const where = [`${target.url} (${target.transport})`, target.assistant_id ?? '']
  const facts = [
    toLoadText(load, words),
    toMoment(started_at),
    toTime(ended_at - started_at, words),
  ]
  const line = (items: string[]) => toLine(items.filter((item) => item !== '').join(' · '), width)
  return [
    `${paint('bold', toLine(report.name, width - 20))} · ${run_id}${state}`,
    paint('dim', line(where)),
    paint('dim', line(facts)),
  ]
}

function scoreOf(report: EvaluationReport, { words, paint }: Look): string[] {
  const { counts, failures } = report
  const { rate, interval } = toShareTexts(report)
  const told = (['passed', 'failed', 'error', 'timeout'] as const)
    .filter((status) => counts[status] > 0)
    .map((status) =>
      paint(statusColours[status], `${words.statuses[status]} ${toCount(counts[status])}`),
    )
  const faults = [
    ...(failures.capability > 0 ? [words.capabilityCount(failures.capability)] : []),
    ...(failures.infrastructure > 0 ? [words.infrastructureCount(failures.infrastructure)] : []),
  ]
  return [
    `${words.passRate} ${paint('bold', rate)}  ${paint('dim', `${words.interval} ${interval}`)}`,
    [`${words.trials} ${toCount(counts.total)}`, told.join(', ')].filter(Boolean).join(': '),
    ...(faults.length > 0 ? [paint('dim', `${words.failures}: ${faults.join(', ')}`)] : []),
  ]
}

const timeFigures = ['mean', 'p50', 'p90', 'p95', 'p99', 'max'] as const
/** What a narrow terminal has room for. */
const fewFigures = ['p50', 'p95', 'p99'] as const

function timesOf(report: EvaluationReport, { words, paint, width }: Look): string[] {
  const names = (['first_event', 'first_text', 'tool', 'total', 'late'] as const)
    .filter((name) => report.times[name].count > 0)
    .filter((name) => name !== 'late' || report.load.mode === 'rate')
  const titles = { mean: words.mean, max: words.max } as Record<string, string>
  const tableOf = (figures: readonly (typeof timeFigures)[number][]) => {
    const head = [words.time, words.count, ...figures.map((figure) => titles[figure] ?? figure)]
    const rows = names.map((name) => [
      words.timeRows[name],
      toCount(report.times[name].count),
      ...figures.map((figure) => toTime(report.times[name][figure], words)),
    ])
    return toTable(head, rows, { paint })
  }
  if (names.length === 0) return [usageOf(report, words)]
  const whole = tableOf(timeFigures)
  const isTooWide = whole.some((line) => widthOf(line) > width)
  return [...(isTooWide ? tableOf(fewFigures) : whole), '', usageOf(report, words)]
}

function usageOf(report: EvaluationReport, words: Words): string {
  const { prompt_tokens, completion_tokens, cost } = report
  const input = toCount(prompt_tokens)
  const tokens = words.tokensDetail(input, toCount(completion_tokens))
  return [
    `${words.throughput} ${toThreeDigits(report.throughput)}${words.perSecond}`,
    ...(prompt_tokens + completion_tokens > 0 ? [`${words.tokens} ${tokens}`] : []),
    ...(cost === null ? [] : [`${words.cost} ${toCost(cost)}`]),
  ].join(' · ')
}

function groupsOf(title: string, groups: readonly TrialGroup[], look: Look): string[] {
  if (groups.length === 0) return []
  const { words, paint, width } = look
  const head = [title, '', words.passRate, words.interval, words.mean, 'p95']
  const rows = groups.slice(0, groupsMax).map((group) => {
    const { name, counts, pass_rate } = group
    const { rate, interval } = toShareTexts(group)
    return [
      toLine(name || words.unnamed, Math.max(10, Math.floor(width / 4))),
      toBar(pass_rate.value, paint),
      ...[`${rate} (${counts.passed}/${counts.total})`, interval],
      ...toGroupTimes(group, words),
    ]
  })
  const table = toTable(head, rows, { paint, left: 2 })
  // A narrow terminal does without the bars.
  const isTooWide = table.some((line) => widthOf(line) > width)
  const lines = isTooWide ? toTable(withoutBar(head), rows.map(withoutBar), { paint }) : table
  const left = groups.length - groupsMax
  return left > 0 ? [...lines, paint('dim', words.more(toCount(left)))] : lines
}

function withoutBar(row: readonly string[]): string[] {
  return row.filter((_, at) => at !== 1)
}

function toBar(share: number, paint: Paint): string {
  const full = Math.round(share * barCells)
  return paint('green', '█'.repeat(full)) + paint('dim', '░'.repeat(barCells - full))
}

function failuresOf(report: EvaluationReport, { words, paint, width }: Look): string[] {
  const failed = report.trials.filter(({ status }) => status !== 'passed')
  if (failed.length === 0) return []
  const texts = new Map(report.questions.map((item) => [item.question_id, item.question]))
  const groups = alikeIn(failed)
  const lines = groups.slice(0, failuresMax).flatMap(({ trial, times }) => {
    const status = paint(statusColours[trial.status], words.statuses[trial.status])
    const head = `${status} ${trial.question_id}${times > 1 ? ` ×${toCount(times)}` : ''} `
    const question = toLine(texts.get(trial.question_id) ?? '', width - widthOf(head) - 2)
    return [`  ${head}${question}`, paint('dim', `    ${toLine(reasonOf(trial), width - 4)}`)]
  })
  const left = groups.slice(failuresMax).reduce((sum, { times }) => sum + times, 0)
  return [
    paint('bold', `${words.failures} (${toCount(failed.length)})`),
    ...lines,
    ...(left > 0 ? [paint('dim', `  ${words.more(toCount(left))}`)] : []),
  ]
}

/** Attempts at a question that ended alike, as one. */
function alikeIn(failed: readonly Trial[]): { trial: Trial; times: number }[] {
  const endOf = (trial: Trial) => JSON.stringify([trial.question_id, trial.status, reasonOf(trial)])
  const groups = Map.groupBy(failed, endOf)
  return [...groups.values()].map((own) => ({ trial: own[0]!, times: own.length }))
}

function reasonOf({ failure }: Trial): string {
  return failure ? `${failure.code}: ${failure.message}` : ''
}
