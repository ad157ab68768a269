import type { EvaluationReport } from '@dataagent/schema'
import {
  toCost,
  toCount,
  toLoadText,
  toMoment,
  toShareTexts,
  toThreeDigits,
  toTime,
  toTimeOf,
} from '../figures.ts'
import { notesOf } from '../notes.ts'
import type { Words } from '../words.ts'
import { statusBar } from './bars.ts'
import { html, type Markup } from './markup.ts'

export function headerOf(report: EvaluationReport, words: Words): Markup {
  const { target, started_at, ended_at } = report
  const facts: [string, string | null][] = [
    [words.target, `${target.url} (${target.transport})`],
    [words.agent, target.assistant_id],
    [words.load, toLoadText(report.load, words)],
    [words.started, toMoment(started_at)],
    [words.duration, toTime(ended_at - started_at, words)],
  ]
  const known = facts.filter(([, value]) => value !== null)
  const [kind, state] = report.is_complete
    ? ['passed', words.complete]
    : ['error', words.interrupted]
  return html`<header>
<div><p class="brand">DataAgent Harbor · ${words.report}</p><h1>${report.name}</h1></div>
<span class="pill ${kind}">${state}</span></header>
<dl class="facts">${known.map(([name, value]) => toFact(name, value ?? ''))}</dl>
${warningOf(report, words)}`
}

function toFact(name: string, value: string): Markup {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`
}

function warningOf(report: EvaluationReport, words: Words): Markup | undefined {
  const notes = notesOf(report, words).map((note) => html`<p>${note}</p>`)
  if (notes.length === 0) return undefined
  return html`<section class="panel warn" role="note">${notes}</section>`
}

export function scoreOf(report: EvaluationReport, words: Words): Markup {
  const { counts } = report
  const { rate, interval } = toShareTexts(report)
  const [figure, unit] = rate.split(' ')
  const statuses = (['passed', 'failed', 'error', 'timeout'] as const).map((status) => {
    const name = words.statuses[status]
    const dot = html`<span class="dot b-${status}"></span>`
    return html`<li>${dot}${name} <b>${toCount(counts[status])}</b></li>`
  })
  return html`<section class="top"><div class="panel"><p class="note">${words.passRate}</p>
<p class="score">${figure}<small> ${unit}</small></p>
<p class="note">${words.interval}: ${interval}</p>
<h3>${words.trials} ${toCount(counts.total)}</h3>${statusBar(counts)}
<ul class="legend">${statuses}</ul></div>
<div class="cards">${[...timeCards(report, words), ...useCards(report, words)].map(toCard)}</div>
</section>`
}

type Card = [name: string, value: string, more: string]

function toCard([name, value, more]: Card): Markup {
  return html`<div class="card"><span>${name}</span><b>${value}</b><span>${more}</span></div>`
}

function timeCards({ times }: EvaluationReport, words: Words): Card[] {
  const { total, first_text } = times
  const { timeRows, mean } = words
  const toText = (ms: number) => toTimeOf(ms, total.count, words)
  const toFirst = (ms: number) => toTimeOf(ms, first_text.count, words)
  return [
    [`${timeRows.total} p50`, toText(total.p50), `${mean} ${toText(total.mean)}`],
    [`${timeRows.total} p95`, toText(total.p95), `p99 ${toText(total.p99)}`],
    [`${timeRows.first_text} p50`, toFirst(first_text.p50), `p95 ${toFirst(first_text.p95)}`],
  ]
}

function useCards(report: EvaluationReport, words: Words): Card[] {
  const { prompt_tokens, completion_tokens, cached_tokens } = report
  const input = toCount(prompt_tokens)
  const tokens = words.tokensDetail(input, toCount(completion_tokens))
  const cached = cached_tokens > 0 ? ` (${words.cached(toCount(cached_tokens))})` : ''
  const rate = `${toThreeDigits(report.throughput)}${words.perSecond}`
  return [
    [words.throughput, rate, toLoadText(report.load, words)],
    [words.tokens, toCount(prompt_tokens + completion_tokens), tokens + cached],
    costCard(report, words),
  ]
}

/** Where nothing has a price, whose faults there were. */
function costCard({ cost, counts, failures }: EvaluationReport, words: Words): Card {
  const { capability, infrastructure } = failures
  if (cost === null) {
    const whose = [words.capabilityCount(capability), words.infrastructureCount(infrastructure)]
    return [words.failures, toCount(capability + infrastructure), whose.join(', ')]
  }
  return [
    words.cost,
    toCost(cost),
    `${toCost(cost / Math.max(1, counts.total))} / ${words.question}`,
  ]
}
