import type { Comparison } from '@dataagent/schema'
import { measures, toCount, toDifferenceTexts, togetherNotes, toPoints } from '../figures.ts'
import type { Words } from '../words.ts'
import { differenceBar } from './bars.ts'
import { html, type Markup } from './markup.ts'
import { type Cell, toTable } from './table.ts'

const questionsMax = 200
const changes = ['broken', 'fixed', 'added', 'removed'] as const

export function comparisonOf(comparison: Comparison, words: Words): Markup {
  const { baseline, current, difference, interval, verdict } = words
  const visible = toPoints(comparison.smallest_visible_change, words)
  const notes = togetherNotes(comparison, words).map((note) => html`<p class="note">${note}</p>`)
  const head = ['', baseline, current, difference, '', interval, verdict]
  return html`<section class="panel"><h2>${words.comparison}</h2>
<p class="note"><code>${comparison.baseline_run_id}</code> →
<code>${comparison.current_run_id}</code> · ${words.visible(visible)}</p>
${toTable(head, toRows(comparison, words))}${notes}${changesOf(comparison, words)}</section>`
}

function toRows(comparison: Comparison, words: Words): Cell[][] {
  return measures.map((measure) => {
    const value = comparison[measure]
    const texts = toDifferenceTexts(measure, value, words)
    return [
      ...[words.measures[measure], texts.baseline, texts.current],
      html`<b>${texts.difference}</b>`,
      { content: differenceBar(value), kind: 'bar' },
      { content: texts.interval, kind: 'note' },
      toPill(value.verdict, words.verdicts[value.verdict]),
    ]
  })
}

function changesOf({ questions }: Comparison, words: Words): Markup[] {
  const parts = changes.flatMap((change) => {
    const own = questions.filter((question) => question.change === change)
    if (own.length === 0) return []
    const rows = own.slice(0, questionsMax).map((question) => toQuestionRow(question, words))
    const left = own.length - questionsMax
    const more = left > 0 ? html`<p class="note">${words.more(toCount(left))}</p>` : undefined
    const title = `${words.changes[change]} (${toCount(own.length)})`
    return [html`<h3>${title}</h3>${toTable([], rows)}${more}`]
  })
  return parts.length > 0 ? parts : [html`<p class="note">${words.noChanges}</p>`]
}

function toQuestionRow(question: Comparison['questions'][number], words: Words): Cell[] {
  const { question_id, baseline, current } = question
  return [
    html`<code>${question_id}</code>`,
    { content: question.question, kind: 'left text' },
    ...[baseline, current].map((status) =>
      status === null ? '' : toPill(status, words.statuses[status]),
    ),
  ]
}

function toPill(kind: string, text: string): Markup {
  return html`<span class="pill ${kind}">${text}</span>`
}
