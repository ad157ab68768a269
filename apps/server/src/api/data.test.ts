import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type {
  ChangesPage,
  DataPlan,
  DataQueryLogPage,
  DataQuestionsPage,
  DataRowsPage,
  DataSource,
  DataSourceList,
  DataTableList,
  QueryResult,
} from '@dataagent/schema'
import { createDatabase, findService } from '@dataagent/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestPlatform, type TestPlatform } from '../testing/test-platform.ts'

const hasService = {
  mysql: await findService('mysql'),
  postgres: await findService('postgres'),
}
const canary = 'canary-pa55word-0123456789'

let server: TestPlatform
beforeAll(async () => {
  server = await startTestPlatform()
  const body = 'region,amount,note\nEast,10.50,=1+1\nWest,20.25,b\nEast,30.00,c\n'
  await server.ask('PUT', '/files/content?path=sales.csv', { body })
})
afterAll(() => server[Symbol.asyncDispose]())

const notFound = { error_code: 'not_found' }
const bySales = 'SELECT region, sum(amount) AS amount FROM sales GROUP BY region ORDER BY region'

async function run(json: object, as: Person = 'ada'): Promise<QueryResult> {
  const asked = { source: 'workspace', ...json }
  const { status, body } = await server.ask<QueryResult>('POST', '/data/queries', {
    ...{ as, json: asked },
  })
  expect({ status, body }).toMatchObject({ status: 201 })
  return body
}

/** A folder of the server's machine, which the operator registers in the tenant `default`. */
async function makeSource(fields: object = {}): Promise<DataSource> {
  const folder = join(server.dir, 'shop')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'orders.csv'), 'order_id,paid,phone\n1,5,555\n2,7,556\n')
  const json = { name: `shop-${crypto.randomUUID()}`, location: { kind: 'files', folder } }
  const { status, body } = await server.ask<DataSource>('POST', '/data/sources', {
    ...{ as: 'operator', json: { ...json, ...fields } },
  })
  expect({ status, body }).toMatchObject({ status: 201 })
  return body
}

const changesOf = async (kind: string, as: Person) =>
  (await server.ask<ChangesPage>('GET', `/audit/changes?kind=${kind}`, { as })).body.changes

