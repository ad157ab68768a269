import type { SentEvent } from '@dataagent/schema'
import { expect, test } from 'vitest'
import { createTally } from './tally.ts'

const place = { session_id: 's', run_id: 'r', timestamp: 1 }
const query = {
  ...{
    query_id: 'query-1',
    ref: 'q1',
    source_id: 'retail',
    source_name: 'retail',
    sql: 'SELECT 1',
  },
  columns: [{ name: 'n', type: 'BIGINT', kind: 'integer' }],
  rows: [['9007199254740993']],
  ...{ row_count: 1, kept_rows: 1, elapsed_ms: 2, as_of: 3 },
}

const table = {
  ...{ columns: ['n'], rows: [['9007199254740993']] },
  kept: { query_id: 'query-1', kept_rows: 1 },
}

test('the rows of a query that is shown are a table of the turn, what a chart names is none', () => {
  const tally = createTally(() => 0)
  const chart = { kind: 'chart', query_id: 'query-1', ref: 'q1', chart: { type: 'bar', y: ['n'] } }
  const events = [
    { ...place, seq: 1, event_type: 'result_block', block: { kind: 'query', query } },
    { ...place, seq: 2, event_type: 'result_block', block: chart },
    { ...place, seq: 3, event_type: 'done', cancelled: false },
  ]
  for (const event of events) tally.add(event as SentEvent)
  expect(tally.toOutcome('s', null).tables).toEqual([table])
})

test('a query that its tool tells and its block shows is one table', () => {
  const tally = createTally(() => 0)
  const result = { content: [{ type: 'text', text: 'q1: 1 row' }], structuredContent: query }
  const call = { tool_call_id: 'c1', tool_name: 'run_sql', tool_args: {} }
  const told = { tool_call_id: 'c1', status: 'success', result }
  const events = [
    { ...place, seq: 1, event_type: 'tool_call', ...call },
    { ...place, seq: 2, event_type: 'result_block', block: { kind: 'query', query } },
    { ...place, seq: 3, event_type: 'tool_result', ...told },
  ]
  for (const event of events) tally.add(event as SentEvent)
  expect(tally.toOutcome('s', null).tables).toEqual([table])
})

test('tools began when the server says, whenever it is told; waiting for a person is before that', () => {
  let ms = 0
  const tally = createTally(() => ms)
  const call = (id: string) => ({
    ...{ event_type: 'tool_call', tool_call_id: id, tool_name: id, tool_args: {} },
  })
  const result = { event_type: 'tool_result', status: 'success', result: 'done' }
  const add = (timestamp: number, event: object) =>
    tally.add({ ...place, seq: 1, timestamp, ...event } as SentEvent)
  ms = 40
  add(70_000, { event_type: 'user_message', message_id: 'm', content: 'Go' })
  // All of this comes late, and at once.
  ms = 9_000
  add(70_500, call('quick'))
  add(70_600, { ...result, tool_call_id: 'quick', duration_ms: 90 })
  add(71_000, call('asked'))
  add(76_000, { ...result, tool_call_id: 'asked', duration_ms: 1_000 })
  add(77_000, call('open'))
  expect(tally.toOutcome('s', null).tools).toEqual([
    { name: 'quick', status: 'success', ms: 90, at_ms: 550 },
    { name: 'asked', status: 'success', ms: 1_000, at_ms: 5_040 },
    { name: 'open', status: 'error', ms: null, at_ms: 7_040 },
  ])
})
