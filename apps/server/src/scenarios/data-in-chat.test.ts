import type { ChatResponse, DataQueriesPage, EventsPage, SessionInfo } from '@dataagent/schema'
import { lastUserText, type RecordedRequest, toolRounds } from '@dataagent/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestPlatform, type TestPlatform } from '../testing/test-platform.ts'

const sql = 'SELECT region, sum(amount) AS amount FROM sales GROUP BY region ORDER BY region'

/** Asks for the rows, saves them, and says a number of theirs and one of its own. */
function answer(request: RecordedRequest) {
  if (lastUserText(request).includes('unasked')) return { text: 'East has sold 40.5 [q1].' }
  if (lastUserText(request).includes('weather')) return { text: 'It is 21 degrees.' }
  if (lastUserText(request).includes('refunds')) return { text: 'They were 321.' }
  if (lastUserText(request).includes('failing')) return answerWithoutRows(request)
  if (lastUserText(request).includes('chart')) return answerWithChart(request)
  const isLarge = lastUserText(request).includes('large')
  const rows = 'SELECT i, repeat(md5(i::VARCHAR), 40) AS text FROM range(90000) t(i)'
  const steps = [
    { name: 'run_sql', arguments: { source: 'workspace', sql: isLarge ? rows : sql } },
    { name: 'export', arguments: { query: 'q1', format: 'csv', name: 'sales' } },
  ]
  const step = steps[toolRounds(request)]
  return step ? { toolCalls: [step] } : { text: 'East has sold 40.5 [q1], and West 999.' }
}

/** Its query fails, and it says a number all the same. */
function answerWithoutRows(request: RecordedRequest) {
  const query = { source: 'workspace', sql: 'SELECT nothing_like_it FROM sales' }
  if (toolRounds(request) > 0) return { text: 'East has sold 777.' }
  return { toolCalls: [{ name: 'run_sql', arguments: query }] }
}

/** Draws what was asked before, and asks again. */
function answerWithChart(request: RecordedRequest) {
  const chart = { type: 'bar', x: 'region', y: ['amount'] }
  const steps = [
    { name: 'make_chart', arguments: { query: 'q1', chart } },
    { name: 'run_sql', arguments: { source: 'workspace', sql: 'SELECT 7 AS n' } },
  ]
  const step = steps[toolRounds(request)]
  return step ? { toolCalls: [step] } : { text: 'East has sold 40.5 [q1], and there are 7 [q2].' }
}

let server: TestPlatform
beforeAll(async () => {
  server = await startTestPlatform({ script: answer })
  const body = 'region,amount\nEast,10.5\nWest,20.25\nEast,30\n'
  for (const as of ['ada', 'bob'] as const)
    await server.ask('PUT', '/files/content?path=sales.csv', { as, body })
})
afterAll(() => server[Symbol.asyncDispose]())

test('an agent asks the workspace, saves an export there, and its numbers are checked', async () => {
  const { body } = await server.ask<ChatResponse>('POST', '/chat', { json: { message: 'Sales?' } })
  const blocks = body.events.flatMap((event) =>
    event.event_type === 'result_block' ? [(event as { block: { kind: string } }).block] : [],
  )
  expect(blocks).toMatchObject([
    { kind: 'query', query: { ref: 'q1', sql, row_count: 2 } },
    { kind: 'export', ref: 'q1', path: 'outputs/sales.csv', rows: 2 },
  ])
  expect(body.events).toContainEqual(
    expect.objectContaining({
      event_type: 'citations',
      cited: [expect.objectContaining({ ref: 'q1' })],
      uncovered: [expect.objectContaining({ text: '999' })],
    }),
  )
  const file = await server.ask<string>('GET', '/files/content?path=outputs/sales.csv')
  expect(file.body).toContain('East,40.5\r\n')
  const path = `/sessions/${body.session_id}/queries`
  const { body: page } = await server.ask<DataQueriesPage>('GET', path)
  expect(page.queries.map(({ ref }) => ref)).toEqual(['q1'])
})

