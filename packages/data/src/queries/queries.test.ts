import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError, type QueryResult } from '@dataagent/schema'
import { createFakeClock } from '@dataagent/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openKeptResults } from '../results/index.ts'
import {
  ada,
  administrator,
  bo,
  openTestDataRoom,
  stranger,
  type TestDataRoom,
  tenantAdministrator,
} from '../test-data-room.ts'
import { createShop } from '../test-shop.ts'
import type { AskContext } from './contract.ts'
import { createQueries } from './queries.ts'

const cleanup = new AsyncDisposableStack()
const clock = createFakeClock()
const day = 86_400_000
let room: TestDataRoom
const { signal } = new AbortController()
const inSession = (session_id: string, principal = ada): AskContext => ({
  ...{ principal, session_id, signal },
})
const run = (context: AskContext, sql = 'SELECT id FROM sales'): Promise<QueryResult> =>
  room.queries.run(context, { source: 'shop', sql })

/** The sources of the room; in `asked` is who asked their engines, in that order. */
const telling = (asked: (string | null)[]): Pick<typeof room.sources, 'open'> => ({
  async open(principal, source) {
    const { engine, ...opened } = await room.sources.open(principal, source)
    const query: typeof engine.query = (sql, options) => {
      asked.push(principal.user_id)
      return engine.query(sql, options)
    }
    return { ...opened, engine: { ...engine, query } }
  },
})

const failsLate = `WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE n < 20000)
  SELECT n, CASE WHEN n > 19000 THEN json_extract('late', '$') END AS v FROM r`

beforeAll(async () => {
  room = cleanup.use(await openTestDataRoom({ queries: { clock, keepRows: 50 } }))
  const { source: location } = cleanup.use(await createShop('files'))
  await room.sources.create(administrator, { name: 'Shop', description: '', location })
  const lite = cleanup.use(await createShop('sqlite'))
  await room.sources.create(administrator, {
    ...{ name: 'Lite', description: '', location: lite.source },
  })
})
afterAll(() => cleanup.disposeAsync())

test('one person has two under way, and keeps nobody else waiting', async () => {
  const asked: (string | null)[] = []
  const queries = createQueries({ ...room, clock, sources: telling(asked) })
  const ending = new AbortController()
  const endless = 'SELECT count(*) FROM range(1000000000000) a WHERE a.range % 7 = 1'
  const [first, second] = [1, 2].map(() => {
    const context = { ...inSession('long'), signal: ending.signal }
    return queries.run(context, { source: 'shop', sql: endless }).catch((error) => error.code)
  })
  const brief = { source: 'shop', sql: 'SELECT id FROM sales' }
  const third = queries.run(inSession('long'), brief)
  await queries.run(inSession('bo', bo), brief)
  expect(asked.slice(0, 3)).toEqual(['ada', 'ada', 'bo'])
  ending.abort()
  expect([await first, await second]).toEqual(['cancelled', 'cancelled'])
  expect((await third).kept_rows).toBeGreaterThan(0)
})

