import type { Clock } from '@dataagent/guard'
import type { ServerQuestions } from '@dataagent/mcp'
import { aroundQuestions } from '../../around-questions.ts'

export interface TimedQuestions {
  questions: ServerQuestions
  /** How long at least one of them has been open, all in all. */
  tookMs(): number
}

/** The same questions, and a watch that runs while one of them is open. */
export function timeQuestions(questions: ServerQuestions, clock: Clock): TimedQuestions {
  let open = 0
  let begun = 0
  let tookMs = 0
  return {
    questions: aroundQuestions(questions, during),
    tookMs: () => tookMs + (open > 0 ? clock.monotonic() - begun : 0),
  }

  async function during<T>(ask: () => Promise<T>): Promise<T> {
    if (open === 0) begun = clock.monotonic()
    open += 1
    try {
      return await ask()
    } finally {
      open -= 1
      if (open === 0) tookMs += clock.monotonic() - begun
    }
  }
}