test('a copied chat goes on with its queries, also when the first one is gone', async () => {
  const ask = async (message: string, session_id?: string) => {
    const json = { message, ...(session_id && { session_id }) }
    return (await server.ask<ChatResponse>('POST', '/chat', { json })).body
  }
  const queriesOf = async (session_id: string) => {
    const path = `/sessions/${session_id}/queries`
    return (await server.ask<DataQueriesPage>('GET', path)).body.queries
  }
  const first = await ask('Sales?')
  const [own] = await queriesOf(first.session_id)
  await ask('Draw a chart', first.session_id)
  const path = `/sessions/${first.session_id}`
  const end = first.events.findLast(({ event_type }) => event_type === 'done') as { seq?: number }
  const copyOf = async (json: object) =>
    (await server.ask<SessionInfo>('POST', `${path}/fork`, { json })).body.session_id
  const whole = await copyOf({})
  const begun = await copyOf({ through_seq: end.seq })
  await server.ask('DELETE', path)
  await server.platform.data?.queries.sweep()
  expect((await queriesOf(whole)).map(({ ref }) => ref)).toEqual(['q1', 'q2'])
  const [copy, ...later] = await queriesOf(begun)
  expect([copy, later]).toEqual([{ ...own, query_id: copy?.query_id }, []])
  const log = await server.ask<EventsPage>('GET', `/sessions/${begun}/events`)
  expect(JSON.stringify(log.body)).not.toContain(own?.query_id)
  const cited = { ref: 'q1', query_id: copy?.query_id }
  expect(log.body.events).toContainEqual(
    expect.objectContaining({ cited: [expect.objectContaining(cited)] }),
  )
  const rows = await server.ask('GET', `/data/queries/${copy?.query_id}/rows`)
  expect(rows.body).toMatchObject({
    total: 2,
    rows: [
      ['East', 40.5],
      ['West', 20.25],
    ],
  })

  const { events } = await ask('Draw a chart', begun)
  expect(events).toContainEqual(
    expect.objectContaining({ block: expect.objectContaining({ kind: 'chart', ...cited }) }),
  )
  expect(events).toContainEqual(
    expect.objectContaining({
      ...{ event_type: 'citations', dangling: [], uncovered: [] },
      cited: [expect.objectContaining(cited), expect.objectContaining({ ref: 'q2' })],
    }),
  )
})

test('a citation of a query that nobody has run is told, and the number that it carries', async () => {
  const json = { message: 'Sales, unasked?' }
  const { body } = await server.ask<ChatResponse>('POST', '/chat', { json })
  expect(body.events).toContainEqual(
    expect.objectContaining({
      ...{ event_type: 'citations', cited: [] },
      dangling: [expect.objectContaining({ text: '[q1]' })],
      uncovered: [expect.objectContaining({ text: '40.5' })],
    }),
  )
})

async function citationsOf(message: string) {
  const { body } = await server.ask<ChatResponse>('POST', '/chat', { json: { message } })
  return body.events.filter(({ event_type }) => event_type === 'citations')
}

test('a number that is said where the only query has failed is marked', async () => {
  expect(await citationsOf('Sales, failing?')).toMatchObject([
    { cited: [], dangling: [], uncovered: [{ text: '777' }] },
  ])
})

test('a number that is said in the place of a verified query is marked', async () => {
  const question = 'How many refunds were there in each region?'
  const json = { source_id: 'workspace', question, sql, verified: true }
  const path = '/data/questions/refunds'
  expect((await server.ask('PUT', path, { as: 'boss', json })).status).toBe(200)
  expect(await citationsOf(question)).toMatchObject([{ uncovered: [{ text: '321' }] }])
  await server.ask('DELETE', path, { as: 'boss' })
})

test('numbers of a chat that is not about data are not looked at', async () => {
  expect(await citationsOf('How is the weather?')).toEqual([])
})

test('what does not fit the quota is not written', async () => {
  const json = { workspace_quota: 1_000_000 }
  await server.ask('PATCH', '/tenants/acme', { as: 'operator', json })
  const message = 'A large one'
  const { body } = await server.ask<ChatResponse>('POST', '/chat', { as: 'bob', json: { message } })
  expect(JSON.stringify(body.events)).toMatch(/quota/i)
  const { body: files } = await server.ask('GET', '/files?path=outputs', { as: 'bob' })
  expect(JSON.stringify(files)).not.toContain('sales')
})
