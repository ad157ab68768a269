import type { DataQuestion } from '@dataagent/schema'
import { customerTopics } from './topics/customer-topics.ts'
import { orderTopics } from './topics/order-topics.ts'
import { productTopics } from './topics/product-topics.ts'
import { salesTopics } from './topics/sales-topics.ts'
import { chinese, english } from './topics/topic.ts'

export type SampleQuestion = Pick<DataQuestion, 'question_id' | 'question' | 'also' | 'sql'>

const topics = [...salesTopics, ...orderTopics, ...productTopics, ...customerTopics]

/** Each in English and in Chinese: the names in a result are of the language it was asked in. */
export const retailQuestions: readonly SampleQuestion[] = topics.flatMap((one) => [
  toQuestion(`${one.topic}-en`, one.en, one.sql(english)),
  toQuestion(`${one.topic}-zh`, one.zh, one.sql(chinese)),
])

function toQuestion(
  question_id: string,
  [question, ...also]: readonly [string, ...string[]],
  sql: string,
): SampleQuestion {
  return { question_id, question, also, sql }
}
