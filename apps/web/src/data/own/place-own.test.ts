import type { QueryResult } from '@dataagent/schema'
import { expect, test } from 'vitest'
import { placeOwn } from './place-own.ts'

function query(number: number, purpose: string, source_id = 'shop'): QueryResult {
  return {
    ...{ query_id: `id-${number}`, ref: `q${number}`, source_id, source_name: source_id, purpose },
    ...{ sql: 'select 1', columns: [], rows: [], row_count: 0, kept_rows: 0 },
    ...{ elapsed_ms: 1, as_of: 1 },
  }
}

const refsOf = (...placed: Parameters<typeof placeOwn>) =>
  [...placeOwn(...placed)].map(([place, owns]) => [place, owns.map(({ query: { ref } }) => ref)])

test('a query of the reader stands below the last one before it that has its purpose', () => {
  const shown = [query(1, 'Sales'), query(2, 'Orders'), query(4, 'Sales'), query(6, 'Sales')]
  const listed = [...shown, query(3, 'Sales'), query(5, 'Sales'), query(7, 'Orders')]
  expect(
    refsOf(
      listed.map((each) => ({ query: each })),
      shown,
    ),
  ).toEqual([
    ['id-1', ['q3']],
    ['id-4', ['q5']],
    ['id-2', ['q7']],
  ])
})

test('one that came from elsewhere stands below the last one before it', () => {
  const shown = [query(2, 'Sales'), query(3, 'Orders')]
  const listed = [query(1, 'Early'), query(4, 'Sales', 'other')].map((each) => ({ query: each }))
  expect(refsOf(listed, shown)).toEqual([
    ['id-2', ['q1']],
    ['id-3', ['q4']],
  ])
  expect(refsOf(listed, [])).toEqual([])
})

test('one whose origin is known stands there, also below another of the reader', () => {
  const shown = [query(1, 'Sales'), query(2, 'Sales')]
  const listed = [{ query: query(3, 'Sales'), below: 'id-1' }]
  expect(refsOf(listed, shown)).toEqual([['id-1', ['q3']]])
})
