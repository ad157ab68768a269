import { join } from 'node:path'
import { AppError, type DataRow, parseEvent, type QueryResult } from '@dataagent/schema'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openEngine } from '../engines/index.ts'
import { bo, structuredOf, textOf } from '../test-data-room.ts'
import { sales } from '../test-shop.ts'
import { openShopRoom, type ShopRoom } from './test-shop-room.ts'

const cleanup = new AsyncDisposableStack()
let room: ShopRoom
let query: QueryResult

beforeAll(async () => {
  room = cleanup.use(await openShopRoom())
  const sql = "SELECT id, region, amount, sold_on, '=1+1' AS trick FROM sales ORDER BY id"
  query = structuredOf(await room.call('run_sql', { source: 'Shop', sql, limit: 2 }))
})
afterAll(() => cleanup.disposeAsync())

/** As the tables of the folder that exports go to. */
async function readBack(sql: string): Promise<DataRow[]> {
  const folder = join(room.dir, 'workspaces/ada/outputs')
  await using engine = openEngine({ kind: 'files', folder })
  const { batches } = await engine.query(sql, { timeoutMs: 20_000 })
  return (await Array.fromAsync(batches)).flat() as DataRow[]
}

test.each([
  ['csv', 'SELECT id::VARCHAR, region, trick FROM all_csv ORDER BY 1', "'=1+1"],
  ['xlsx', 'SELECT id::VARCHAR, region, trick FROM all_xlsx__Data ORDER BY 1', '=1+1'],
  ['parquet', 'SELECT id::VARCHAR, region, trick FROM all_parquet ORDER BY 1', '=1+1'],
])('%s holds all rows with their digits', async (format, sql, trick) => {
  const asked = { query: 'q1', format, name: `all_${format}` }
  const outcome = await room.call('export', asked)
  expect(textOf(outcome)).toMatch(
    new RegExp(`^Saved 120 rows of q1 as outputs/all_${format}\\.${format} \\(\\d+ bytes\\)\\.$`),
  )
  expect(await readBack(sql)).toEqual(sales.map(([id, region]) => [id, region, trick]))
})

test('a Parquet file keeps the types of the columns', async () => {
  await room.call('export', { query: 'q1', format: 'parquet', name: 'typed' })
  const [row] = await readBack('SELECT typeof(id), typeof(amount), typeof(sold_on) FROM typed')
  expect(row).toEqual(['BIGINT', expect.stringMatching(/^DECIMAL\(\d+,4\)$/), 'DATE'])
})

test('shows people the file', async () => {
  room.events.length = 0
  await room.call('export', { query: 'q1' })
  const [event] = room.events.map((one) => parseEvent(one))
  const path = `outputs/q1-${query.query_id.slice(0, 8)}.csv`
  const workspace = await room.workspaceOf('ada')
  const { size: bytes } = await workspace.stat(path)
  expect(event).toMatchObject({
    tool_call_id: 'call-1',
    block: { kind: 'export', ref: 'q1', format: 'csv', path, rows: 120, bytes },
  })
})

test.each([
  ['报表 2026.csv', 'outputs/报表 2026.csv'],
  ['a.b-c_d', 'outputs/a.b-c_d.csv'],
  ['x..', 'outputs/x...csv'],
])('the name %s is taken', async (name, path) => {
  expect(textOf(await room.call('export', { query: 'q1', name }))).toContain(` as ${path} (`)
})

test.each(['../out', '/etc/x', 'a/b', '.hidden', 'a\\b', 'a\0b', '', 'x'.repeat(81), '-x', 'a\nb'])(
  'the name %j is refused',
  async (name) => {
    expect((await room.call('export', { query: 'q1', name })).status).toBe('invalid')
  },
)

test('a file of that name is not written over', async () => {
  const workspace = await room.workspaceOf('ada')
  await workspace.makeDir('outputs')
  await workspace.write('outputs/mine.csv', 'by hand')
  const outcome = await room.call('export', { query: 'q1', name: 'mine' })
  expect(outcome).toMatchObject({ error: { code: 'conflict' } })
  expect((await workspace.read('outputs/mine.csv')).bytes.toString()).toBe('by hand')
})

test("another's query cannot be exported", async () => {
  const asked = { query: query.query_id }
  const outcome = await room.call('export', asked, { principal: bo })
  expect(outcome).toMatchObject({ error: { code: 'not_found' } })
})

test('is allowed after rows were read, which anybody may have written', async () => {
  const run = { run_id: 'r1', untrusted: new Set<string>() }
  await room.call('run_sql', { source: 'Shop', sql: 'SELECT 1' }, { run })
  expect([...run.untrusted]).not.toEqual([])
  const asked = { query: 'q1', name: 'after rows' }
  expect((await room.call('export', asked, { run })).status).toBe('ok')
})

test('says where rows are left out', async () => {
  await using small = await openShopRoom({ queries: { keepRows: 10 } })
  await small.call('run_sql', { source: 'Shop', sql: 'SELECT id FROM sales' })
  const text = textOf(await small.call('export', { query: 'q1', name: 'some' }))
  expect(text).toMatch(/^Saved 10 rows of q1 .* These are the first 10; the result has more\.$/)
})

describe('a workspace that is full', () => {
  test.each(['csv', 'xlsx', 'parquet'])('refuses %s, and nothing is left', async (format) => {
    const ledger = {
      async reserve() {
        throw new AppError('quota_exceeded', 'Your files take all the room that you have.')
      },
      release: async () => {},
    }
    await using full = await openShopRoom({ ledger })
    await full.call('run_sql', { source: 'Shop', sql: 'SELECT * FROM sales' })
    const outcome = await full.call('export', { query: 'q1', format })
    expect(outcome).toMatchObject({ error: { code: 'quota_exceeded' } })
    expect(full.events.map((event) => event.event_type)).toEqual(['result_block'])
    const { entries } = await (await full.workspaceOf('ada')).list('outputs')
    expect(entries).toEqual([])
  })
})

test('rows that are no longer kept are said so', async () => {
  const { query_id } = structuredOf<QueryResult>(
    await room.call('run_sql', { source: 'Shop', sql: 'SELECT 5 AS n' }),
  )
  await room.results.remove({ tenant_id: 'default', query_id })
  const outcome = await room.call('export', { query: query_id })
  expect(textOf(outcome)).toBe('The rows of this query are not kept any more: run it again.')
})
