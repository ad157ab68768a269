import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineRoute } from './route.ts'
import { serveRoutes } from './test-routes.ts'

const given = { tag: 'users', summary: 'A route of the test.', access: 'user' } as const
const personSchema = z.strictObject({ name: z.string().min(1), age: z.int().exactOptional() })

const echo = defineRoute({
  ...{ ...given, method: 'POST', path: '/people/:person_id', creates: true, status: 201 },
  params: z.strictObject({ person_id: z.string().max(5) }),
  query: z.strictObject({ limit: z.coerce.number().int().default(7) }),
  body: personSchema,
  answer: z.object({ person_id: z.string(), limit: z.number(), name: z.string() }),
  handle: ({ params, query, body }) => ({ ...params, ...query, ...body, password: 'canary' }),
})

const json = { 'content-type': 'application/json' }
const post = (url: string, body: unknown) =>
  ({ method: 'POST', url, headers: json, body: JSON.stringify(body) }) as const

test('an answer has the status of its route and nothing that is not described', async () => {
  await using app = await serveRoutes([echo])
  const response = await app.inject(post('/people/p1', { name: 'Ada', age: 3 }))
  expect(response.statusCode).toBe(201)
  expect(response.json()).toEqual({ person_id: 'p1', limit: 7, name: 'Ada' })
  expect(response.headers['content-type']).toContain('application/json')
})

test.each([
  ['/people/p1', { name: 'Ada', nmae: 'x' }, 'nmae'],
  ['/people/p1', { name: '' }, 'name'],
  ['/people/p1?limit=many', { name: 'Ada' }, 'limit'],
  ['/people/p1?lmit=1', { name: 'Ada' }, 'lmit'],
  ['/people/longer-than-5', { name: 'Ada' }, 'person_id'],
])('%s with %j is refused with the name of the field [D16.4]', async (url, body, field) => {
  await using app = await serveRoutes([echo])
  const response = await app.inject(post(url, body))
  expect(response.statusCode).toBe(400)
  expect(response.json()).toMatchObject({
    error_code: 'invalid_request',
    details: { errors: [{ path: field }] },
  })
})

test('a route without an answer sends 204 and no body', async () => {
  const route = defineRoute({ ...given, method: 'DELETE', path: '/x', handle: () => undefined })
  await using app = await serveRoutes([route])
  const response = await app.inject({ method: 'DELETE', url: '/x' })
  expect([response.statusCode, response.body]).toEqual([204, ''])
})

test('an answer that is not as described is a failure of ours, not sent', async () => {
  const route = defineRoute({
    ...{ ...given, method: 'GET', path: '/x', answer: z.object({ n: z.number() }) },
    handle: () => ({ n: 'canary' as unknown as number }),
  })
  await using app = await serveRoutes([route])
  const response = await app.inject('/x')
  expect(response.statusCode).toBe(500)
  expect(response.body).not.toContain('canary')
})

test('a raw route sends what it likes, and reads a body of any type itself', async () => {
  const route = defineRoute({
    ...{ ...given, method: 'PUT', path: '/x' },
    raw: { consumes: 'application/octet-stream', produces: 'text/csv' },
    async handle({ request, reply }) {
      let length = 0
      for await (const chunk of request.raw) length += (chunk as Buffer).length
      return reply.type('text/csv').send(`bytes\n${length}\n`)
    },
  })
  await using app = await serveRoutes([route, echo])
  const headers = { 'content-type': 'application/octet-stream' }
  const body = Buffer.alloc(1000)
  const response = await app.inject({ method: 'PUT', url: '/x', headers, body })
  expect([response.statusCode, response.body]).toEqual([200, 'bytes\n1000\n'])
  const refused = await app.inject({ method: 'POST', url: '/people/p1', headers, body })
  expect(refused.statusCode).toBe(415)
})

test.each(['', '{', '[1,', '{"__proto__": {"role": "admin"}}', '['.repeat(5000)])(
  'the body %j is refused [T16, T17]',
  async (body) => {
    await using app = await serveRoutes([echo])
    const response = await app.inject({ method: 'POST', url: '/people/p1', headers: json, body })
    expect(response.statusCode).toBe(400)
  },
)

test('the signal aborts when the caller leaves before the answer', async () => {
  const left = Promise.withResolvers<void>()
  const arrived = Promise.withResolvers<void>()
  const route = defineRoute({
    ...{ ...given, method: 'GET', path: '/x' },
    async handle({ signal }) {
      signal.addEventListener('abort', () => left.resolve())
      arrived.resolve()
      await left.promise
    },
  })
  await using app = await serveRoutes([route])
  const url = await app.listen({ port: 0 })
  const leaving = new AbortController()
  const request = fetch(`${url}/x`, { signal: leaving.signal }).catch(() => 'left')
  await arrived.promise
  leaving.abort()
  await left.promise
  expect(await request).toBe('left')
})