describe('sources', () => {
  test('are registered by administrators, asked by their tenant and checked', async () => {
    const { source_id, name } = await makeSource()
    const checked = await server.ask('POST', `/data/sources/${source_id}/check`, { as: 'operator' })
    expect(checked.body).toMatchObject({ source_id, name, status: 'ok', read_only: true })
    const sql = 'SELECT sum(paid) AS paid FROM orders'
    expect(await run({ source: name, sql }, 'operator')).toMatchObject({ source_name: name })
    const seen = await server.ask<DataSourceList>('GET', '/data/sources')
    expect(seen.body.sources.map((source) => source.name)).toEqual(['workspace'])
    const removed = await server.ask('DELETE', `/data/sources/${source_id}`, { as: 'operator' })
    expect(removed.status).toBe(204)
    const changes = await changesOf('data_source', 'operator')
    const ofIt = changes.filter(({ target }) => target === source_id)
    expect(ofIt.map(({ action }) => action)).toEqual(['removed', 'added'])
  })

  const databases = ['mysql', 'postgres'] as const
  test.for(databases)('are databases: %s', async (kind, { skip }) => {
    skip(!hasService[kind])
    await using database = await createDatabase(kind)
    await database.query('CREATE TABLE orders (paid DECIMAL(20, 2))')
    await database.query('INSERT INTO orders VALUES (900719925474099.31), (1.00)')
    const location = { kind, url: database.url }
    const json = { name: `db-${kind}`, location }
    const made = await server.ask('POST', '/data/sources', { as: 'boss', json })
    expect(made.status).toBe(201)
    const path = `/data/sources/${made.body.source_id}`
    const checked = await server.ask('POST', `${path}/check`, { as: 'boss' })
    expect(checked.body).toMatchObject({ status: 'ok', read_only: false })
    const sql = 'SELECT sum(paid) AS paid FROM orders'
    const query = await run({ source: json.name, sql })
    expect(query.rows).toEqual([['900719925474100.31']])
    const plan = await server.ask('GET', `/data/queries/${query.query_id}/plan`)
    expect(JSON.stringify(plan.body)).toMatch(/orders/)
    const seen = await server.ask('GET', `/data/queries/${query.query_id}`, { as: 'boss' })
    expect(seen.body).toMatchObject({ rows: query.rows })
    const log = await server.ask<DataQueryLogPage>('GET', '/data/queries?limit=1', { as: 'eve' })
    expect(log.body.queries).toMatchObject([{ query_id: query.query_id, sql }])
    const writes = { source: json.name, sql: 'DELETE FROM orders' }
    const refused = await server.ask('POST', '/data/queries', { as: 'boss', json: writes })
    expect([400, 403]).toContain(refused.status)
    const elsewhere = { source: String(made.body.source_id), sql }
    const other = await server.ask('POST', '/data/queries', { as: 'max', json: elsewhere })
    expect(other.status).toBe(404)
    await server.ask('DELETE', path, { as: 'boss' })
  })

  test('of the server itself are for those who run it, and named by absolute paths', async () => {
    const json = { name: 'etc', location: { kind: 'files', folder: '/etc' } }
    expect((await server.ask('POST', '/data/sources', { as: 'boss', json })).status).toBe(403)
    const relative = { ...json, location: { kind: 'sqlite', path: 'a.db' } }
    const refused = await server.ask('POST', '/data/sources', { as: 'operator', json: relative })
    expect(refused).toMatchObject({ status: 400, body: { error_code: 'invalid_request' } })
  })

  test('may not be inside the network of several tenants', async () => {
    const url = `postgres://reader:${canary}@10.1.2.3:5432/shop`
    const json = { name: 'inside', location: { kind: 'postgres', url } }
    const made = await server.ask('POST', '/data/sources', { as: 'boss', json })
    const { body } = await server.ask('POST', `/data/sources/${made.body.source_id}/check`, {
      as: 'boss',
    })
    expect(body).toMatchObject({ status: 'failing' })
    expect(body.status_text).toMatch(/10\.1\.2\.3:5432 is a private address.*ALLOWED_ADDRESSES/)
  })

  test.each([
    ['a URL that cannot be read', { kind: 'mysql', url: `http://${canary}@x/y` }],
    ['both a URL and fields', { kind: 'mysql', url: `mysql://a:${canary}@x/y`, host: 'x' }],
    ['fields that are missing', { kind: 'postgres', host: 'x', password: canary }],
    ['a field that is not known', { kind: 'postgres', secret: canary }],
    ['another kind', { kind: 'oracle', url: canary }],
  ])('with %s are refused, and nothing of it is repeated', async (_, location) => {
    const json = { name: 'bad', location }
    const { status, body } = await server.ask('POST', '/data/sources', { as: 'boss', json })
    expect(status).toBe(400)
    expect(JSON.stringify(body)).not.toContain('canary')
  })

  test('keep what reaches them to themselves', async () => {
    const fields = {
      host: '127.0.0.1',
      port: 9,
      user: 'reader',
      password: canary,
      database: 'shop',
    }
    const json = { name: 'kept', location: { kind: 'postgres', ...fields } }
    const texts: unknown[] = []
    const tell = async (method: string, path: string, sent?: object) => {
      const answer = await server.ask(method, path, { as: 'boss', ...(sent && { json: sent }) })
      texts.push(answer.body)
      return answer
    }
    const { body } = await tell('POST', '/data/sources', json)
    const one = `/data/sources/${body.source_id}`
    expect((await tell('POST', `${one}/check`)).body).toMatchObject({ status: 'failing' })
    await tell('GET', '/data/sources')
    await tell('GET', `${one}/tables`)
    const url = { kind: 'mysql', url: `mysql://reader:${canary}@127.0.0.1:9/shop` }
    const moved = await tell('PATCH', one, { location: url, description: 'Moved' })
    expect(moved.body).toMatchObject({ kind: 'mysql', description: 'Moved', status: 'unknown' })
    await tell('POST', `${one}/check`)
    await tell('POST', '/data/queries', { source: 'kept', sql: 'SELECT 1' })
    await tell('GET', '/data/queries')
    await tell('GET', '/audit/changes')
    texts.push(server.records, await server.platform.tables.data.sources.list('acme'))
    for (const text of texts) expect(JSON.stringify(text)).not.toContain('canary')
  })

  test('show what administrators say of them, and nothing of what they hide', async () => {
    const { source_id } = await makeSource()
    const columns = { phone: { hidden: true }, paid: { description: 'In yuan' } }
    const notes = { tables: { orders: { description: 'Orders', columns } } }
    const path = `/data/sources/${source_id}`
    const said = await server.ask('PUT', `${path}/notes`, { as: 'operator', json: notes })
    expect(said.body).toEqual(notes)
    expect((await server.ask('GET', `${path}/notes`, { as: 'operator' })).body).toEqual(notes)
    const tablesBy = async (query: string) =>
      (await server.ask<DataTableList>('GET', `${path}/tables${query}`, { as: 'operator' })).body
        .tables
    const [seen] = await tablesBy('?names=orders')
    expect(seen).toMatchObject({ name: 'orders', description: 'Orders' })
    expect(seen?.columns.map(({ name }) => name)).toEqual(['order_id', 'paid'])
    const [whole] = await tablesBy('?all=true')
    expect(whole?.columns.map(({ name }) => name)).toEqual(['order_id', 'paid', 'phone'])
    expect(await tablesBy('?all=true&names=other')).toEqual([])
    const byUser = await server.ask('GET', '/data/sources/workspace/tables?all=true')
    expect(byUser.status).toBe(403)
  })

  test('have names of their own, and workspace is none', async () => {
    const { name } = await makeSource()
    for (const [taken, status] of [[name, 409] as const, ['Workspace', 400] as const]) {
      const json = { name: taken, location: { kind: 'files', folder: '/srv' } }
      expect((await server.ask('POST', '/data/sources', { as: 'operator', json })).status).toBe(
        status,
      )
    }
  })
})

