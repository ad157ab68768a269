import { expect, test } from 'vitest'
import type { ModelTool } from '../contract.ts'
import { createConversation } from './test-conversation.ts'

const tools: ModelTool[] = ['list_sources', 'run_sql', 'make_chart'].map((name) => ({
  ...{ name, description: name, parameters: { type: 'object' } },
}))
const sql = 'SELECT region,\n  sum(amount) AS sales\nFROM orders\nWHERE amount < 10\nGROUP BY 1'
const system = [
  'You help.',
  '<verified_question source="retail">',
  '<question>Sales by region last month</question>',
  `<sql>\n${sql}\n</sql>`,
  '</verified_question>',
].join('\n')
const chart = { type: 'bar', x: 'region', y: ['sales'] }
const given = [
  'q1: 2 rows from retail, 12 ms, as of 2026-11-18T00:00:00.000Z.',
  'An administrator has verified this query.',
  'region | sales',
  'East | 12.50',
  'West | 7.25',
  `A chart that fits: make_chart ${JSON.stringify({ query: 'q1', chart })}`,
  'Cite each number that you take from it as [q1].',
].join('\n')

test('a verified question is asked as it stands, shown as a chart, and told with its query', async () => {
  const talk = createConversation({ tools, system })
  const asked = await talk.say('sales by region last month?')
  expect(asked.calls).toEqual([
    {
      name: 'run_sql',
      arguments: { source: 'retail', sql, purpose: 'Sales by region last month' },
    },
  ])
  const drawn = await talk.give(given)
  expect(drawn.calls).toEqual([{ name: 'make_chart', arguments: { query: 'q1', chart } }])
  const told = await talk.give('The user sees the chart of q1 now.')
  expect(told.calls).toEqual([])
  expect(told.text).toContain('[q1]')
  expect(told.text).toContain(
    '| region | sales |\n| --- | --- |\n| East | 12.50 |\n| West | 7.25 |',
  )
  expect(told.text).not.toContain('make_chart')
})

test('in Chinese, and where no chart fits, the rows are told at once', async () => {
  const talk = createConversation({ tools, system: system.replace('Sales by', '各区域') })
  await talk.say('上月各区域销售额？')
  const told = await talk.give(given.replace(/^A chart.*\n/m, ''))
  expect(told.calls).toEqual([])
  expect(told.text).toContain('查询结果 [q1]：')
})

test('a query that gave nothing is told as such', async () => {
  const talk = createConversation({ tools, system })
  await talk.say('sales by region last month?')
  const told = await talk.give(
    'q2: 0 rows from retail, 1 ms, as of now.\nregion | sales\nCite each.',
  )
  expect(told.text).toContain('no rows [q2]')
})

test.each(['有哪些数据源？', 'What data sources do you have?'])('%s', async (text) => {
  const talk = createConversation({ tools })
  expect((await talk.say(text)).calls).toEqual([{ name: 'list_sources', arguments: {} }])
})
