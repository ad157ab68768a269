import { isAppError } from '@dataagent/schema'
import { describe, expect, test } from 'vitest'
import type { RunningQuery } from './contract.ts'
import { createTestSource, findKinds, openTestEngine, readAll } from './test-sources.ts'

const kinds = await findKinds()

/** A query that never ends by itself, and has rows from the start where `rows`. */
const endless = {
  duckdb: {
    silent: 'SELECT count(*) FROM range(10000000) a, range(10000000) b',
    rows: 'FROM range(1000000000000)',
  },
  sqlite: {
    silent:
      'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n',
    rows: 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n',
  },
  mysql: {
    silent:
      'SELECT count(*) FROM information_schema.columns a, information_schema.columns b, information_schema.columns c',
    rows: "SELECT a.ordinal_position, repeat('x', 1000) FROM information_schema.columns a, information_schema.columns b, information_schema.columns c",
  },
  postgres: {
    silent: 'SELECT count(*) FROM generate_series(1, 100000) a, generate_series(1, 10000000) b',
    rows: 'SELECT generate_series(1, 1000000000) AS i',
  },
} as const

describe.each(kinds)('an engine of %s', (kind) => {
  test('gives columns and rows', async () => {
    await using source = await createTestSource(kind)
    await using engine = openTestEngine(source)
    const query = await engine.query('SELECT id, name FROM sales ORDER BY id', {
      timeoutMs: 20_000,
    })
    expect(query.columns).toMatchObject([
      { name: 'id', kind: 'integer' },
      { name: 'name', kind: 'text' },
    ])
    expect(await Array.fromAsync(query.batches)).toEqual([
      [
        [1, 'a'],
        [2, 'b'],
        [3, 'ü'],
      ],
    ])
    expect(engine.kind).toBe(kind)
  })

  test('a result without rows still has its columns', async () => {
    await using source = await createTestSource(kind)
    await using engine = openTestEngine(source)
    const query = await engine.query('SELECT id FROM sales WHERE id > 9', { timeoutMs: 20_000 })
    expect(query.columns.map(({ name }) => name)).toEqual(['id'])
    expect(await Array.fromAsync(query.batches)).toEqual([])
  })

  test('describes tables and views with their columns, all or some', async () => {
    await using source = await createTestSource(kind)
    await using engine = openTestEngine(source)
    const tables = await engine.describe({})
    expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(['sales', 'big_sales']))
    const sales = tables.find(({ name }) => name === 'sales')
    expect(sales?.columns.map(({ name }) => name)).toEqual(['id', 'name', 'amount'])
    expect(await engine.describe({ tables: ['Sales'] })).toEqual([sales])
  })

  test('tells its version, and whether the role may write', async () => {
    await using source = await createTestSource(kind)
    await using engine = openTestEngine(source)
    const { read_only, version } = await engine.check({})
    expect(read_only).toBe(!['mysql', 'postgres'].includes(kind))
    expect(version).toMatch(/^(?:DuckDB|SQLite|PostgreSQL|MySQL|\d).*\d/)
  })

  test('what cannot be run is told as such, and the next query runs', async () => {
    await using source = await createTestSource(kind)
    await using engine = openTestEngine(source, { most: 1 })
    const broken = [
      'SELECT * FROM nowhere',
      'SELECT nothing FROM sales',
      'SELECT FROM FROM',
      '',
      "SELECT 'a",
    ]
    for (const sql of broken) {
      const told = await readAll(engine, sql).catch((error) => error)
      expect(isAppError(told, 'invalid_request') || isAppError(told, 'not_found')).toBe(true)
      expect(told.message).not.toContain(source.folder)
    }
    expect(await readAll(engine, 'SELECT count(*) FROM sales')).toEqual([[3]])
  })

  test('a query that takes too long is stopped, and the next one runs', async () => {
    await using source = await createTestSource(kind)
    await using engine = openTestEngine(source, { most: 1 })
    await readAll(engine, 'SELECT 1')
    const began = performance.now()
    const stopped = readAll(engine, endless[source.dialect].silent, { timeoutMs: 1_000 })
    await expect(stopped).rejects.toMatchObject({ code: 'timeout' })
    expect(performance.now() - began).toBeLessThan(4_000)
    expect(await readAll(engine, 'SELECT count(*) FROM sales')).toEqual([[3]])
  })

  test('an abort ends a query within a second, before its first row and among them', async () => {
    await using source = await createTestSource(kind)
    await using engine = openTestEngine(source, { most: 2 })
    await readAll(engine, 'SELECT 1')
    for (const sql of Object.values(endless[source.dialect])) {
      const abort = new AbortController()
      const reading = readNothing(
        engine.query(sql, { timeoutMs: 60_000, signal: abort.signal }),
        () => abort.abort(),
      )
      reading.catch(() => {})
      if (sql === endless[source.dialect].silent) setImmediate(() => abort.abort())
      await new Promise((resolve) => abort.signal.addEventListener('abort', resolve))
      const began = performance.now()
      await expect(reading).rejects.toMatchObject({ code: 'cancelled' })
      expect(performance.now() - began).toBeLessThan(1_000)
    }
  })

  test('leaving the loop ends the query, and frees its place', async () => {
    await using source = await createTestSource(kind)
    await using engine = openTestEngine(source, { most: 1 })
    const query = await engine.query(endless[source.dialect].rows, { timeoutMs: 60_000 })
    let rows = 0
    for await (const batch of query.batches) {
      rows += batch.length
      if (rows > 5_000) break
    }
    expect(await readAll(engine, 'SELECT count(*) FROM sales')).toEqual([[3]])
  })

  test('batches are of a bounded size', async () => {
    await using source = await createTestSource(kind)
    await using engine = openTestEngine(source, { most: 1 })
    const query = await engine.query(endless[source.dialect].rows, { timeoutMs: 60_000 })
    let batches = 0
    for await (const batch of query.batches) {
      expect(batch.length).toBeLessThanOrEqual(2_100)
      expect(JSON.stringify(batch).length).toBeLessThan(3 * 1024 * 1024)
      batches += 1
      if (batches === 10) break
    }
    expect(batches).toBe(10)
  })

  test('several run at once, the others wait their turn', async () => {
    await using source = await createTestSource(kind)
    await using engine = openTestEngine(source, { most: 2 })
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) => readAll(engine, `SELECT ${at} FROM sales WHERE id = 1`)),
    )
    expect(answers).toEqual(Array.from({ length: 8 }, (_, at) => [[at]]))
  })

  test('one that is waited for too long is told so', async () => {
    await using source = await createTestSource(kind)
    await using engine = openTestEngine(source, { most: 1 })
    const held = await engine.query(endless[source.dialect].rows, { timeoutMs: 60_000 })
    const waiting = readAll(engine, 'SELECT 1', { timeoutMs: 300 })
    await expect(waiting).rejects.toMatchObject({ code: 'timeout' })
    for await (const _ of held.batches) break
    expect(await readAll(engine, 'SELECT count(*) FROM sales')).toEqual([[3]])
  })

  test('rows that nobody reads are given up at the time limit', async () => {
    await using source = await createTestSource(kind)
    await using engine = openTestEngine(source, { most: 1 })
    await readAll(engine, 'SELECT 1')
    const unread = await engine.query(endless[source.dialect].rows, { timeoutMs: 1_500 })
    expect(await readAll(engine, 'SELECT count(*) FROM sales')).toEqual([[3]])
    await expect(Array.fromAsync(unread.batches)).rejects.toMatchObject({ code: 'timeout' })
  })

  test('a closed engine answers nobody', async () => {
    await using source = await createTestSource(kind)
    const engine = openTestEngine(source)
    const query = await engine.query(endless[source.dialect].rows, { timeoutMs: 60_000 })
    await engine[Symbol.asyncDispose]()
    await expect(Array.fromAsync(query.batches)).rejects.toMatchObject({ code: 'unavailable' })
    await expect(readAll(engine, 'SELECT 1')).rejects.toMatchObject({ code: 'unavailable' })
  })

  test('EXPLAIN tells of a query without running it', async () => {
    await using source = await createTestSource(kind)
    await using engine = openTestEngine(source)
    const rows = await readAll(engine, `EXPLAIN ${endless[source.dialect].silent}`, {
      timeoutMs: 5_000,
    })
    expect(rows.length).toBeGreaterThan(0)
  })
})

async function readNothing(asked: Promise<RunningQuery>, onBatch: () => void): Promise<void> {
  for await (const _ of (await asked).batches) onBatch()
}
