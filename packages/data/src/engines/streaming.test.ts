import { readFile } from 'node:fs/promises'
import { longCount } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { familyOf } from './test-processes.ts'
import { createTestSource, findKinds, openTestEngine, readAll } from './test-sources.ts'

const kinds = await findKinds()
const count = longCount(300_000, 10_000_000)
const mebibyte = 1024 * 1024

const numbers = {
  duckdb: `SELECT range AS i, 'row ' || range AS t FROM range(${count})`,
  sqlite: `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n LIMIT ${count}) SELECT i, 'row ' || i AS t FROM n`,
  mysql: `SELECT seq AS i, concat('row ', seq) AS t FROM seq_0_to_${count - 1}`,
  postgres: `SELECT i, 'row ' || i AS t FROM (SELECT generate_series(0, ${count - 1}) AS i) n`,
} as const

describe.each(kinds)('%s', (kind) => {
  test(`${count} rows stream in flat memory on both sides`, { timeout: 600_000 }, async () => {
    await using source = await createTestSource(kind)
    await using engine = openTestEngine(source, { most: 1 })
    await readAll(engine, 'SELECT 1')
    const began = performance.now()
    const query = await engine.query(numbers[source.dialect], { timeoutMs: 600_000 })
    let rows = 0
    let sum = 0
    let most = 0
    let atFirst = 0
    let batches = 0
    for await (const batch of query.batches) {
      rows += batch.length
      for (const [i] of batch) sum += Number(i)
      batches += 1
      if (batches % 50 !== 0) continue
      const used = await memoryOf()
      atFirst ||= used
      most = Math.max(most, used)
    }
    const seconds = (performance.now() - began) / 1_000
    const grown = (most - atFirst) / mebibyte
    console.info(
      `${kind}: ${rows} rows in ${seconds.toFixed(1)} s, memory grew by ${grown.toFixed(0)} MiB`,
    )
    expect([rows, sum]).toEqual([count, (count * (count - 1)) / 2])
    expect(grown).toBeLessThan(192)
  })
})

describe.each(kinds)('%s with a slow reader', (kind) => {
  test('what is not read is not fetched, however long', { timeout: 120_000 }, async () => {
    await using source = await createTestSource(kind)
    await using engine = openTestEngine(source, { most: 2 })
    await Promise.all([readAll(engine, 'SELECT 1'), readAll(engine, 'SELECT 2')])
    const before = await memoryOf()
    const many = numbers[source.dialect].replaceAll(String(count), '100000000')
    const query = await engine.query(many, { timeoutMs: 100_000 })
    const slow = query.batches[Symbol.asyncIterator]()
    for (let read = 0; read < 3; read += 1) await slow.next()
    const other = await engine.query(numbers[source.dialect], { timeoutMs: 100_000 })
    for await (const _ of other.batches);
    expect((await memoryOf()) - before).toBeLessThan(192 * mebibyte)
    await slow.return?.()
  })
})

const wideRows = 40
const wide = {
  mysql: `SELECT repeat('x', 15000000) AS t FROM seq_1_to_${wideRows}`,
  postgres: `SELECT repeat('x', 15000000) AS t FROM generate_series(1, ${wideRows})`,
} as const
const servers = (['mysql', 'postgres'] as const).filter((kind) => kinds.includes(kind))

describe.each(servers)('%s with very wide rows', (kind) => {
  test('few of them are held at a time', { timeout: 120_000 }, async () => {
    await using source = await createTestSource(kind)
    await using engine = openTestEngine(source, { most: 1 })
    await readAll(engine, 'SELECT 1')
    const before = process.memoryUsage().rss
    const query = await engine.query(wide[kind], { timeoutMs: 100_000 })
    let rows = 0
    let most = 0
    for await (const batch of query.batches) {
      rows += batch.length
      expect(batch.length).toBeLessThanOrEqual(2)
      most = Math.max(most, process.memoryUsage().rss - before)
    }
    expect(rows).toBe(wideRows)
    expect(most).toBeLessThan(400 * mebibyte)
    expect(await readAll(engine, 'SELECT count(*) FROM sales')).toEqual([[3]])
  })
})

/** Of this process and those it has started. */
async function memoryOf(): Promise<number> {
  const pids = [process.pid, ...(await familyOf(process.pid))]
  const sizes = await Promise.all(pids.map(residentBytes))
  return sizes.reduce((sum, size) => sum + size, 0)
}

async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024
}
