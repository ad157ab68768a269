import type { EvaluationReport, Question, Trial } from '@dataagent/schema'
import { toCount, toTime } from '../figures.ts'
import type { Words } from '../words.ts'
import { type Content, html, type Markup } from './markup.ts'
import { toTable } from './table.ts'

const failuresMax = 300
const rowsMax = 1_000
const answerMax = 20_000

/** What has not passed, each with its transcript folded away. */
export function failuresOf(report: EvaluationReport, words: Words): Markup {
  const questions = questionsOf(report)
  const failed = report.trials.filter(({ status }) => status !== 'passed')
  const isGood = failed.length === 0 && report.trials.length > 0
  const shown = failed.slice(0, failuresMax)
  const content = shown.map((trial) => toDetails(trial, questions.get(trial.question_id), words))
  return html`<section class="panel">
<h2>${words.failures} <span class="note">${toCount(failed.length)}</span></h2>
${isGood ? html`<p class="note">${words.noFailures}</p>` : undefined}
${shownNote(shown.length, failed.length, words)}${content}</section>`
}

export function trialsOf(report: EvaluationReport, words: Words): Markup {
  const questions = questionsOf(report)
  const shown = report.trials.slice(0, rowsMax)
  const head = [
    'id',
    html`<span class="left">${words.question}</span>`,
    '',
    words.status,
    words.time,
  ]
  const rows = shown.map((trial) => [
    html`<code>${trial.question_id}</code>`,
    { content: questions.get(trial.question_id)?.question, kind: 'left text' as const },
    ...[attemptOf(trial, words), toPill(trial, words), toTime(trial.total_ms, words)],
  ])
  const count = toCount(report.counts.total)
  return html`<section class="panel"><details class="alone">
<summary><h2>${words.allTrials} <span class="note">${count}</span></h2></summary>
${shownNote(shown.length, report.trials.length, words)}${toTable(head, rows)}</details></section>`
}

function questionsOf({ questions }: EvaluationReport): ReadonlyMap<string, Question> {
  return new Map(questions.map((question) => [question.question_id, question]))
}

function shownNote(shown: number, all: number, words: Words): Markup | undefined {
  if (shown === all) return undefined
  return html`<p class="note">${words.shownOf(toCount(shown), toCount(all))}</p>`
}

function toPill({ status }: Trial, words: Words): Markup {
  return html`<span class="pill ${status}">${words.statuses[status]}</span>`
}

function attemptOf({ attempt }: Trial, words: Words): string {
  return attempt > 1 ? words.attempt(attempt) : ''
}

function toDetails(trial: Trial, question: Question | undefined, words: Words): Markup {
  return html`<details><summary>${toPill(trial, words)}<code>${trial.question_id}</code>
<span class="ask">${question?.question}</span><span class="why">${trial.failure?.message}</span>
<span class="note">${toTime(trial.total_ms, words)}</span></summary>
<div class="body"><dl>${toEntries(trial, question, words)}</dl>
<h3>${words.answer}</h3><pre>${cutAnswer(trial.answer) || words.noAnswer}</pre></div></details>
`
}

function toEntries(trial: Trial, question: Question | undefined, words: Words): Content[] {
  const { failure, tools, session_id } = trial
  return [
    toEntry(words.status, failure ? toFailure(failure, words) : undefined),
    toEntry(words.question, question?.question),
    ...(question ? toExpected(trial, question, words) : []),
    ...trial.checks.map(({ name, passed, message }) =>
      toEntry(passed ? '✓' : '✗', `${words[name]}: ${message}`),
    ),
    toEntry(words.toolCalls, tools.length > 0 ? tools.map((tool) => toTool(tool, words)) : ''),
    toEntry(words.run, attemptOf(trial, words)),
    toEntry(words.session, session_id === null ? '' : html`<code>${session_id}</code>`),
  ]
}

/** Nothing where there is nothing to tell. */
function toEntry(name: string, value: Content): Markup | undefined {
  return value === undefined || value === '' ? undefined : html`<dt>${name}</dt><dd>${value}</dd>`
}

function toFailure({ kind, code, message }: NonNullable<Trial['failure']>, words: Words): Markup {
  return html`<span class="pill plain">${words[kind]}</span> <code>${code}</code> ${message}`
}

function toExpected(trial: Trial, question: Question, words: Words): Content[] {
  const { expected_keywords, expected_pattern, expected_tools, expected_sql } = question
  const keys = expected_keywords.map((keyword) => {
    const isThere = trial.matched_keywords.includes(keyword)
    const [kind, mark] = isThere ? ['passed', '✓'] : ['failed', '✗']
    return html`<span class="key ${kind}">${mark} ${keyword}</span>`
  })
  const code = (text: string | null) => (text ? html`<code>${text}</code>` : undefined)
  return [
    toEntry(words.keywords, keys.length > 0 ? keys : undefined),
    toEntry(words.pattern, code(expected_pattern)),
    toEntry(words.tools, code(expected_tools.join(', '))),
    toEntry(words.sql, code(expected_sql)),
  ]
}

function toTool({ name, status, ms }: Trial['tools'][number], words: Words): Markup {
  const kind = status === 'success' ? 'plain' : 'failed'
  const time = ms === null ? '' : ` ${toTime(ms, words)}`
  return html`<span class="key ${kind}"><code>${name}</code>${time}</span>`
}

function cutAnswer(answer: string): string {
  return answer.length > answerMax ? `${answer.slice(0, answerMax)}…` : answer
}
