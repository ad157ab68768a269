import type { SentEvent } from '@dataagent/schema'
import { expect, test, vi } from 'vitest'
import { createChatLog } from './log/chat-log.ts'
import { listResults } from './session-results.ts'

type Fields = { event_type: string; [field: string]: unknown }

function turnsOf(...events: Fields[]) {
  const log = createChatLog()
  for (const [i, fields] of events.entries()) {
    const placed = { session_id: 's1', run_id: 'r1', timestamp: (i + 1) * 10, seq: i + 1 }
    log.apply({ ...placed, ...fields } as unknown as SentEvent)
  }
  return log.view().turns
}

const said = { event_type: 'user_message', message_id: 'm1', content: 'Hi' }
const call = (id: string, result: unknown, fields: object = {}) => [
  { event_type: 'tool_call', tool_call_id: id, tool_name: `tool ${id}`, tool_args: {}, ...fields },
  { event_type: 'tool_result', tool_call_id: id, result, status: 'success', ...fields },
]
const rows = { rows: [{ a: 1, b: 2 }], total: 9 }
const image = { content: [{ type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' }] }
const idsOf = (turns: ReturnType<typeof turnsOf>, limit = 9) =>
  listResults(turns, limit).results.map(({ tool_call_id }) => tool_call_id)

test('tables and images are listed, newest first, with what they are', () => {
  const turns = turnsOf(said, ...call('1', rows), ...call('2', 'words'), said, ...call('3', image))
  expect(listResults(turns, 9)).toMatchObject({
    hasMore: false,
    results: [
      { tool_call_id: '3', turn_key: '6', shape: { kind: 'image' } },
      { tool_call_id: '1', turn_key: '1', shape: { kind: 'table', rows: 9, columns: ['a', 'b'] } },
    ],
  })
})

test('what a helper got is among them, what failed is not', () => {
  const failed = call('2', rows, { status: 'error' })
  const below = call('3', rows, { parent_tool_call_id: '1' })
  expect(idsOf(turnsOf(said, ...call('1', 'words'), ...failed, ...below))).toEqual(['3'])
})

test('no more than wanted are looked for', () => {
  const turns = turnsOf(said, ...call('1', rows), ...call('2', rows), ...call('3', rows))
  expect(listResults(turns, 2).hasMore).toBe(true)
  expect(idsOf(turns, 2)).toEqual(['3', '2'])
  expect(listResults(turns, 3).hasMore).toBe(false)
})

test('a result that is long to read is listed without being read', () => {
  const long = JSON.stringify(Array(20_000).fill({ order_id: 'order-0012' }))
  const parse = vi.spyOn(JSON, 'parse')
  const turns = turnsOf(said, ...call('1', { content: [{ type: 'text', text: long }] }))
  expect(listResults(turns, 9).results).toMatchObject([{ shape: { kind: 'large' } }])
  expect(parse).not.toHaveBeenCalled()
})

test('many results that are no tables are read in passes, each no longer than the page can wait', () => {
  const words = JSON.stringify({ words: 'x'.repeat(190_000) })
  const calls = Array.from({ length: 20 }, (_, i) => call(`${i + 1}`, words)).flat()
  const turns = turnsOf(said, ...call('0', rows), ...calls)
  const parse = vi.spyOn(JSON, 'parse')
  expect(listResults(turns, 9)).toEqual({ results: [], hasMore: false, isUnfinished: true })
  expect(parse.mock.calls.length).toBeLessThan(10)
  let passes = 1
  while (listResults(turns, 9).isUnfinished) passes += 1
  expect(passes).toBeLessThan(6)
  expect(parse).toHaveBeenCalledTimes(20)
  expect(idsOf(turns)).toEqual(['0'])
})

test('calls of two turns are told apart also where their ids are the same', () => {
  const { results } = listResults(turnsOf(said, ...call('1', rows), said, ...call('1', rows)), 9)
  expect(new Set(results.map(({ key }) => key)).size).toBe(2)
})

test('a query is listed once, by what it was for, with the count of all its rows', () => {
  const query = {
    ...{ query_id: 'i', ref: 'q1', source_name: 'shop', purpose: 'Sales', row_count: 48_213 },
    columns: [{ name: 'a' }],
  }
  const block = { event_type: 'result_block', tool_call_id: '1', block: { kind: 'query', query } }
  const [made, ended] = call('1', rows)
  const [listed, ...others] = listResults(turnsOf(said, made!, block, ended!), 9).results
  expect(listed?.shape).toEqual({
    ...{ kind: 'query', query_id: 'i', ref: 'q1', title: 'Sales', rows: 48_213, columns: ['a'] },
  })
  expect(others).toEqual([])
})
