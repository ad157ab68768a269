import { expect, test } from 'vitest'
import { createTestApp, testKey } from '../testing/test-app.ts'
import { principalOf } from './gate.ts'

test('a route that does not say who may call it keeps the server from starting [T36]', async () => {
  const start = createTestApp({ extend: (app) => void app.get('/api/v1/forgotten', async () => 1) })
  await expect(start).rejects.toThrow('GET /api/v1/forgotten does not say who may call it')
})

test('a route of a plugin is checked as well', async () => {
  const start = createTestApp({
    extend: (app) => void app.register(async (inner) => void inner.post('/x', async () => 1)),
  })
  await expect(start).rejects.toThrow('POST /x does not say')
})

test('without a key or with a wrong one the answer is 401 and names the way in [D19.3]', async () => {
  await using server = await createTestApp()
  for (const headers of [{}, { 'x-api-key': 'wrong' }]) {
    const response = await server.app.inject({ url: '/api/v1/me', headers })
    expect(response.statusCode).toBe(401)
    expect(response.json().error_code).toBe('unauthenticated')
    expect(response.headers['www-authenticate']).toContain('ApiKey')
  }
})

test('a key in X-API-Key says who calls [D19.2]', async () => {
  await using server = await createTestApp()
  const headers = { 'x-api-key': testKey }
  const response = await server.app.inject({ url: '/api/v1/me', headers })
  expect(response.json()).toMatchObject({ tenant_id: 'default', user_id: 'tester', role: 'user' })
})

test('a role below the one that the route asks for gets 403', async () => {
  await using server = await createTestApp({
    extend: (app) => void app.get('/x', { config: { access: 'admin' } }, async () => 1),
  })
  const response = await server.app.inject({ url: '/x', headers: { 'x-api-key': testKey } })
  expect(response.statusCode).toBe(403)
})

test('the caller is asked for before the body is read', async () => {
  await using server = await createTestApp({
    extend: (app) => void app.post('/x', { config: { access: 'user' } }, async () => 1),
  })
  const headers = { 'content-type': 'application/json' }
  const response = await server.app.inject({ method: 'POST', url: '/x', headers, body: '{' })
  expect(response.statusCode).toBe(401)
})

test('a public route has no principal to ask for', async () => {
  await using server = await createTestApp({
    extend: (app) =>
      void app.get('/x', { config: { access: 'public' } }, async (request) => principalOf(request)),
  })
  const response = await server.app.inject({ url: '/x', headers: { 'x-api-key': testKey } })
  expect(response.statusCode).toBe(500)
})

test.each(['api_key', 'token', 'access_token', 'key', 'X-Api-Key', 'apiKey'])(
  'a secret in the URL as %s is refused, said why, and not logged [T44]',
  async (name) => {
    await using server = await createTestApp()
    const url = `/api/v1/me?a=1&${name}=canary-in-the-url`
    const response = await server.app.inject({ url, headers: { 'x-api-key': testKey } })
    expect(response.statusCode).toBe(400)
    expect(response.json().message).toContain('X-API-Key')
    const health = await server.app.inject(`/api/v1/health?${name}=canary-in-the-url`)
    expect(health.statusCode).toBe(400)
    expect(JSON.stringify(server.records) + response.body).not.toContain('canary')
  },
)
