import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isAppError } from '@dataagent/schema'
import { describe, expect, test } from 'vitest'
import type { Engine } from './contract.ts'
import { createTestSource, findKinds, openTestEngine, readAll } from './test-sources.ts'

const kinds = await findKinds()

const letters = 'SELECT 1 AS i UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4'

/** Queries that would take all time or memory there is. */
const bombs = {
  duckdb: [
    'SELECT count(*) FROM range(100000000) a, range(100000000) b WHERE a.range * b.range = 7',
    'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n',
    "WITH RECURSIVE n(s) AS (SELECT 'x' UNION ALL SELECT s || s FROM n) SELECT max(length(s)) FROM n",
    "SELECT repeat('x', 1000000000)",
    "SELECT repeat('x', 1000000000) || range FROM range(100)",
    "SELECT string_agg(repeat('x', 1000000), '') FROM range(100000)",
    'SELECT list(range) FROM range(1000000000)',
    'SELECT hash(range) AS h, repeat(md5(range::VARCHAR), 40) AS t FROM range(30000000) ORDER BY h DESC',
    'SELECT count(DISTINCT md5(range::VARCHAR)) FROM range(2000000000)',
    "SELECT regexp_matches(repeat('a', 100000), '(a*)*b') FROM range(1000000000)",
  ],
  sqlite: [
    `SELECT count(*) FROM (${letters}) a, (${letters}) b ${Array.from({ length: 20 }, (_, at) => `, (${letters}) c${at}`).join(' ')}`,
    'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n',
    "WITH RECURSIVE n(s) AS (SELECT 'x' UNION ALL SELECT s || s FROM n) SELECT max(length(s)) FROM n",
    "SELECT printf('%.*c', 1000000000, 'x')",
    'SELECT hex(zeroblob(900000000))',
    'SELECT randomblob(999999999)',
    'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT group_concat(hex(randomblob(100000))) FROM n',
    'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT randomblob(1000) AS b FROM n ORDER BY b',
  ],
  mysql: [
    'SELECT count(*) FROM information_schema.columns a, information_schema.columns b, information_schema.columns c WHERE a.column_name < b.column_name',
    'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n, n m, n o',
    "SELECT repeat('x', 10000000), repeat('y', 10000000)",
    'SELECT sleep(1000)',
    "SELECT benchmark(1000000000000, md5('x'))",
  ],
  postgres: [
    'SELECT count(*) FROM generate_series(1, 1000000) a, generate_series(1, 1000000) b WHERE a * b = 7',
    'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n',
    "SELECT repeat('x', 1000000000)",
    "SELECT repeat('x', 30000000) FROM generate_series(1, 100)",
    'SELECT pg_sleep(1000)',
  ],
} as const

describe.each(kinds)('%s', (kind) => {
  test('a bomb ends at its limits, the asking process stays at work, the next query runs', {
    timeout: 300_000,
  }, async () => {
    await using source = await createTestSource(kind)
    await using engine = openTestEngine(source, {
      most: 1,
      limits: {
        memoryBytes: 128 * 1024 * 1024,
        spillBytes: 64 * 1024 * 1024,
        valueBytes: 1024 * 1024,
      },
    })
    await readAll(engine, 'SELECT 1')
    const delay = monitorEventLoopDelay({ resolution: 10 })
    const before = process.memoryUsage.rss()
    const wrong: string[] = []
    delay.enable()
    for (const sql of bombs[source.dialect]) {
      const began = performance.now()
      const told = await drain(engine, sql).catch((error) => error)
      const tookMs = performance.now() - began
      const isEnded = (['timeout', 'too_large', 'invalid_request'] as const).some((code) =>
        isAppError(told, code),
      )
      if (!isEnded || tookMs > 4_000) wrong.push(`${tookMs} ms: ${told} ${sql}`)
      const next = await readAll(engine, 'SELECT count(*) FROM sales').catch(String)
      if (JSON.stringify(next) !== '[[3]]') wrong.push(`after ${sql}: ${next}`)
    }
    delay.disable()
    expect(wrong).toEqual([])
    expect(delay.percentile(99) / 1e6).toBeLessThan(100)
    expect(delay.max / 1e6).toBeLessThan(1_000)
    expect(process.memoryUsage.rss() - before).toBeLessThan(256 * 1024 * 1024)
  })
})

async function drain(engine: Engine, sql: string): Promise<void> {
  const { batches } = await engine.query(sql, { timeoutMs: 2_000 })
  for await (const _ of batches);
}
