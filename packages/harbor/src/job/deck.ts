import type { Question, Trial } from '@dataagent/schema'

/** One question, and for which time it is asked. */
export interface Card {
  question: Question
  attempt: number
}

export interface DeckOptions {
  questions: readonly Question[]
  /** Null where they are asked for as long as it takes. */
  attempts: number | null
  /** Not asked again. */
  done: readonly Pick<Trial, 'question_id' | 'attempt'>[]
}

export interface Deck {
  /** How many are left; null where there is no end to them. */
  count: number | null
  /** With those that are done. */
  total: number | null
  at(index: number): Card
  /** What is asked to warm up: without an end, and whether it is done or not. */
  warmUpAt(index: number): Card
}

/** All questions once, then all once more: what drifts in time falls on each of them alike. */
export function createDeck({ questions, attempts, done }: DeckOptions): Deck {
  const at = (index: number): Card => ({
    question: questions[index % questions.length]!,
    attempt: Math.floor(index / questions.length) + 1,
  })
  if (attempts === null || questions.length === 0)
    return { count: questions.length === 0 ? 0 : null, total: null, at, warmUpAt: at }

  const toKey = (question_id: string, attempt: number) => `${attempt} ${question_id}`
  const made = new Set(done.map(({ question_id, attempt }) => toKey(question_id, attempt)))
  const total = questions.length * attempts
  const left = Array.from({ length: total }, (_, index) => at(index)).filter(
    ({ question, attempt }) => !made.has(toKey(question.question_id, attempt)),
  )
  return { count: left.length, total, at: (index) => left[index]!, warmUpAt: at }
}
