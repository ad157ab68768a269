import { expect, test } from 'vitest'
import { createClient } from '../client.ts'
import { isClientError } from '../client-error.ts'
import { type Answer, sendJson, startHttpServer } from './test-http-server.ts'

const health = { status: 'ok', version: '1', uptime: 1 }
const session = {
  ...{ session_id: 's1', user_id: 'ana', assistant_id: 'default' },
  ...{ created_at: 1, last_active: 1 },
}

const passing = (status: number, error_code: string): Answer => {
  return (response, _request, at) => {
    if (at > 0) return sendJson(response, 200, health)
    response.setHeader('retry-after', '0')
    sendJson(response, status, { error_code, message: 'later' })
  }
}

test('an answer is read by its schema, and the key is sent', async () => {
  await using server = await startHttpServer((response) => sendJson(response, 200, health))
  const client = createClient({ baseUrl: `${server.baseUrl}/`, apiKey: 'k1' })
  expect(await client.operations.health()).toEqual(health)
  expect(server.requests).toMatchObject([
    { method: 'GET', url: '/api/v1/health', headers: { 'x-api-key': 'k1' } },
  ])
})

test('a redirect is not followed: the key goes to nobody else', async () => {
  await using other = await startHttpServer((response) => sendJson(response, 200, health))
  await using server = await startHttpServer((response) => {
    response.writeHead(307, { location: `${other.baseUrl}/api/v1/sessions` }).end()
  })
  const client = createClient({ ...server, apiKey: 'k1' })
  await expect(client.sessions.create()).rejects.toMatchObject({ error_code: 'network_failed' })
  expect(other.requests).toEqual([])
})

test('an error says what the server says, under which id, and when to come back', async () => {
  await using server = await startHttpServer((response) => {
    response.setHeader('retry-after', '30')
    const details = { limit: 'max_users', max: 3 }
    sendJson(response, 429, { error_code: 'quota_exceeded', message: 'Too many.', details })
  })
  const failed = createClient(server).users.list()
  await expect(failed).rejects.toMatchObject({
    ...{ name: 'ClientError', status: 429, error_code: 'quota_exceeded', message: 'Too many.' },
    ...{ details: { limit: 'max_users', max: 3 }, request_id: 'r1', retryAfterMs: 30_000 },
  })
  expect(server.requests).toHaveLength(1)
})

test('an answer of something on the way, or one that is not as agreed, is told apart', async () => {
  await using server = await startHttpServer((response, _request, at) => {
    if (at === 0) response.writeHead(418).end('<html>')
    else sendJson(response, 200, { status: 'fine' })
  })
  const { operations } = createClient(server)
  await expect(operations.health()).rejects.toMatchObject({ error_code: 'http_418', status: 418 })
  await expect(operations.health()).rejects.toMatchObject({ error_code: 'invalid_answer' })
})

test.each([
  [503, 'unavailable'],
  [502, 'upstream_failed'],
  [429, 'rate_limited'],
  [409, 'conflict'],
])('what may pass (%i %s) is tried again', async (status, error_code) => {
  await using server = await startHttpServer(passing(status, error_code))
  expect(await createClient(server).operations.health()).toEqual(health)
  expect(server.requests).toHaveLength(2)
})

test('a connection that breaks, before or within the answer, is tried again', async () => {
  await using server = await startHttpServer((response, _request, at) => {
    if (at === 0) response.socket?.destroy()
    else if (at === 1) {
      response.writeHead(200, { 'content-length': '100' }).write('{"sta')
      setImmediate(() => response.socket?.destroy())
    } else sendJson(response, 200, health)
  })
  expect(await createClient(server).operations.health()).toEqual(health)
  expect(server.requests).toHaveLength(3)
})

test('what makes something is tried again under the same key, what does something is not', async () => {
  await using server = await startHttpServer((response, { url }, at) => {
    if (at === 0 || url.endsWith('/reask')) response.socket?.destroy()
    else sendJson(response, 201, session)
  })
  const client = createClient(server)
  await client.sessions.create({ title: 'Orders' })
  await client.sessions.create()
  const keys = server.requests.map(({ headers }) => headers['idempotency-key'])
  expect(keys).toEqual([expect.any(String), keys[0], expect.any(String)])
  expect(keys[2]).not.toBe(keys[0])

  await client.sessions.create({}, { idempotencyKey: 'mine' })
  await client.sessions.create({}, { idempotencyKey: null })
  const given = server.requests.slice(3).map(({ headers }) => headers['idempotency-key'])
  expect(given).toEqual(['mine', undefined])

  const failed = client.approvals.reask('a1')
  await expect(failed).rejects.toMatchObject({ status: 0, error_code: 'network_failed' })
  expect(server.requests).toHaveLength(6)
})

test('a pause that the server asks for is not sat out where it is long', async () => {
  await using server = await startHttpServer((response) => {
    response.setHeader('retry-after', '60')
    sendJson(response, 503, { error_code: 'unavailable', message: 'later' })
  })
  const failed = createClient(server).operations.health()
  await expect(failed).rejects.toMatchObject({ retryAfterMs: 60_000 })
  expect(server.requests).toHaveLength(1)
})

test('what stays under way is given up after four times', async () => {
  await using server = await startHttpServer((response) => {
    response.setHeader('retry-after', '0')
    sendJson(response, 409, { error_code: 'conflict', message: 'It is under way.' })
  })
  await expect(createClient(server).sessions.create()).rejects.toMatchObject({ status: 409 })
  expect(server.requests).toHaveLength(4)
})

test('a signal ends a call and the pause before it is made again', async () => {
  const leaving = new AbortController()
  await using server = await startHttpServer((response) => {
    response.setHeader('retry-after', '9')
    sendJson(response, 503, { error_code: 'unavailable', message: 'later' })
    setImmediate(() => leaving.abort(new Error('left')))
  })
  const { operations } = createClient(server)
  await expect(operations.health({ signal: leaving.signal })).rejects.toThrow('left')
  await expect(operations.health({ signal: leaving.signal })).rejects.toThrow('left')
})

test('whoever is not signed in is told so at one place', async () => {
  await using server = await startHttpServer((response) =>
    sendJson(response, 401, { error_code: 'unauthenticated', message: 'Sign in.' }),
  )
  const told: string[] = []
  const client = createClient({
    baseUrl: server.baseUrl,
    onUnauthenticated: ({ message }) => told.push(message),
  })
  const error = await client.identity.me().catch((cause: unknown) => cause)
  expect(isClientError(error, 'unauthenticated')).toBe(true)
  expect(told).toEqual(['Sign in.'])
})
