import { expect, test } from 'vitest'
import { toAsked } from './to-asked.ts'

const questions = [
  { question: 'Sales by region last month', also: ['上月各区域销售额？'] },
  { question: '上月各区域销售额？', also: [] },
  { question: '本月订单数', also: ['Orders this month', 'orders so far'] },
]

test('a question is asked in the language of the page, once', () => {
  expect(toAsked(questions, 'zh', 9)).toEqual(['上月各区域销售额？', '本月订单数'])
  expect(toAsked(questions, 'en', 9)).toEqual(['Sales by region last month', 'Orders this month'])
  expect(toAsked(questions, 'en', 1)).toHaveLength(1)
})
