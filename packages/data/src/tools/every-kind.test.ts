import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DataRow, DataTable, QueryResult, ResultBlockEvent } from '@dataagent/schema'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openEngine } from '../engines/index.ts'
import { administrator, bo, structuredOf, textOf } from '../test-data-room.ts'
import { findShopKinds, sales } from '../test-shop.ts'
import { openShopRoom, type ShopRoom } from './test-shop-room.ts'

const sql =
  "SELECT id, region, amount, sold_on, '=1+1' AS trick FROM sales WHERE region <> 'x' ORDER BY id"

describe.each(await findShopKinds())('the tools on %s', (kind) => {
  const cleanup = new AsyncDisposableStack()
  let room: ShopRoom
  let query: QueryResult

  beforeAll(async () => {
    const notes = {
      tables: {
        sales: { description: 'One row a sale', columns: { amount: { description: 'in euro' } } },
        regions: { columns: { manager: { hidden: true } } },
      },
    }
    room = cleanup.use(await openShopRoom({ kind, notes }))
    query = structuredOf(await room.call('run_sql', { source: 'Shop', sql, limit: 2 }))
  })
  afterAll(() => cleanup.disposeAsync())

  test('describe_source tells tables, columns and what was said, and nothing hidden', async () => {
    const run = { run_id: 'r1', untrusted: new Set<string>() }
    const outcome = await room.call('describe_source', { source: 'shop' }, { run })
    const { tables } = structuredOf<{ tables: DataTable[] }>(outcome)
    const columnsOf = (name: string) =>
      tables.find((table) => table.name === name)?.columns.map((column) => column.name)
    expect(columnsOf('sales')).toEqual(['id', 'region', 'amount', 'sold_on'])
    expect(columnsOf('regions')).toEqual(['region'])
    expect(textOf(outcome)).toMatch(/^sales(?:, 120 rows)?: One row a sale$/m)
    expect(textOf(outcome)).toMatch(/^ {2}amount \S+: in euro$/m)
    expect(textOf(outcome)).not.toContain('manager')
    expect([...run.untrusted]).not.toEqual([])
  })

  test('run_sql gives all digits', () => {
    expect(query).toMatchObject({ row_count: 120, kept_rows: 120 })
    expect(query.rows.map((row) => row.slice(0, 4).map(String))).toEqual(sales.slice(0, 2))
  })

  test('make_chart draws the columns of a result, and says which do not fit', async () => {
    const counted = 'SELECT region, count(*) AS n FROM sales GROUP BY region ORDER BY region'
    const { ref } = structuredOf<QueryResult>(
      await room.call('run_sql', { source: 'Shop', sql: counted }),
    )
    room.events.length = 0
    const chart = { type: 'bar', x: 'region', y: ['n'] }
    const outcome = await room.call('make_chart', { query: ref, chart })
    expect(textOf(outcome)).toBe(`The user sees the chart of ${ref} now.`)
    expect((room.events as ResultBlockEvent[]).map(({ block }) => block)).toMatchObject([
      { kind: 'chart', ref, chart },
    ])
    const wrong = await room.call('make_chart', { query: ref, chart: { ...chart, y: ['region'] } })
    expect(wrong).toMatchObject({ error: { code: 'invalid_arguments' } })
  })

  test.each([
    ['csv', 'SELECT id::VARCHAR, region, amount::VARCHAR, trick FROM all_csv', "'=1+1"],
    ['xlsx', 'SELECT id::VARCHAR, region, amount::VARCHAR, trick FROM all_xlsx__Data', '=1+1'],
    ['parquet', 'SELECT id::VARCHAR, region, amount::VARCHAR, trick FROM all_parquet', '=1+1'],
  ])('export as %s keeps all rows with their digits', async (format, reading, trick) => {
    const asked = { query: 'q1', format, name: `all_${format}` }
    expect(textOf(await room.call('export', asked))).toContain('Saved 120 rows of q1')
    const folder = join(room.dir, 'workspaces/ada/outputs')
    await using engine = openEngine({ kind: 'files', folder })
    const { batches } = await engine.query(`${reading} ORDER BY 1`, { timeoutMs: 20_000 })
    const rows = (await Array.fromAsync(batches)).flat() as DataRow[]
    // What is read from CSV has the digits that DuckDB guesses: the text itself has them all.
    const written = await readFile(join(folder, 'all_csv.csv'), 'utf8')
    for (const [id, region, amount] of sales) {
      expect(written).toContain(`\r\n${id},${region},${amount},`)
    }
    expect(rows.map(([id, region, , by]) => [id, region, by])).toEqual(
      sales.map(([id, region]) => [id, region, trick]),
    )
    if (format !== 'csv') expect(rows.map((row) => row[2])).toEqual(sales.map((row) => row[2]))
  })

  test('save_question keeps the SQL for whoever asked, and it runs again', async () => {
    const asked = { query: 'q1', question: '卖了多少?' }
    expect(textOf(await room.call('save_question', asked))).toBe('Saved: 卖了多少?')
    const [saved] = await room.store.questions.list('default', 'ada')
    expect(saved).toMatchObject({ sql, source_id: room.source_id, verified: false })
    const again = structuredOf<QueryResult>(
      await room.call('run_sql', { source: saved!.source_id, sql: saved!.sql }),
    )
    expect(again).toMatchObject({ row_count: 120 })
    expect(again.verified_question_id).toBeUndefined()
    const other = await room.call('save_question', asked, { principal: bo })
    expect(other).toMatchObject({ error: { code: 'not_found' } })
    expect(await room.store.questions.list('default', administrator.user_id)).toEqual([])
  })
})
