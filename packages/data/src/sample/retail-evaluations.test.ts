import { readFile } from 'node:fs/promises'
import { type Question, questionSchema } from '@dataagent/schema'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createQuestionMatcher } from '../questions/index.ts'
import { retailQuestions } from './retail-questions.ts'
import { openTestRetail, type TestRetail, type TestTable } from './test-retail.ts'

const file = new URL('../../evaluations/retail.json', import.meta.url)
const { questions: read } = JSON.parse(await readFile(file, 'utf8'))
const questions: Question[] = read.map((question: unknown) => questionSchema.parse(question))
const tagged = (tag: string) => questions.filter(({ tags }) => tags.includes(tag))
const matcher = createQuestionMatcher(retailQuestions)

let retail: TestRetail
beforeAll(async () => {
  retail = await openTestRetail()
})
afterAll(() => retail[Symbol.asyncDispose]())

test('there are at least 60, each once, in both languages and of every difficulty', () => {
  expect(new Set(questions.map(({ question_id }) => question_id)).size).toBe(questions.length)
  expect(questions.length).toBeGreaterThanOrEqual(60)
  expect(tagged('verified').length + tagged('model').length).toBe(questions.length)
  for (const tag of ['verified', 'model', 'en', 'zh'])
    expect(tagged(tag).length).toBeGreaterThanOrEqual(25)
  const difficulties = new Set(questions.map(({ difficulty }) => difficulty))
  expect([...difficulties].toSorted()).toEqual(['easy', 'hard', 'medium'])
})

test.each(questions)('$question_id: its query gives a table that can be compared', async (one) => {
  const { rows } = await retail.query(`${one.expected_sql}`)
  expect(rows.length).toBeGreaterThan(0)
  // A tool shows so many rows to a model whole.
  expect(rows.length).toBeLessThanOrEqual(50)
  expect(rows.flat().every((value) => value === null)).toBe(false)
})

describe('without a model', () => {
  test.each(tagged('verified'))('$question finds the query that gives its answer', async (one) => {
    const found = matcher.match(one.question)?.question
    const [expected, actual] = [
      await retail.query(`${one.expected_sql}`),
      await retail.query(found?.sql ?? 'SELECT NULL'),
    ]
    expect(toComparable(actual)).toEqual(toComparable(expected))
  })

  test.each(tagged('model'))('$question finds none that answers something else', (one) => {
    expect(matcher.match(one.question)).toBeUndefined()
  })
})

/** Rows in an order of their own, numbers as such. */
function toComparable({ rows }: TestTable): string[] {
  const toCell = (value: unknown) => (/^-?\d+(\.\d+)?$/.test(`${value}`) ? Number(value) : value)
  return rows.map((row) => JSON.stringify(row.map(toCell))).toSorted()
}
