import { randomUUID } from 'node:crypto'
import type { Trial } from '@dataagent/schema'
import type { ExpectedTable, Transcript } from '../contract.ts'
import { classify, verifyAnswer } from '../verify/index.ts'
import type { Asked } from './askings.ts'
import type { Card } from './deck.ts'

/** Looks at an answer, and writes down all that is known of it. */
export function toTrial(
  { question, attempt }: Card,
  { outcome, started_at, late_ms, timedOut }: Asked,
  expected: ExpectedTable | undefined,
): Trial {
  const verified = verifyAnswer(question, outcome, expected)
  const { tools, usage } = outcome
  return {
    ...{ trial_id: randomUUID(), question_id: question.question_id, attempt },
    ...classify(question, outcome, verified, { timedOut }),
    ...{ checks: verified.checks, matched_keywords: verified.matched_keywords },
    ...{ answer: outcome.answer, session_id: outcome.session_id, started_at, late_ms },
    ...{ first_event_ms: outcome.first_event_ms, first_text_ms: outcome.first_text_ms },
    tool_ms: tools.reduce((sum, { ms }) => sum + (ms ?? 0), 0),
    ...{ total_ms: outcome.total_ms, tools },
    model: usage?.model ?? null,
    prompt_tokens: usage?.prompt_tokens ?? 0,
    completion_tokens: usage?.completion_tokens ?? 0,
    cached_tokens: usage?.cached_tokens ?? 0,
    cost: usage?.cost ?? null,
  }
}

export function toTranscript({ question }: Card, trial: Trial, { outcome }: Asked): Transcript {
  const { trial_id, question_id, attempt, session_id, status, answer } = trial
  return {
    ...{ trial_id, question_id, attempt, session_id, status },
    ...{ question: question.question, events: outcome.events ?? [], answer },
  }
}
