import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createQuestionMatcher } from './question-matcher.ts'

const toQuestion = (question: string, ...also: string[]) => ({ question, also })

const byRegion = toQuestion('Revenue by region last month')
const byRegionChinese = toQuestion('上个月各地区的销售额')
const beds = toQuestion('How many beds are free on each ward?', 'Free beds by ward')
const matcher = createQuestionMatcher([byRegion, byRegionChinese, beds])
const match = (text: string) => matcher.match(text)?.question

test.each([
  ['ＲＥＶＥＮＵＥ by ｒｅｇｉｏｎ, last month!'],
  ["last month's sales per region"],
  ['turnover of each region in the previous month?'],
  ['区域 revenue last month by region'],
])('%j is asked as the question in English is', (text) => {
  expect(match(text)).toBe(byRegion)
})

test.each([
  ['上月各区域营业额？'],
  ['请帮我看一下，上个月分地区的营收是多少'],
  ['上月 各大区 收入'],
])('%j is asked as the question in Chinese is', (text) => {
  expect(match(text)).toBe(byRegionChinese)
})

test('words that no list knows count as they are', () => {
  expect(match('free beds per ward')).toBe(beds)
  expect(match('free beds per hospital')).toBeUndefined()
  expect(match('free cots per ward')).toBeUndefined()
})

test.each([
  ['another time', 'revenue by region last week'],
  ['another measure', 'refunds by region last month'],
  ['one more thing', 'revenue by region and channel last month'],
  ['something left out', 'revenue by region last month without the North'],
  ['a part only', 'revenue by region last month in Lyon'],
  ['another number', 'revenue of the 3 largest regions last month'],
  ['a reason', 'why is revenue by region last month so low'],
  ['no word', '?!'],
  ['nothing', ''],
])('%s is another question', (_, text) => {
  expect(match(text)).toBeUndefined()
})

test('a question in the other language is found where there is none in that of the text', () => {
  const english = createQuestionMatcher([byRegion])
  expect(english.match('上月各区域营业额')?.question).toBe(byRegion)
})

test('the same words tell the score 1, and who came next', () => {
  const close = toQuestion('Revenue by region last month, breakdown and trend')
  const both = createQuestionMatcher([byRegion, close])
  const found = both.match('revenue by region last month')
  expect(found).toMatchObject({ question: byRegion, score: 1, runnerUp: { question: close } })
  expect(found?.runnerUp?.score).toBeLessThan(1)
})

test('of two questions that say the same neither is taken', () => {
  const twice = createQuestionMatcher([byRegion, toQuestion('Sales by region last month')])
  expect(twice.match('revenue by region last month')).toBeUndefined()
})

test('a text of any kind and length is read, and one that is too long is none', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 600 }), (text) => {
      matcher.match(text)
    }),
  )
  expect(match('revenue by region last month '.repeat(1_000))).toBeUndefined()
})

test('among 10,000 questions one is found within 5 ms, with five times the room', () => {
  const many = Array.from({ length: 10_000 }, (_, n) =>
    toQuestion(`Revenue of plant K${n} by region last month`, `上个月 K${n} 工厂各地区的销售额`),
  )
  const large = createQuestionMatcher([...many, byRegion])
  const times = Array.from({ length: 41 }, (_, n) => {
    const begun = performance.now()
    const found = large.match(`please show sales of plant K${n * 7} by region last month`)
    expect(found?.question).toBe(many[n * 7])
    return performance.now() - begun
  })
  expect(times.toSorted((a, b) => a - b)[20]).toBeLessThan(25)
})
