import type { QueryResult } from '@dataagent/schema'
import { expect, test } from 'vitest'
import { findCited } from './cited-query.ts'

const query: QueryResult = {
  ...{ query_id: 'second', ref: 'q1', source_id: 's', source_name: 'shop', sql: 'select 1' },
  ...{ columns: [], rows: [], row_count: 0, kept_rows: 0, elapsed_ms: 1, as_of: 1 },
}
const shown = { query, turn_key: '9' }
const queries = new Map([['q1', shown]])
const cites = (query_id: string) => ({
  cited: [{ from: 0, to: 4, text: '[q1]', ref: 'q1', query_id }],
})

test('a citation means the query that the server has found, whatever took its number later', () => {
  expect(findCited('q1', cites('first'), queries)).toEqual({ query_id: 'first', shown: undefined })
  expect(findCited('q1', cites('second'), queries)).toEqual({ query_id: 'second', shown })
})

test('until the server has looked it means what the chat shows by its number', () => {
  expect(findCited('q1', undefined, queries)).toEqual({ query_id: 'second', shown })
  expect(findCited('q2', undefined, queries)).toBeUndefined()
})
