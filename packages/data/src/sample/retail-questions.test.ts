import { dataQuestionSchema } from '@dataagent/schema'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { retailQuestions } from './retail-questions.ts'
import { openTestRetail, type TestRetail } from './test-retail.ts'

let retail: TestRetail
beforeAll(async () => {
  retail = await openTestRetail()
})
afterAll(() => retail[Symbol.asyncDispose]())

const english = retailQuestions.filter(({ question_id }) => question_id.endsWith('-en'))
const chinese = retailQuestions.filter(({ question_id }) => question_id.endsWith('-zh'))

test('each can be stored as a verified question, under an id of its own', () => {
  const rest = { source_id: 's', verified: true, owner_user_id: null, updated_at: 0 }
  for (const question of retailQuestions) dataQuestionSchema.parse({ ...question, ...rest })
  const ids = new Set(retailQuestions.map(({ question_id }) => question_id))
  expect(ids.size).toBe(retailQuestions.length)
  expect(english.length).toBeGreaterThanOrEqual(25)
  expect(english.length).toBe(chinese.length)
})

test.each(english)('$question: rows, with the month where it is about one', async (question) => {
  const { columns, rows } = await retail.query(question.sql)
  expect(columns.join()).toMatch(/^[a-z_,]+$/)
  expect(rows.length).toBeGreaterThan(0)
  expect(rows.length).toBeLessThanOrEqual(200)
  for (const [at, column] of columns.entries()) check(column, column === 'change', rows, at)
  if (!question.question_id.includes('last-month')) return
  const months = new Set(rows.map(([first]) => `${first}`.slice(0, 7)))
  expect([...months]).toEqual(['2026-10'])
})

test.each(chinese)('$question gives what is asked in English, in Chinese', async (question) => {
  const twin = english.find(
    ({ question_id }) => question_id === question.question_id.replace(/-zh$/, '-en'),
  )
  const [own, other] = [await retail.query(question.sql), await retail.query(twin?.sql ?? '')]
  expect(own.columns.join()).toMatch(/^[\p{Script=Han},]+$/u)
  expect(own.rows.length).toBe(other.rows.length)
  const figures = (rows: unknown[][]) => rows.flat().filter(isFigure).map(Number).toSorted(upwards)
  expect(figures(own.rows)).toEqual(figures(other.rows))
})

/** Values of a column are what its name says. */
function check(column: string, mayMiss: boolean, rows: unknown[][], at: number): void {
  const values = rows.map((row) => row[at])
  const present = values.filter((value) => value !== null)
  if (!mayMiss) expect(present).toHaveLength(values.length)
  if (/rate|share/.test(column)) {
    for (const value of present) expect(Number(value)).toBeGreaterThan(0)
    for (const value of present) expect(Number(value)).toBeLessThanOrEqual(1)
  }
  if (/revenue|orders|customers|amount|value|quantity|discounts/.test(column))
    for (const value of present) expect(Number(value)).toBeGreaterThan(0)
  if (column === 'month') for (const value of present) expect(value).toMatch(/^\d{4}-\d{2}$/)
}

function isFigure(value: unknown): boolean {
  return /^-?\d+(\.\d+)?$/.test(String(value))
}

function upwards(a: number, b: number): number {
  return a - b
}