describe('definitions', () => {
  test('are said by administrators, read by their tenant, and noted', async () => {
    const path = '/data/definitions/revenue'
    const json = { term: 'revenue', meaning: 'paid without refunds' }
    expect((await server.ask('PUT', path, { json })).status).toBe(403)
    for (const meaning of ['paid', json.meaning])
      await server.ask('PUT', path, { as: 'boss', json: { ...json, meaning } })
    const { body } = await server.ask('GET', '/data/definitions', { as: 'eve' })
    expect(body).toEqual({ definitions: [{ definition_id: 'revenue', source_id: null, ...json }] })
    const elsewhere = await server.ask('GET', '/data/definitions', { as: 'zoe' })
    expect(elsewhere.body).toEqual({ definitions: [] })
    const unknown = { ...json, source_id: 'nowhere' }
    expect((await server.ask('PUT', path, { as: 'boss', json: unknown })).status).toBe(404)
    expect((await server.ask('DELETE', path, { as: 'boss' })).status).toBe(204)
    expect((await server.ask('DELETE', path, { as: 'boss' })).status).toBe(404)
    const actions = (await changesOf('data_definition', 'eve')).map(({ action }) => action)
    expect(actions).toEqual(['removed', 'changed', 'added'])
  })
})

describe('questions', () => {
  const json = { source_id: 'workspace', question: 'Sales by region?', sql: bySales }

  test('are saved for oneself, run again and removed', async () => {
    const path = '/data/questions/own'
    const note = 'Without refunds'
    const saved = await server.ask('PUT', path, { json: { ...json, note } })
    expect(saved.body).toMatchObject({ question_id: 'own', verified: false, owner_user_id: 'ada' })
    const listed = await server.ask<DataQuestionsPage>('GET', '/data/questions?verified=false')
    expect(listed.body).toMatchObject({ total: 1, questions: [{ question_id: 'own', note }] })
    const others = await server.ask<DataQuestionsPage>('GET', '/data/questions', { as: 'boss' })
    expect(others.body.questions.filter(({ question_id }) => question_id === 'own')).toEqual([])
    const ran = await server.ask<QueryResult>('POST', `${path}/run`, { json: {} })
    expect(ran.body).toMatchObject({ row_count: 2, purpose: 'Sales by region?' })
    expect(ran.body).not.toHaveProperty('verified_question_id')
    expect((await server.ask('DELETE', path)).status).toBe(204)
    expect((await server.ask('POST', `${path}/run`, { json: {} })).status).toBe(404)
    expect(await changesOf('data_question', 'eve')).toEqual([])
  })

  test('are verified by administrators for all of the tenant, which is noted', async () => {
    const path = '/data/questions/verified'
    const verified = { ...json, also: ['各区域销售额'], verified: true }
    expect((await server.ask('PUT', path, { json: verified })).status).toBe(403)
    const made = await server.ask('PUT', path, { as: 'boss', json: verified })
    expect(made.body).toMatchObject({ verified: true, owner_user_id: null })
    expect((await server.ask('PUT', path, { json })).status).toBe(403)
    expect((await server.ask('DELETE', path)).status).toBe(403)
    const { body } = await server.ask<QueryResult>('POST', `${path}/run`, { json: {} })
    expect(body.verified_question_id).toBe('verified')
    const seenBy = async (as: Person) =>
      (await server.ask<DataQuestionsPage>('GET', '/data/questions?verified=true', { as })).body
        .total
    expect([await seenBy('eve'), await seenBy('zoe')]).toEqual([1, 0])
    await server.ask('DELETE', path, { as: 'boss' })
    const actions = (await changesOf('data_question', 'eve')).map(({ action }) => action)
    expect(actions).toEqual(['removed', 'added'])
  })
})

