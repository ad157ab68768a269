import { type Question, questionSchema } from '@dataagent/schema'
import type { Outcome } from '../contract.ts'

export function toQuestion(parts: Partial<Question> = {}): Question {
  return questionSchema.parse({ question_id: 'q1', question: 'How many orders?', ...parts })
}

export function toOutcome(parts: Partial<Outcome> = {}): Outcome {
  return {
    ...{ session_id: 's1', answer: 'There are 12 orders.', error: null, isDenied: false },
    ...{ first_event_ms: 5, first_text_ms: 20, total_ms: 100, tools: [], tables: [] },
    usage: null,
    ...parts,
  }
}
