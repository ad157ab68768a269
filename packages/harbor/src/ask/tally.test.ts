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
