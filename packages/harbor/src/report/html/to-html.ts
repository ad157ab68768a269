import type { Comparison, EvaluationReport } from '@dataagent/schema'
import { type Lang, type Words, wordsOf } from '../words.ts'
import { comparisonOf } from './comparison.ts'
import { distributionChart } from './distribution-chart.ts'
import { asMarkup, html, type Markup } from './markup.ts'
import { headerOf, scoreOf } from './overview.ts'
import { style } from './style.ts'
import { groupsTable, timesTable } from './tables.ts'
import { timelineChart } from './timeline-chart.ts'
import { failuresOf, trialsOf } from './trials.ts'

export interface HtmlOptions {
  lang: Lang
  comparison?: Comparison | undefined
}

/** Nothing is fetched and nothing runs, whatever a model has answered. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

/** The report as one file that needs no other: it is read without a network and without scripts. */
export function toHtml(report: EvaluationReport, { lang, comparison }: HtmlOptions): string {
  const words = wordsOf(lang)
  const page = html`<!doctype html>
<html lang="${lang === 'zh' ? 'zh-CN' : 'en'}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${report.name} · ${words.report}</title>
<style>${asMarkup(style)}</style>
</head>
<body>
<main>
${headerOf(report, words)}
${scoreOf(report, words)}
${comparison && comparisonOf(comparison, words)}
${chartsOf(report, words)}
${groupsTable(words.byCategory, report.by_category, words)}
${groupsTable(words.byDifficulty, report.by_difficulty, words)}
${groupsTable(words.byTag, report.by_tag, words)}
${timesTable(report, words)}
${failuresOf(report, words)}
${trialsOf(report, words)}
${footerOf(report, words)}
</main>
</body>
</html>
`
  return page.markup
}

function footerOf({ run_id, target }: EvaluationReport, words: Words): Markup {
  const version = target.server_version
  return html`<footer><span>${words.run} <code>${run_id}</code></span>
<span>${version === null ? undefined : `DataAgent ${version}`}</span></footer>`
}

function chartsOf(report: EvaluationReport, words: Words): Markup | undefined {
  const distribution = distributionChart(report, words)
  const timeline = timelineChart(report.timeline, words)
  if (!distribution && !timeline) return undefined
  const { passed } = words.statuses
  const trials: Legend = [
    ['b-passed', passed],
    ['b-failed', words.failures],
  ]
  const times: Legend = [...trials, ['b-accent', 'p50'], ['b-soft', 'p99']]
  return html`<div class="two">
${distribution && toChart([words.distribution, words.distributionNote], distribution, trials)}
${timeline && toChart([words.timeline, words.timelineNote], timeline, times)}
</div>`
}

type Legend = (readonly [kind: string, text: string])[]

function toChart([title, note]: [string, string], chart: Markup, legend: Legend): Markup {
  const items = legend.map(
    ([kind, text]) => html`<li><span class="dot ${kind}"></span>${text}</li>`,
  )
  return html`<section class="panel"><h2>${title}</h2><p class="note">${note}</p>${chart}
<ul class="legend">${items}</ul></section>`
}