describe('a query that was run', () => {
  test('is found by its number in its session, and by its id', async () => {
    const made = await run(inSession('a1'))
    expect(await room.queries.get(inSession('a1'), made.ref)).toEqual(made)
    expect(await room.queries.get(inSession('a1'), made.query_id)).toEqual(made)
  })

  test('is found by its id without a session, as an interface asks', async () => {
    const made = await run(inSession('a2'))
    expect(await room.queries.get({ principal: ada, signal }, made.query_id)).toEqual(made)
  })

  test.each([
    ['another session', inSession('other')],
    ['another user', inSession('a3', bo)],
    ['another user without a session', { principal: bo, signal }],
    ['another tenant, whose user has the same name', inSession('a3', stranger)],
    ['an agent of an administrator', inSession('a3', { ...administrator, agent_id: 'x' })],
  ])('is not there for %s', async (_, context) => {
    const { query_id } = await run(inSession('a3'))
    const page = { offset: 0, limit: 1 }
    await expect(room.queries.get(context, query_id)).rejects.toMatchObject({ code: 'not_found' })
    await expect(room.queries.rows(context, query_id, page)).rejects.toMatchObject({
      code: 'not_found',
    })
    await expect(Array.fromAsync(room.queries.stream(context, query_id))).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  test('is there for an administrator of the tenant', async () => {
    const made = await run(inSession('a4'))
    const { query_id } = made
    expect(await room.queries.get({ principal: administrator, signal }, query_id)).toEqual(made)
    expect(await room.queries.list(inSession('a4', administrator))).toEqual([made])
  })

  test('gives its kept rows by pages and as a stream', async () => {
    const { query_id, row_count, kept_rows } = await run(inSession('a5'))
    expect([row_count, kept_rows]).toEqual([120, 50])
    const context = inSession('a5')
    const all = (await Array.fromAsync(room.queries.stream(context, query_id))).flat()
    expect(all).toHaveLength(50)
    const page = await room.queries.rows(context, query_id, { offset: 48, limit: 10 })
    expect(page).toEqual(all.slice(48))
  })

  test('without a session belongs to the user', async () => {
    const mine = await run({ principal: ada, signal })
    const theirs = await run({ principal: bo, signal })
    expect([mine.ref, theirs.ref]).toEqual(['q1', 'q1'])
    expect(await room.queries.list({ principal: ada })).toEqual([mine])
  })

  test('that failed takes a number, and is left out of the list', async () => {
    await expect(run(inSession('a6'), 'SELECT nothing')).rejects.toThrow('nothing')
    const made = await run(inSession('a6'))
    expect(made.ref).toBe('q2')
    expect(await room.queries.list(inSession('a6'))).toEqual([made])
    await expect(room.queries.get(inSession('a6'), 'q1')).rejects.toThrow(/^q1 failed: /)
  })
})

describe('how a query would be run', () => {
  const sql = 'SELECT region, count(*) FROM sales GROUP BY region'
  const slow = 'SELECT count(*) FROM range(1000000000000) a WHERE a.range % 7 = 1'

  test('is told by its source, and is no query of its own', async () => {
    const { query_id } = await run(inSession('e1'), sql)
    const { columns, rows } = await room.queries.explain(inSession('e1'), query_id)
    expect(columns.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).toMatch(/GROUP_BY/)
    expect(await room.queries.list(inSession('e1'))).toHaveLength(1)
  })

  test('takes one of the places of whoever asks', async () => {
    const queries = createQueries({ ...room, clock, perUser: 1 })
    const { query_id } = await run(inSession('e2'), sql)
    const ending = new AbortController()
    const under = { ...inSession('e2'), signal: ending.signal }
    const long = queries.run(under, { source: 'shop', sql: slow }).catch(({ code }) => code)
    const given = queries.explain(inSession('e2'), query_id)
    const isFirst = await Promise.race([
      given.then(() => 'the plan'),
      queries.run(inSession('e2', bo), { source: 'shop', sql: 'SELECT 1' }).then(() => 'bo'),
    ])
    ending.abort()
    expect([isFirst, await long]).toEqual(['bo', 'cancelled'])
    expect((await given).rows).not.toEqual([])
  })

  test('may take no longer than a query', async () => {
    const { query_id } = await run(inSession('e3'), sql)
    const given: number[] = []
    const sources: Pick<typeof room.sources, 'open'> = {
      async open(principal, source) {
        const { engine, ...opened } = await room.sources.open(principal, source)
        const query: typeof engine.query = (asked, options) => {
          given.push(options.timeoutMs)
          return engine.query(asked, options)
        }
        return { ...opened, engine: { ...engine, query } }
      },
    }
    const queries = createQueries({ ...room, clock, sources, timeoutMs: 12_345 })
    await queries.explain(inSession('e3'), query_id)
    expect(given).toEqual([12_345])
  })
})

describe("a query of a person's own files", () => {
  const notFound = { code: 'not_found' }

  test.each([
    ['the tenant', tenantAdministrator],
    ['the platform', administrator],
  ])('is not there for an administrator of %s, in no way', async (_, principal) => {
    await using files = await createShop('files')
    const folder = files.source.kind === 'files' ? files.source.folder : ''
    await using own = await openTestDataRoom({ sources: { folderOf: async () => folder } })
    const { queries } = own
    const asked = { source: 'workspace', sql: 'SELECT id FROM sales' }
    const made = await queries.run(inSession('own'), asked)
    const { query_id } = made
    const context = { principal, signal }
    const page = { offset: 0, limit: 1 }
    await expect(queries.get(context, query_id)).rejects.toMatchObject(notFound)
    await expect(queries.get(inSession('own', principal), 'q1')).rejects.toMatchObject(notFound)
    await expect(queries.rows(context, query_id, page)).rejects.toMatchObject(notFound)
    await expect(queries.explain(context, query_id)).rejects.toMatchObject(notFound)
    const streamed = Array.fromAsync(queries.stream(context, query_id))
    await expect(streamed).rejects.toMatchObject(notFound)
    expect(await queries.list(inSession('own', principal))).toEqual([])
    expect(await queries.list(inSession('own'))).toEqual([made])
    expect((await queries.explain(inSession('own'), query_id)).rows).not.toEqual([])
  })
})

test('only for a person', async () => {
  const machine = { ...ada, user_id: null }
  await expect(run(inSession('m', machine))).rejects.toMatchObject({ code: 'forbidden' })
})

test('a query that takes longer than it may is ended, and says so', async () => {
  const queries = createQueries({ ...room, clock, timeoutMs: 300 })
  const sql = 'SELECT count(*) FROM range(100000000000) a, range(1000) b WHERE a.range <> b.range'
  const asked = queries.run(inSession('slow'), { source: 'shop', sql, timeoutMs: 99_000 })
  await expect(asked).rejects.toMatchObject({ code: 'timeout' })
})

describe('rows that are very wide', () => {
  const mebibyte = 1024 * 1024

  test('are kept as far as there is room, and no more of them are held', async () => {
    await using results = await openKeptResults({
      ...{ root: join(room.dir, 'narrow'), maxBytes: mebibyte },
    })
    const queries = createQueries({ ...room, clock, results, keepRows: 100_000 })
    const sql = "SELECT repeat('x', 500000) AS t FROM range(120)"
    const given = await queries.run(inSession('wide'), { source: 'shop', sql })
    expect(given).toMatchObject({ kept_rows: 2, row_count: 120 })
    expect(await queries.rows(inSession('wide'), given.query_id, { offset: 1, limit: 9 })).toEqual([
      ['x'.repeat(500_000)],
    ])
  })

  test('of as much as a value may be do not fill the memory', async () => {
    const queries = createQueries({ ...room, clock, keepRows: 100_000 })
    const sql = `WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE n < 600)
      SELECT printf('%.*c', 4000000, 'x') AS t FROM r`
    let most = 0
    const before = process.memoryUsage().rss
    const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 20)
    const given = await queries.run(inSession('wider'), { source: 'lite', sql })
    clearInterval(watch)
    expect(given).toMatchObject({ kept_rows: 16, row_count: 600 })
    expect(most - before).toBeLessThan(512 * mebibyte)
  })
})

test('a count that takes longer than it may leaves the rows as they are', async () => {
  const queries = createQueries({ ...room, clock, timeoutMs: 4_000, keepRows: 1 })
  const sql = 'SELECT a.range FROM range(100000000) a, range(100000) b'
  const given = await queries.run(inSession('long'), {
    ...{ source: 'shop', sql: `SELECT * FROM (${sql}) x UNION ALL SELECT 1` },
  })
  expect(given).toMatchObject({ kept_rows: 1, rows: [[expect.anything()]] })
  expect([null, 10_000_000_000_001]).toContain(given.row_count)
})

describe('rows that no query tells of are not left', () => {
  const filesOf = async () => (await readdir(join(room.dir, 'results/default'))).toSorted()

  test('where the query fails after its first rows', async () => {
    const before = await filesOf()
    const queries = createQueries({ ...room, clock })
    const asked = queries.run(inSession('late'), { source: 'lite', sql: failsLate })
    await expect(asked).rejects.toThrow(/JSON/)
    expect(await filesOf()).toEqual(before)
  })

  test('where it cannot be recorded; and why it failed is still told', async () => {
    const before = await filesOf()
    const add = () => Promise.reject(new AppError('store_unavailable', 'The database is away.'))
    const store = { queries: { ...room.store.queries, add } }
    const queries = createQueries({ ...room, clock, store })
    const asked = queries.run(inSession('away'), { source: 'shop', sql: 'SELECT 1' })
    await expect(asked).rejects.toThrow('The database is away.')
    expect(await filesOf()).toEqual(before)
  })
})

describe('queries of a session that was copied', () => {
  const asAda = { principal: ada, signal }

  test('have their numbers and rows there, whatever becomes of the first', async () => {
    const made = await run(inSession('first'))
    await expect(run(inSession('first'), 'SELECT nothing')).rejects.toThrow('nothing')
    const sessions = { from: 'first', to: 'second' }
    const ids = await room.queries.copySession(asAda, sessions)
    await room.store.queries.deleteScopes(['first'])
    await room.queries.sweep()
    const copy = await room.queries.get(inSession('second'), 'q1')
    expect(copy).toEqual({ ...made, query_id: ids.get(made.query_id) })
    const page = { offset: 49, limit: 5 }
    expect(await room.queries.rows(inSession('second'), copy.query_id, page)).toHaveLength(1)
    expect((await run(inSession('second'))).ref).toBe('q3')
  })

  test('are copied without rows that are kept no more', async () => {
    const { query_id } = await run(inSession('old rows'))
    await room.results.remove({ tenant_id: 'default', query_id })
    await room.queries.copySession(asAda, { from: 'old rows', to: 'no rows' })
    const copy = await room.queries.get(inSession('no rows'), 'q1')
    const rows = room.queries.rows(inSession('no rows'), copy.query_id, { offset: 0, limit: 1 })
    await expect(rows).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('rows of a session that is copied', () => {
  const asAda = { principal: ada, signal }
  const page = { offset: 0, limit: 1 }
  const ofBytes = (count: number) => `SELECT repeat('x', ${count}) AS t`

  test('are those of its newest queries, as far as they fit; of others they are gone', async () => {
    const queries = createQueries({ ...room, clock, copyBytes: 1_000 })
    for (const sql of [ofBytes(400), ofBytes(300), ofBytes(2_000), ofBytes(500)]) {
      await run(inSession('much'), sql)
    }
    await queries.copySession(asAda, { from: 'much', to: 'less' })
    const found = await queries.list(inSession('less'))
    expect(found.map(({ ref }) => ref)).toEqual(['q1', 'q2', 'q3', 'q4'])
    expect(found[0]).toMatchObject({ sql: ofBytes(400), kept_rows: 1 })
    for (const ref of ['q1', 'q3']) {
      const gone = queries.rows(inSession('less'), ref, page)
      await expect(gone).rejects.toThrow(/not kept any more: run it again/)
    }
    for (const ref of ['q2', 'q4']) {
      expect(await queries.rows(inSession('less'), ref, page)).toHaveLength(1)
    }
  })

  test('take a place of the person while they are copied', async () => {
    await run(inSession('held'))
    const asked: (string | null)[] = []
    const begun = Promise.withResolvers<void>()
    const going = Promise.withResolvers<void>()
    const copy: typeof room.results.copy = async (...given) => {
      begun.resolve()
      await going.promise
      return room.results.copy(...given)
    }
    const results = { ...room.results, copy }
    const options = { ...room, clock, results, sources: telling(asked), perUser: 1 }
    const queries = createQueries(options)
    const copied = queries.copySession(asAda, { from: 'held', to: 'holding' })
    await begun.promise
    const brief = { source: 'shop', sql: 'SELECT 1' }
    const mine = queries.run(inSession('held'), brief)
    await queries.run(inSession('held', bo), brief)
    expect(asked).toEqual(['bo'])
    going.resolve()
    await Promise.all([copied, mine])
    expect(asked).toEqual(['bo', 'ada'])
  })

  test('are copied no further once nobody waits', async () => {
    for (const sql of ['SELECT 1', 'SELECT 2']) await run(inSession('left'), sql)
    const before = await readdir(join(room.dir, 'results/default'))
    const leaving = new AbortController()
    const copy: typeof room.results.copy = (...given) => {
      leaving.abort()
      return room.results.copy(...given)
    }
    const queries = createQueries({ ...room, clock, results: { ...room.results, copy } })
    const context = { principal: ada, signal: leaving.signal }
    const copied = queries.copySession(context, { from: 'left', to: 'alone' })
    await expect(copied).rejects.toMatchObject({ code: 'cancelled' })
    expect(await readdir(join(room.dir, 'results/default'))).toEqual(before)
  })
})

describe('a sweep', () => {
  test('removes what sessions left that are gone', async () => {
    const gone = await run(inSession('gone'))
    const kept = await run(inSession('kept'))
    await room.store.queries.deleteScopes(['gone'])
    expect(await room.queries.sweep()).toEqual({ removed: 1 })
    const files = await readdir(join(room.dir, 'results/default'))
    expect(files.filter((name) => name.startsWith(gone.query_id))).toEqual([])
    expect(files).toContain(`${kept.query_id}.rows`)
  })

  test('removes what is older than queries are kept, however many', async () => {
    const [old] = await Promise.all([run(inSession('old')), run(inSession('old'))])
    const {
      tenant_id,
      number: _,
      ...row
    } = (await room.store.queries.get('default', old.query_id))!
    for (let i = 0; i < 1_100; i += 1) {
      await room.store.queries.add({ ...row, tenant_id, query_id: `old-${i}`, as_of: 1 })
    }
    clock.advance(31 * day)
    const fresh = await run(inSession('fresh'))
    const { removed } = await room.queries.sweep()
    expect(removed).toBeGreaterThanOrEqual(1_102)
    const context = { principal: ada, signal }
    await expect(room.queries.get(context, old.query_id)).rejects.toMatchObject({
      code: 'not_found',
    })
    expect(await room.queries.get(context, fresh.query_id)).toEqual(fresh)
    expect(await readdir(join(room.dir, 'results/default'))).toHaveLength(2)
    expect(await room.queries.sweep()).toEqual({ removed: 0 })
  })
})
