import type { IncomingMessage } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { createTestApp } from '../testing/test-app.ts'
import { chooseRequestId } from './request-id.ts'

const open = { config: { access: 'public' } } as const

test('each request has an id of its own, in its answer and in its log record [D22.5]', async () => {
  await using server = await createTestApp()
  const [first, second] = await Promise.all([
    server.app.inject('/api/v1/nothing'),
    server.app.inject('/api/v1/nothing'),
  ])
  const ids = [first.headers['x-request-id'], second.headers['x-request-id']]
  expect(new Set(ids).size).toBe(2)
  const logged = server.records
    .filter(({ message }) => message === 'request answered')
    .map(({ request_id }) => request_id)
  expect(logged.sort()).toEqual(ids.sort())
})

test('everything logged on the way carries the id, through whichever logger, also after a body was read [D22.5]', async () => {
  await using server = await createTestApp({
    extend(app) {
      app.post('/x', open, async (request) => {
        server.log.info('from a store that knows no request')
        await setImmediate()
        request.log.info('from the route')
        await Promise.all([1, 2].map(async (i) => server.log.info(`part ${i}`)))
        throw new Error('unexpected')
      })
    },
  })
  server.log.info('outside')
  const url = await server.app.listen({ port: 0, host: '127.0.0.1' })
  const headers = { 'x-request-id': 'trace-7:a.b_c', 'content-type': 'application/json' }
  const body = JSON.stringify({ big: 'x'.repeat(500_000) })
  const response = await fetch(`${url}/x`, { method: 'POST', headers, body })
  expect(response.headers.get('x-request-id')).toBe('trace-7:a.b_c')
  await waitFor(() => server.records.at(-1)?.message === 'request answered')
  const byId = Object.groupBy(server.records, ({ request_id }) => String(request_id))
  expect(byId['trace-7:a.b_c']?.map(({ message }) => message)).toEqual([
    'from a store that knows no request',
    'from the route',
    'part 1',
    'part 2',
    'request failed',
    'request answered',
  ])
  expect(byId.null?.map(({ message }) => message)).toContain('outside')
})

test.each(['', 'has space', 'line\tbreak', 'x'.repeat(129), 'ü', ['a', 'b']])(
  'an inbound id %j is replaced',
  (id) => {
    const request = { headers: { 'x-request-id': id } } as unknown as IncomingMessage
    expect(chooseRequestId(request)).toMatch(/^[0-9a-f-]{36}$/)
  },
)

test('a query is not logged', async () => {
  await using server = await createTestApp()
  await server.app.inject('/api/v1/nothing?token=canary')
  expect(JSON.stringify(server.records)).not.toContain('canary')
})
