import { retailQuestions, type SampleQuestion } from '../sample/index.ts'
import type { QuestionMatcher } from './question-matcher.ts'
import { heldOutSentences } from './test-labelled-held-out.ts'
import { tunedSentences } from './test-labelled-tuned.ts'

/** A sentence and the question that a person says it means; undefined where it means none. */
export interface LabelledSentence {
  text: string
  question_id: string | undefined
}

export const labelled = { tuned: parse(tunedSentences), heldOut: parse(heldOutSentences) }

export interface Scores {
  precision: number
  recall: number
  /** What was found where something else, or nothing, was meant. */
  wrong: string[]
  missed: string[]
}

export function scoreOn(
  matcher: QuestionMatcher<SampleQuestion>,
  sentences: readonly LabelledSentence[],
): Scores {
  const readings = sentences.map(({ text, question_id }) => {
    const found = matcher.match(text)?.question.question_id
    return { text, question_id, found }
  })
  const given = readings.filter(({ found }) => found !== undefined)
  const right = given.filter(({ found, question_id }) => found === question_id)
  const meant = readings.filter(({ question_id }) => question_id !== undefined)
  return {
    precision: right.length / given.length,
    recall: right.length / meant.length,
    wrong: given
      .filter((one) => !right.includes(one))
      .map(({ text, found }) => `${text}: ${found}`),
    missed: meant.filter(({ found }) => found === undefined).map(({ text }) => text),
  }
}

function parse(text: string): LabelledSentence[] {
  let language = ''
  return text.split('\n').flatMap((line) => {
    if (line.startsWith('# ')) language = line.slice(2)
    const [topic = '', sentence] = line.split(' | ')
    if (sentence === undefined) return []
    const question_id = topic === 'nothing' ? undefined : `${topic}-${language}`
    if (question_id && !retailQuestions.some((one) => one.question_id === question_id))
      throw new RangeError(`There is no question ${question_id}.`)
    return [{ text: sentence, question_id }]
  })
}
