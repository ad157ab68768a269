import type { EvaluationReport, TrialGroup } from '@dataagent/schema'
import { toCount, toGroupTimes, toShareTexts, toTimeOf } from '../figures.ts'
import type { Words } from '../words.ts'
import { shareBar } from './bars.ts'
import { html, type Markup } from './markup.ts'
import { type Cell, toTable } from './table.ts'

const figures = ['mean', 'min', 'p50', 'p90', 'p95', 'p99', 'p999', 'max'] as const
const groupsMax = 100

export function timesTable({ times }: EvaluationReport, words: Words): Markup {
  const { count, mean, min, max } = words
  const head = ['', count, mean, min, 'p50', 'p90', 'p95', 'p99', 'p99.9', max]
  const names = ['first_event', 'first_text', 'tool', 'total', 'late'] as const
  const rows = names.map((name) => [
    ...[words.timeRows[name], toCount(times[name].count)],
    ...figures.map((figure) => toTimeOf(times[name][figure], times[name].count, words)),
  ])
  return html`<section class="panel"><h2>${words.times}</h2>${toTable(head, rows)}</section>`
}

/** How each group of questions did; nothing where they are in none. */
export function groupsTable(
  title: string,
  groups: readonly TrialGroup[],
  words: Words,
): Markup | undefined {
  if (groups.length === 0) return undefined
  const head = ['', '', words.passRate, words.trials, words.interval, words.mean, 'p95']
  const rows = groups.slice(0, groupsMax).map((group) => toRow(group, words))
  const left = groups.length - groupsMax
  const more = left > 0 ? html`<p class="note">${words.more(toCount(left))}</p>` : undefined
  return html`<section class="panel groups"><h2>${title}</h2>${toTable(head, rows)}${more}</section>`
}

function toRow(group: TrialGroup, words: Words): Cell[] {
  const { name, counts, pass_rate } = group
  const { rate, interval } = toShareTexts(group)
  return [
    { content: name || words.unnamed, kind: 'text' },
    { content: shareBar(pass_rate), kind: 'bar' },
    html`<b>${rate}</b>`,
    `${toCount(counts.passed)}/${toCount(counts.total)}`,
    interval,
    ...toGroupTimes(group, words),
  ]
}