describe('queries', () => {
  test('give typed rows, all of which can be paged through', async () => {
    const sql = 'SELECT i, i * 1000000000000000 AS big FROM range(1200) t(i)'
    const query = await run({ sql, limit: 2, purpose: 'Paging' })
    expect(query).toMatchObject({
      ...{ row_count: 1_200, kept_rows: 1_200, purpose: 'Paging', source_id: 'workspace' },
      rows: [
        [0, 0],
        [1, 1_000_000_000_000_000],
      ],
    })
    const path = `/data/queries/${query.query_id}`
    const page = await server.ask<DataRowsPage>('GET', `${path}/rows?offset=1198&limit=1000`)
    expect(page.body).toMatchObject({ offset: 1_198, limit: 1_000, total: 1_200, row_count: 1_200 })
    expect(page.body.rows).toEqual([
      [1_198, '1198000000000000000'],
      [1_199, '1199000000000000000'],
    ])
    expect((await server.ask('GET', `${path}/rows?limit=1001`)).status).toBe(400)
    const { rows: _, ...facts } = query
    expect((await server.ask('GET', path)).body).toMatchObject(facts)
  })

  test('write nothing, and what was tried is in the log', async () => {
    const sql = "COPY (SELECT 1) TO 'out.csv'"
    const json = { source: 'workspace', sql }
    const { status } = await server.ask('POST', '/data/queries', { json })
    expect([400, 403]).toContain(status)
    const log = await server.ask<DataQueryLogPage>('GET', '/data/queries?user_id=ada&limit=1', {
      as: 'eve',
    })
    expect(log.body).toMatchObject({ more: true, limit: 1 })
    expect(log.body.queries).toMatchObject([
      { sql: null, user_id: 'ada', session_id: null, row_count: null, error: expect.any(String) },
    ])
    const own = await server.ask<DataQueryLogPage>('GET', '/data/queries', { as: 'max' })
    expect(own.body.queries.filter(({ user_id }) => user_id === 'ada')).toEqual([])
  })

  test('belong to a session of the caller, and go with it', async () => {
    const { body } = await server.ask('POST', '/sessions', { json: {} })
    const session_id = String(body.session_id)
    const first = await run({ sql: bySales, session_id })
    const second = await run({ sql: bySales, session_id })
    expect([first.ref, second.ref]).toEqual(['q1', 'q2'])
    const path = `/sessions/${session_id}/queries`
    const listed = await server.ask('GET', `${path}?offset=1`)
    expect(listed.body).toMatchObject({ total: 2, queries: [{ query_id: second.query_id }] })
    const json = { source: 'workspace', sql: bySales, session_id }
    expect((await server.ask('POST', '/data/queries', { as: 'bob', json })).status).toBe(404)
    expect((await server.ask('GET', path, { as: 'boss' })).status).toBe(404)
    await server.ask('DELETE', `/sessions/${session_id}`)
    expect((await server.ask('GET', `/data/queries/${first.query_id}`)).status).toBe(404)
  })

  test('of a session are listed without their rows where those are not wanted', async () => {
    const { body } = await server.ask('POST', '/sessions', { json: {} })
    const session_id = String(body.session_id)
    const { rows, ...facts } = await run({ sql: bySales, session_id })
    const path = `/sessions/${session_id}/queries`
    expect(rows).toHaveLength(2)
    const brief = await server.ask('GET', `${path}?brief=true`)
    expect(brief.body).toMatchObject({ total: 1, queries: [{ ...facts, rows: [] }] })
    expect((await server.ask('GET', path)).body).toMatchObject({ queries: [{ rows }] })
  })

  test('are explained by their source, which is no query of its own', async () => {
    const query = await run({ sql: `-- by region\n${bySales}` })
    const path = `/data/queries/${query.query_id}/plan`
    const { status, body } = await server.ask<DataPlan>('GET', path)
    expect({ status, body }).toMatchObject({ status: 200 })
    expect(JSON.stringify(body.rows)).toMatch(/GROUP_BY/)
    const log = await server.ask<DataQueryLogPage>('GET', '/data/queries?user_id=ada&limit=1', {
      as: 'eve',
    })
    expect(log.body.queries).toMatchObject([{ query_id: query.query_id }])
    expect((await server.ask('GET', path, { as: 'bob' })).status).toBe(404)
  })

  test("of one's own files are nobody else's, though the log tells of them", async () => {
    await server.ask('PUT', '/files/content?path=pay.csv', { as: 'bob', body: 'who\ncanary-1\n' })
    const sql = "SELECT who FROM pay WHERE who <> 'canary-2'"
    const { query_id } = await run({ sql, purpose: 'Not canary-2' }, 'bob')
    const failing = { source: 'workspace', sql: 'SELECT CAST(who AS INTEGER) FROM pay' }
    const failed = await server.ask('POST', '/data/queries', { as: 'bob', json: failing })
    expect(JSON.stringify(failed.body)).toContain('canary-1')
    const spec = encodeURIComponent(JSON.stringify({ type: 'bar', x: 'who', y: ['who'] }))
    const ways = ['', '/rows', '/plan', '/export?format=csv', `/chart.svg?spec=${spec}`]
    for (const as of ['boss', 'operator', 'ada'] as const) {
      for (const way of ways) {
        const { status, body } = await server.ask('GET', `/data/queries/${query_id}${way}`, { as })
        expect({ as, way, status, body }).toMatchObject({ status: 404, body: notFound })
      }
    }
    for (const as of ['boss', 'eve'] as const) {
      const log = await server.ask<DataQueryLogPage>('GET', '/data/queries?user_id=bob', { as })
      const untold = { user_id: 'bob', source_id: 'workspace', sql: null, purpose: null }
      const [second, first] = log.body.queries
      expect(first).toMatchObject({ ...untold, query_id, row_count: 1, error: null })
      expect(second).toMatchObject({ ...untold, error: expect.stringMatching(/own files/) })
      for (const { as_of, elapsed_ms } of [first!, second!]) {
        expect(as_of).toBeGreaterThan(0)
        expect(elapsed_ms).toBeGreaterThanOrEqual(0)
      }
      expect(JSON.stringify(log.body)).not.toMatch(/canary|CAST/)
    }
    const own = await run({ sql: 'SELECT 1 AS mine', purpose: 'Looking' }, 'boss')
    for (const [as, told] of [
      ['boss', { sql: 'SELECT 1 AS mine', purpose: 'Looking' }],
      ['eve', { sql: null, purpose: null }],
    ] as const) {
      const log = await server.ask<DataQueryLogPage>('GET', '/data/queries?limit=1', { as })
      expect(log.body.queries).toMatchObject([{ query_id: own.query_id, ...told }])
    }
  })

  test('sent twice under one key are run once', async () => {
    const json = { source: 'workspace', sql: bySales }
    const headers = { 'idempotency-key': 'once' }
    const first = await server.ask('POST', '/data/queries', { json, headers })
    const again = await server.ask('POST', '/data/queries', { json, headers })
    expect(again.body.query_id).toBe(first.body.query_id)
  })

  test('of one person are few at a time', async () => {
    const sql = 'SELECT count(*) FROM range(3000000000) a WHERE hash(a.range) % 7 = 3'
    const leaving = new AbortController()
    const slow = Array.from({ length: 5 }, () => {
      const json = { source: 'workspace', sql }
      return server
        .ask('POST', '/data/queries', { as: 'bob', json, signal: leaving.signal })
        .catch(() => undefined)
    })
    const refused = await Promise.race(slow)
    expect(refused).toMatchObject({ status: 429, body: { error_code: 'rate_limited' } })
    leaving.abort()
    await Promise.all(slow)
  })
})

