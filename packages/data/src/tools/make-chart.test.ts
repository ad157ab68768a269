import { parseEvent, type QueryResult } from '@dataagent/schema'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { administrator, bo, stranger, structuredOf, textOf } from '../test-data-room.ts'
import { openShopRoom, type ShopRoom } from './test-shop-room.ts'

const cleanup = new AsyncDisposableStack()
let room: ShopRoom
let query: QueryResult
const chart = { type: 'bar', x: 'region', y: ['n'] }

beforeAll(async () => {
  room = cleanup.use(await openShopRoom())
  const sql = 'SELECT region, count(*) AS n FROM sales GROUP BY region'
  query = structuredOf(await room.call('run_sql', { source: 'Shop', sql }))
})
afterAll(() => cleanup.disposeAsync())

test('shows people a chart of the columns of a query', async () => {
  room.events.length = 0
  const outcome = await room.call('make_chart', { query: 'q1', chart })
  expect(textOf(outcome)).toBe('The user sees the chart of q1 now.')
  const { query_id } = query
  expect(room.events.map((event) => parseEvent(event))).toMatchObject([
    { tool_call_id: 'call-1', block: { kind: 'chart', query_id, ref: 'q1', chart } },
  ])
})

test('takes the id of the query, too', async () => {
  const outcome = await room.call('make_chart', { query: query.query_id, chart })
  expect(outcome.status).toBe('ok')
})

test.each([
  ['a column that is not there', { ...chart, y: ['amounts'] }, /no column "amounts"/],
  ['a text as measure', { ...chart, x: 'n', y: ['region'] }, /region/],
  ['a chart without x', { type: 'line', y: ['n'] }, /needs x/],
])('says in words why %s does not fit', async (_, wrong, why) => {
  room.events.length = 0
  const outcome = await room.call('make_chart', { query: 'q1', chart: wrong })
  expect(outcome).toMatchObject({ error: { code: 'invalid_arguments' } })
  expect(textOf(outcome)).toMatch(why)
  expect(room.events).toEqual([])
})

test('takes no points', async () => {
  const outcome = await room.call('make_chart', {
    ...{ query: 'q1', chart: { ...chart, data: [[1, 2]] } },
  })
  expect(outcome.status).toBe('invalid')
})

test.each(['q2', 'q1000000', 'Q1', 'nonsense', '../q1'])('there is no query %s', async (asked) => {
  const outcome = await room.call('make_chart', { query: asked, chart })
  expect(outcome).toMatchObject({ error: { code: 'not_found' } })
  expect(textOf(outcome)).toContain('Run it with run_sql first.')
})

test.each([
  ['another session', { session_id: 's2' }],
  ['another user in the same session', { principal: bo }],
  ['another tenant', { principal: stranger }],
])('the query is not there for %s', async (_, more) => {
  for (const asked of ['q1', query.query_id]) {
    const outcome = await room.call('make_chart', { query: asked, chart }, more)
    expect(outcome).toMatchObject({ error: { code: 'not_found' } })
  }
})

test('an administrator sees it', async () => {
  const asked = { query: query.query_id, chart }
  const outcome = await room.call('make_chart', asked, { principal: administrator })
  expect(outcome.status).toBe('ok')
})
