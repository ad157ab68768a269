import type { SentEvent } from '@dataagent/schema'
import { expect, test } from 'vitest'
import { toTables } from './tables.ts'
import { createTally } from './tally.ts'

const columns = [
  { name: '区域', type: 'VARCHAR', kind: 'text' },
  { name: 'sum', type: 'DECIMAL(18,2)', kind: 'decimal' },
]
const query = (ref: string) => ({
  ...{ query_id: `id-${ref}`, ref, source_id: 's', source_name: 'retail', sql: 'SELECT 1' },
  ...{ columns, rows: [['华东', '7.50']], row_count: 1, kept_rows: 1, elapsed_ms: 5, as_of: 1 },
})

test('the tables of a run are those that its answer cites, as plain text', () => {
  const tally = createTally()
  let seq = 0
  const tell = (event: object) =>
    tally.add({ seq: ++seq, timestamp: seq, ...event } as unknown as SentEvent)
  for (const ref of ['q1', 'q2', 'q3'])
    tell({ event_type: 'result_block', block: { kind: 'query', query: query(ref) } })
  tell({ event_type: 'text', content: 'It is 7.5 [q2].', is_final: true })
  expect(tally.cited()).toEqual([query('q2')])
  const cited = [{ from: 10, to: 14, text: '[q3]', ref: 'q3', query_id: 'id-q3' }]
  tell({ event_type: 'citations', cited, dangling: [], uncovered: [] })
  const stdout = { columns: 80 } as NodeJS.WriteStream
  const env = { LANG: 'C.UTF-8', FORCE_COLOR: '3' }
  expect(toTables(tally.cited(), { env, lang: 'en', stdout })).toEqual([
    'q3 · 1 row · 5 ms · retail\n区域 │  sum\n─────┼─────\n华东 │ 7.50',
  ])
})
