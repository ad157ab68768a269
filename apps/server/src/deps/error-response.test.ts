import { AppError } from '@dataagent/schema'
import { fastify } from 'fastify'
import { expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../testing/test-app.ts'
import { sendError } from './error-response.ts'

const open = { config: { access: 'public' } } as const

function withRoutes(): Promise<TestApp> {
  return createTestApp({
    extend(app) {
      app.get('/api/v1/unreachable', open, async () => {
        const data = { store: 'postgres', fault: 'away' }
        const message = 'postgres at db.internal:5432 is away'
        throw new AppError('store_unavailable', message, { data })
      })
      app.post('/api/v1/echo', open, async (request) => request.body)
      app.get('/api/v1/broken', open, async () => {
        throw new Error('canary in an unexpected error', { cause: new Error('deeper canary') })
      })
      app.get('/api/v1/away', open, async () => {
        throw new AppError('store_unavailable', 'The database is away.', { data: { since: 5 } })
      })
    },
  })
}

const cases = [
  [404, 'not_found', { url: '/api/v1/nothing' }],
  [405, 'method_not_allowed', { method: 'DELETE', url: '/api/v1/health' }],
  [400, 'parse_error', post('{"a":')],
  [400, 'parse_error', post('')],
  [400, 'invalid_request', post('{"__proto__":{"a":1}}')],
  [415, 'unsupported_media_type', post('a=1', 'text/csv')],
  [415, 'unsupported_media_type', post('{}', 'json')],
  [413, 'too_large', post(`"${'a'.repeat(1_048_577)}"`)],
  [400, 'invalid_request', { url: '/api/v1/%zz' }],
  [503, 'store_unavailable', { url: '/api/v1/away' }],
  [500, 'internal', { url: '/api/v1/broken' }],
] as const

function post(body: string, type = 'application/json') {
  return { method: 'POST', url: '/api/v1/echo', headers: { 'content-type': type }, body } as const
}

test.each(cases)(
  '%i %s is answered in JSON with error_code and message [D16.4]',
  async (status, code, request) => {
    await using server = await withRoutes()
    const response = await server.app.inject(request)
    expect(response.statusCode).toBe(status)
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(response.json()).toMatchObject({ error_code: code, message: expect.any(String) })
    expect(response.headers['x-request-id']).toBeTruthy()
  },
)

test('a method that is not taken is answered with those that are', async () => {
  await using server = await withRoutes()
  const response = await server.app.inject({ method: 'PUT', url: '/api/v1/health' })
  expect(response.headers.allow).toBe('GET, HEAD')
})

test('an unexpected error is logged whole and told only by reference', async () => {
  await using server = await withRoutes()
  const response = await server.app.inject('/api/v1/broken')
  expect(response.body).not.toContain('canary')
  expect(response.json().details.reference).toBe(response.headers['x-request-id'])
  const record = server.records.find(({ level }) => level === 'error')
  expect(record).toMatchObject({
    request_id: response.headers['x-request-id'],
    error: { message: 'canary in an unexpected error', cause: { message: 'deeper canary' } },
  })
})

test('an error of ours keeps its details, and a store that is away says when to come back', async () => {
  await using server = await withRoutes()
  const response = await server.app.inject('/api/v1/away')
  expect(response.json().details).toEqual({ since: 5 })
  expect(response.headers['retry-after']).toBe('1')
})

test('a body that is no JSON is called so', async () => {
  await using server = await withRoutes()
  const response = await server.app.inject(post('{"a":'))
  expect(response.json().message).toBe('The body is not JSON.')
})

test('a store that is away is told in general words; where it is stands in the log', async () => {
  await using server = await withRoutes()
  const response = await server.app.inject('/api/v1/unreachable')
  expect(response.statusCode).toBe(503)
  expect(response.json()).toEqual({
    error_code: 'store_unavailable',
    message: 'The database is away or too busy. Try again in a moment.',
  })
  expect(server.records).toContainEqual(
    expect.objectContaining({ reason: 'postgres at db.internal:5432 is away' }),
  )
})

test('a limit says in seconds when to come back', async () => {
  await using app = fastify()
  app.setErrorHandler(sendError)
  app.get('/', async () => {
    throw new AppError('rate_limited', 'Too many.', { data: { retryAfterMs: 15_200 } })
  })
  const response = await app.inject('/')
  expect(response.statusCode).toBe(429)
  expect(response.headers['retry-after']).toBe('16')
})