describe('files of a query', () => {
  test('are CSV, safe from formulas, and Excel workbooks', async () => {
    const sql = 'SELECT region, note, 9007199254740993 AS big FROM sales ORDER BY note'
    const { query_id, ref } = await run({ sql })
    const path = `/data/queries/${query_id}/export`
    const csv = await server.ask<string>('GET', path)
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(csv.headers.get('content-disposition')).toContain(`filename="${ref}-`)
    expect(csv.body).toContain(`East,"'=1+1",9007199254740993\r\n`)
    const xlsx = await server.ask<string>('GET', `${path}?format=xlsx`)
    expect(xlsx.headers.get('content-type')).toContain('spreadsheetml')
    expect(xlsx.body.slice(0, 2)).toBe('PK')
    expect((await server.ask('GET', `${path}?format=exe`)).status).toBe(400)
  })

  test('are charts that name its columns', async () => {
    const { query_id } = await run({ sql: bySales })
    const path = `/data/queries/${query_id}/chart.svg`
    const draw = (spec: unknown, rest = '') => {
      const text = typeof spec === 'string' ? spec : JSON.stringify(spec)
      return server.ask<string>('GET', `${path}?spec=${encodeURIComponent(text)}${rest}`)
    }
    const bars = { type: 'bar', x: 'region', y: ['amount'], title: 'Sales <b>' }
    const svg = await draw(bars, '&language=zh&theme=dark')
    expect(svg.headers.get('content-type')).toContain('image/svg+xml')
    expect(svg.headers.get('content-security-policy')).toContain('sandbox')
    expect(svg.body).toMatch(/^<svg .*East/s)
    expect(svg.body).not.toContain('<b>')
    for (const bad of ['{', { type: 'bar', x: 'none', y: ['amount'] }, { ...bars, points: [1] }])
      expect((await draw(bad)).status).toBe(400)
  })

  test('are not drawn of more rows than a picture can show', async () => {
    const { query_id } = await run({ sql: 'SELECT i AS x, i AS y FROM range(20001) t(i)' })
    const spec = encodeURIComponent(JSON.stringify({ type: 'line', x: 'x', y: ['y'] }))
    const { status } = await server.ask('GET', `/data/queries/${query_id}/chart.svg?spec=${spec}`)
    expect(status).toBe(413)
  })
})

describe('data is for', () => {
  test('tenants that have the feature', async () => {
    const change = (features_enabled: string[]) =>
      server.ask('PATCH', '/tenants/globex', { as: 'operator', json: { features_enabled } })
    await change(['*', '-data'])
    const refused = await server.ask('GET', '/data/sources', { as: 'zoe' })
    expect(refused).toMatchObject({ status: 403, body: { error_code: 'forbidden' } })
    const hasTools = (tenant_id: string) => hasDataTools(server, tenant_id)
    expect([hasTools('globex'), hasTools('acme')]).toEqual([false, true])
    await change(['*'])
    expect((await server.ask('GET', '/data/sources', { as: 'zoe' })).status).toBe(200)
    expect(hasTools('globex')).toBe(true)
  })

  test('servers on which it is not switched off', async () => {
    await using off = await startTestPlatform({ config: { data: false } })
    expect((await off.ask('GET', '/data/sources')).status).toBe(404)
    expect(hasDataTools(off, 'acme')).toBe(false)
  })
})

function hasDataTools({ platform }: TestPlatform, tenant_id: string): boolean {
  return platform.agents.toolset(tenant_id, 'default').find('run_sql') !== undefined
}
