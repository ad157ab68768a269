import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { ChatResponse } from '@dataagent/schema'
import { createDatabase, findService } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { type Person, startTestPlatform, type TestPlatform } from '../testing/test-platform.ts'

const endless =
  'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n'
const doubling =
  "WITH RECURSIVE n(s) AS (SELECT 'x' UNION ALL SELECT s || s FROM n) SELECT max(length(s)) FROM n"

/** Queries that would take all time or memory there is. */
const bombs = {
  files: [
    ...[endless, doubling, "SELECT repeat('x', 1000000000)"],
    'SELECT count(*) FROM range(100000000) a, range(100000000) b WHERE a.range * b.range = 7',
    'SELECT list(range) FROM range(1000000000)',
    'SELECT hash(range) AS h, repeat(md5(range::VARCHAR), 40) FROM range(30000000) ORDER BY h',
  ],
  sqlite: [
    ...[endless, doubling, "SELECT printf('%.*c', 1000000000, 'x')"],
    'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT randomblob(1000) AS b FROM n ORDER BY b',
  ],
  mysql: [
    ...['SELECT sleep(1000)', "SELECT benchmark(1000000000000, md5('x'))"],
    "SELECT repeat('x', 10000000), repeat('y', 10000000)",
  ],
  postgres: [
    ...['SELECT pg_sleep(1000)', "SELECT repeat('x', 30000000) FROM generate_series(1, 100)"],
    'SELECT count(*) FROM generate_series(1, 1000000) a, generate_series(1, 1000000) b WHERE a * b = 7',
  ],
} as const

interface Asked {
  kind: keyof typeof bombs
  source: string
  as: Person
}

/** What they ask: own files, a file of the server's machine, and databases where there are any. */
async function openSources(server: TestPlatform, cleanup: AsyncDisposableStack): Promise<Asked[]> {
  const path = join(server.dir, 'bombs.sqlite')
  new DatabaseSync(path).close()
  const add = (as: Person, name: string, location: object) =>
    server.ask('POST', '/data/sources', { as, json: { name, location } })
  await add('operator', 'lite', { kind: 'sqlite', path })
  const asked: Asked[] = [
    { kind: 'files', source: 'workspace', as: 'bob' },
    { kind: 'sqlite', source: 'lite', as: 'operator' },
  ]
  for (const kind of ['mysql', 'postgres'] as const) {
    if (!(await findService(kind))) continue
    const { url } = cleanup.use(await createDatabase(kind))
    await add('boss', kind, { kind, url })
    asked.push({ kind, source: kind, as: 'bob' })
  }
  return asked
}

test('queries that are bombs end at their limits, and hold up nobody else [T47]', {
  timeout: 300_000,
}, async () => {
  await using cleanup = new AsyncDisposableStack()
  const server = cleanup.use(await startTestPlatform({ config: { data_query_seconds: 2 } }))
  const sources = await openSources(server, cleanup)
  const told: unknown[] = []
  let areOver = false
  const asking = sources.map(async ({ kind, source, as }) => {
    for (const sql of bombs[kind]) {
      const { status, body } = await server.ask('POST', '/data/queries', {
        ...{ as, json: { source, sql } },
      })
      told.push({ sql, status, error_code: body.error_code })
    }
  })
  const all = Promise.all(asking).finally(() => (areOver = true))

  const tookMs: number[] = []
  const timed = async <T>(work: Promise<T>): Promise<T> => {
    const begun = performance.now()
    const given = await work
    tookMs.push(performance.now() - begun)
    return given
  }
  while (!areOver) {
    expect((await timed(server.ask('GET', '/ready', { as: null }))).status).toBe(200)
    const { body } = await timed(
      server.ask<ChatResponse>('POST', '/chat', { as: 'zoe', json: { message: 'Hello' } }),
    )
    expect(body.events.at(-1)).toMatchObject({ event_type: 'done', cancelled: false })
  }
  await all
  expect(tookMs.length).toBeGreaterThan(2)
  expect(Math.max(...tookMs)).toBeLessThan(10_000)

  const isEnded = (one: unknown) =>
    ['timeout', 'too_large', 'invalid_request'].includes((one as { error_code: string }).error_code)
  expect(told.filter((one) => !isEnded(one))).toEqual([])
  for (const { source, as } of sources) {
    const json = { source, sql: 'SELECT 1 AS n' }
    const { status, body } = await server.ask('POST', '/data/queries', { as, json })
    expect({ source, status, body }).toMatchObject({ status: 201, body: { rows: [[1]] } })
  }
})
