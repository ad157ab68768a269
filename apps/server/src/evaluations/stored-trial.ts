import type { EvaluationReport, Trial } from '@dataagent/schema'

const answerMax = 8_000
const messageMax = 2_000

/** As much of a trial as is kept: the transcript is in its session. */
export function toStoredTrial(trial: Trial): Trial {
  const { failure, checks, answer } = trial
  return {
    ...trial,
    answer: cut(answer, answerMax),
    failure: failure && { ...failure, message: cut(failure.message, messageMax) },
    checks: checks.map((check) => ({ ...check, message: cut(check.message, messageMax) })),
  }
}

/** Questions and trials have rows of their own. */
export function toStoredReport(report: EvaluationReport): string {
  return JSON.stringify({ ...report, questions: [], trials: [] })
}

function cut(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max).toWellFormed()}…`
}
