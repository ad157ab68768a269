import type { Question, Trial } from '@dataagent/schema'
import type { Outcome } from '../contract.ts'
import type { VerifiedAnswer } from './verify-answer.ts'

type Classified = Pick<Trial, 'status' | 'failure'>

/** Errors by which a turn ends because of what the agent did: all others are of what carries it. */
const agentCodes = new Set([
  ...['approval_rejected', 'approval_required', 'tool_not_allowed', 'path_denied'],
  ...['egress_denied', 'invalid_arguments'],
])

/**
 * How a trial ended, and whose fault it is where it has not passed. The capability is the agent's:
 * it answered and was wrong, used no or the wrong tool, gave up or was denied what it wanted. All
 * by which nothing can be known of its answer is infrastructure: no connection, a refusal, a fault
 * of the server or the model's provider, no answer in time.
 */
export function classify(
  question: Question,
  outcome: Outcome,
  verified: Pick<VerifiedAnswer, 'status' | 'checks'> & { isUnknown?: boolean },
  { timedOut }: { timedOut: boolean },
): Classified {
  const { error } = outcome
  if (timedOut || isTooLate(question, outcome)) return toTimeout(question, outcome)
  if (error && agentCodes.has(error.code)) return failed(error.code, error.message)
  if (error) return toError(error.code, error.message)
  if (verified.status === 'passed') return { status: 'passed', failure: null }
  if (verified.isUnknown) return toError('expected_sql_failed', sqlMessageOf(verified))
  return toWrong(outcome, verified)
}

function sqlMessageOf({ checks }: Pick<VerifiedAnswer, 'checks'>): string {
  return checks.find(({ name }) => name === 'sql')?.message ?? ''
}

function isTooLate({ max_seconds }: Question, { total_ms }: Outcome): boolean {
  return max_seconds !== null && total_ms > max_seconds * 1000
}

function toWrong(outcome: Outcome, { checks }: Pick<VerifiedAnswer, 'checks'>): Classified {
  const missed = checks.filter(({ passed }) => !passed)
  const message = missed.map((check) => `${check.name}: ${check.message}`).join('; ')
  if (outcome.isDenied) {
    const parts = ['something was not allowed', message]
    return failed('denied', parts.filter(Boolean).join('; '))
  }
  if (outcome.answer.trim() === '') return failed('no_answer', message || 'the answer is empty')
  const isToolMissed = missed.length > 0 && missed.every(({ name }) => name === 'tools')
  return failed(isToolMissed ? 'wrong_tools' : 'wrong_answer', message)
}

function failed(code: string, message: string): Classified {
  return { status: 'failed', failure: { kind: 'capability', code, message } }
}

function toError(code: string, message: string): Classified {
  return { status: 'error', failure: { kind: 'infrastructure', code, message } }
}

function toTimeout({ max_seconds }: Question, { total_ms }: Outcome): Classified {
  const limit = max_seconds === null ? '' : `, ${max_seconds} s are allowed`
  const message = `no whole answer after ${(total_ms / 1000).toFixed(1)} s${limit}`
  return { status: 'timeout', failure: { kind: 'infrastructure', code: 'timeout', message } }
}
