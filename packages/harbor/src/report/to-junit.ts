import type { EvaluationReport, Question, Trial } from '@dataagent/schema'
import { countOf } from './to-report.ts'

const nameMax = 200
const bodyMax = 20_000

/**
 * The report as JUnit's XML, which every CI reads: a suite for each category, a case for each
 * trial. A wrong answer is a failure; an error or a timeout is an error.
 */
export function toJUnit(report: EvaluationReport): string {
  const questions = new Map(report.questions.map((item) => [item.question_id, item]))
  const suites = Map.groupBy(
    report.trials,
    ({ question_id }) => questions.get(question_id)?.category ?? report.name,
  )
  const body = [...suites].map(([name, trials]) => toSuite(name, trials, questions, report))
  const attributes = { name: report.name, ...countsOf(report.trials) }
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${toAttributes(attributes)}>`,
    ...body,
    '</testsuites>\n',
  ].join('\n')
}

type Questions = ReadonlyMap<string, Question>

function toSuite(
  name: string,
  trials: readonly Trial[],
  questions: Questions,
  { started_at }: EvaluationReport,
): string {
  const timestamp = new Date(started_at).toISOString().slice(0, 19)
  const attributes = { name, timestamp, ...countsOf(trials), skipped: '0' }
  const cases = trials.map((trial) => toCase(name, trial, questions.get(trial.question_id)))
  return [`  <testsuite${toAttributes(attributes)}>`, ...cases, '  </testsuite>'].join('\n')
}

function countsOf(trials: readonly Trial[]) {
  const { total, failed, error, timeout } = countOf(trials)
  const ms = trials.reduce((sum, trial) => sum + trial.total_ms, 0)
  return {
    ...{ tests: String(total), failures: String(failed), errors: String(error + timeout) },
    time: toSeconds(ms),
  }
}

function toCase(suite: string, trial: Trial, question: Question | undefined): string {
  const attempt = trial.attempt > 1 ? ` (attempt ${trial.attempt})` : ''
  const text = (question?.question ?? '').slice(0, nameMax)
  const name = `${trial.question_id}${attempt} ${text}`.trim()
  const open = `    <testcase${toAttributes({ name, classname: suite, time: toSeconds(trial.total_ms) })}`
  const { failure } = trial
  if (failure === null) return `${open}/>`
  const element = trial.status === 'failed' ? 'failure' : 'error'
  const told = toAttributes({ message: failure.message, type: `${failure.kind}.${failure.code}` })
  const body = [failure.message, '', `Question: ${question?.question ?? ''}`, '', trial.answer]
  const content = toXmlText(body.join('\n').slice(0, bodyMax).trimEnd())
  return `${open}>\n      <${element}${told}>${content}</${element}>\n    </testcase>`
}

function toSeconds(ms: number): string {
  return (ms / 1000).toFixed(3)
}

function toAttributes(attributes: Record<string, string>): string {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${toXmlText(value).replace(/[\t\n]/g, toReference)}"`)
    .join('')
}

/** An attribute would have them as spaces. */
function toReference(character: string): string {
  return `&#${character.charCodeAt(0)};`
}

/** What XML 1.0 cannot hold at all (section 2.2), lone surrogates included. */
const forbidden = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu
const references: Readonly<Record<string, string>> = {
  ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' },
}

function toXmlText(text: string): string {
  return text
    .replace(forbidden, '')
    .replace(/\r\n?/g, '\n')
    .replace(/[&<>"]/g, (character) => references[character] ?? '')
}
