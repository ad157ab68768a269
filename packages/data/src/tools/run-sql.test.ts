import type { ToolOutcome } from '@dataagent/hub'
import { parseEvent, type QueryResult } from '@dataagent/schema'
import { waitFor } from '@dataagent/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  ada,
  administrator,
  openTestDataRoom,
  structuredOf,
  type TestDataRoom,
  textOf,
} from '../test-data-room.ts'
import { createShop, findShopKinds, sales, salesCount } from '../test-shop.ts'

describe.each(await findShopKinds())('run_sql on %s', (kind) => {
  const cleanup = new AsyncDisposableStack()
  let room: TestDataRoom
  let source_id = ''

  beforeAll(async () => {
    room = cleanup.use(await openTestDataRoom({ queries: { keepRows: 100 } }))
    const { source: location } = cleanup.use(await createShop(kind))
    const made = await room.sources.create(administrator, {
      ...{ name: 'Shop', description: 'What was sold', location },
    })
    source_id = made.source_id
  })
  afterAll(() => cleanup.disposeAsync())

  const run = (sql: string, more: Record<string, unknown> = {}): Promise<ToolOutcome> =>
    room.call('run_sql', { source: 'shop', sql, ...more })
  const resultOf = async (sql: string, more?: Record<string, unknown>) =>
    structuredOf<QueryResult>(await run(sql, more))

  test('gives typed columns, and numbers with all their digits', async () => {
    const query = await resultOf('SELECT id, region, amount, sold_on FROM sales ORDER BY id')
    const given = query.columns.map((column) => [column.name, column.kind])
    expect(given).toEqual([
      ['id', 'integer'],
      ['region', 'text'],
      ['amount', kind === 'sqlite' ? 'text' : 'decimal'],
      ['sold_on', 'date'],
    ])
    expect(query.rows).toEqual(sales.slice(0, 50))
  })

  test('tells the true count of a result of which fewer rows are kept, and fewer shown', async () => {
    const outcome = await run('SELECT region FROM sales', { limit: 3 })
    const query = structuredOf<QueryResult>(outcome)
    expect([query.row_count, query.kept_rows, query.rows.length]).toEqual([salesCount, 100, 3])
    expect(textOf(outcome)).toContain(`${query.ref}: 120 rows from Shop`)
    expect(textOf(outcome)).toContain('Only the first 3 rows are shown.')
  })

  test.each([
    ['two columns of one name', 'SELECT region, region FROM sales'],
    ['a semicolon and a comment at its end', 'SELECT region FROM sales; -- all'],
    ['a WITH', 'WITH s AS (SELECT region FROM sales) SELECT region FROM s'],
    ['a comment without a line after it', 'SELECT region FROM sales -- all'],
  ])('counts a query with %s', async (_, sql) => {
    expect((await resultOf(sql)).row_count).toBe(salesCount)
  })

  test('a result that is shown whole says so by its count', async () => {
    const outcome = await run('SELECT count(*) AS n FROM sales')
    expect(structuredOf<QueryResult>(outcome)).toMatchObject({ rows: [[120]], row_count: 1 })
    expect(textOf(outcome)).toMatch(/^q\d+: 1 row from Shop, \d+ ms, as of 2\d{3}-/)
    expect(textOf(outcome)).toContain('\nn\n120\n')
    expect(textOf(outcome)).toMatch(/Cite each number that you take from it as \[q\d+\]\.$/)
  })

  test('shows people the block of the query', async () => {
    room.events.length = 0
    const query = await resultOf('SELECT region FROM sales', { purpose: 'to see' })
    const block = { kind: 'query', query: { ...query, purpose: 'to see' } }
    expect(room.events.map((event) => parseEvent(event))).toMatchObject([
      { event_type: 'result_block', tool_call_id: 'call-1', block },
    ])
  })

  test.each([
    ['DELETE FROM sales', /read/i],
    ['SELECT 1; SELECT 2', /one statement/i],
    ['SELECT nothing_like_it FROM sales', /nothing_like_it/],
    ['SELECT * FROM nowhere_to_be', /nowhere_to_be/],
  ])('says why it refuses %s, and records it', async (sql, why) => {
    const outcome = await run(sql)
    expect(outcome.status).toBe('failed')
    expect(textOf(outcome)).toMatch(why)
    const [last] = await room.store.queries.list('default', { limit: 1, offset: 0 })
    expect(last).toMatchObject({ sql, kept_rows: 0, user_id: 'ada', scope_id: 's1' })
    expect(last?.error).toMatch(why)
  })

  test('a failed query is not charted: its failure is told', async () => {
    await run('SELECT nothing_like_it FROM sales')
    const [last] = await room.store.queries.list('default', { limit: 1, offset: 0 })
    const asked = { query: `q${last!.number}`, chart: { type: 'bar', x: 'a', y: ['b'] } }
    expect(textOf(await room.call('make_chart', asked))).toMatch(/failed: .*nothing_like_it/)
  })

  test('recognises a verified question by its SQL', async () => {
    const sql = "SELECT region, count(*) AS n FROM sales WHERE region <> 'a  b' GROUP BY region"
    await room.store.questions.put(
      {
        ...{ tenant_id: 'default', question_id: 'v1', source_id, question: 'Sales by region?' },
        ...{ also: [], sql, verified: true, owner_user_id: null, updated_at: 1 },
      },
      { max: 10 },
    )
    const outcome = await run(` ${sql.replace('GROUP', '\n  group')} ;`)
    expect(structuredOf<QueryResult>(outcome).verified_question_id).toBe('v1')
    expect(textOf(outcome)).toContain('An administrator has verified this query.')
    const other = await resultOf(sql.replace('a  b', 'a b'))
    expect(other).not.toHaveProperty('verified_question_id')
  })

  test('a cancel ends it, and is recorded', async () => {
    const stop = new AbortController()
    const running = room.call(
      'run_sql',
      { source: 'shop', sql: endless },
      { signal: stop.signal, session_id: 'cancelled' },
    )
    // One that began later has ended.
    await resultOf('SELECT 1 AS n')
    stop.abort()
    const begun = performance.now()
    expect((await running).status).toBe('cancelled')
    expect(performance.now() - begun).toBeLessThan(5_000)
    const found = await waitFor(async () => {
      const rows = await room.store.queries.list('default', { limit: 50, offset: 0 })
      return rows.find((row) => row.scope_id === 'cancelled')
    })
    expect(found.error).toMatch(/cancelled/i)
  })

  test('numbers of a session are 1 to 100 for a hundred at once', async () => {
    const calls = Array.from({ length: 100 }, (_, i) =>
      room.call(
        'run_sql',
        { source: 'shop', sql: `SELECT ${i} AS n` },
        { session_id: 'busy', principal: ada },
      ),
    )
    const given = (await Promise.all(calls)).map((outcome) => structuredOf<QueryResult>(outcome))
    const numbers = given.map(({ ref }) => Number(ref.slice(1))).toSorted((a, b) => a - b)
    expect(numbers).toEqual(Array.from({ length: 100 }, (_, i) => i + 1))
    expect(given.map(({ rows }) => rows[0]![0])).toEqual(Array.from({ length: 100 }, (_, i) => i))
  })
})

const endless = `SELECT count(*) FROM sales a, sales b, sales c, sales d, sales e, sales f
  WHERE a.region <> b.region OR c.region <> d.region OR e.id > f.id`
