import { connect } from 'node:net'
import { fastify } from 'fastify'
import { expect, test } from 'vitest'
import { createTestApp, testConfig } from '../testing/test-app.ts'
import { sendError } from './error-response.ts'
import { addOriginCheck } from './origin-check.ts'

const url = '/api/v1/health'

async function statusFor(headers: Record<string, string>, config = {}): Promise<number> {
  await using app = fastify()
  app.setErrorHandler(sendError)
  addOriginCheck(app, testConfig({ host: '127.0.0.1', ...config }))
  app.get(url, async () => 'ok')
  return (await app.inject({ url, headers })).statusCode
}

test.each(['localhost:8000', '127.0.0.1', '127.0.0.1:9', '[::1]:8000', 'app.localhost:80'])(
  'on loopback the host %s is answered',
  async (host) => {
    expect(await statusFor({ host })).toBe(200)
  },
)

test.each(['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example:8000', '10.0.0.1'])(
  'on loopback the host %j is refused (DNS rebinding) [T28]',
  async (host) => {
    expect(await statusFor({ host })).toBe(403)
  },
)

test('the host of the public URL is answered', async () => {
  const config = { public_url: 'https://agent.example' }
  expect(await statusFor({ host: 'agent.example' }, config)).toBe(200)
})

test('the host of the consent page is answered, and no other [E7.1]', async () => {
  const mcp_auth_base_url = 'https://login.example:8443/mcp/oauth/authorize'
  const config = { public_url: 'https://agent.example', mcp_auth_base_url }
  expect(await statusFor({ host: 'login.example:8443' }, config)).toBe(200)
  expect(await statusFor({ host: 'login.example' }, config)).toBe(403)
})

test('beyond loopback any host is answered: the key decides', async () => {
  expect(await statusFor({ host: 'agent.example' }, { host: '0.0.0.0' })).toBe(200)
})

const refusedOrigins = [
  'https://evil.example',
  'null',
  'http://localhost:8000/path',
  'http://user@localhost:8000',
  'http://localhost:9999',
  'nonsense',
  'http://localhost:8000, https://evil.example',
]

test.each(refusedOrigins)('the origin %s is refused [T28]', async (origin) => {
  expect(await statusFor({ host: 'localhost:8000', origin })).toBe(403)
})

test.each(['http://localhost:8000', 'https://localhost:8000'])(
  'our own origin %s is answered',
  async (origin) => {
    expect(await statusFor({ host: 'localhost:8000', origin })).toBe(200)
  },
)

test('an origin that is configured may call, and is told so [D16.5]', async () => {
  const config = { cors_origins: ['https://app.example'] }
  await using server = await createTestApp({ config })
  const headers = { host: 'localhost:8000', origin: 'https://app.example' }
  const response = await server.app.inject({ url, headers })
  expect(response.statusCode).toBe(200)
  expect(response.headers['access-control-allow-origin']).toBe('https://app.example')
  expect(response.headers['access-control-expose-headers']).toMatch(/^x-request-id, retry-after/)

  const preflight = await server.app.inject({
    method: 'OPTIONS',
    url: '/api/v1/me',
    headers: {
      ...headers,
      'access-control-request-method': 'DELETE',
      'access-control-request-headers': 'x-api-key',
    },
  })
  expect(preflight.statusCode).toBe(204)
  expect(preflight.headers['access-control-allow-headers']).toBe('x-api-key')
  expect(preflight.headers['access-control-allow-methods']).toBe(
    'GET, HEAD, POST, PUT, PATCH, DELETE',
  )
})

test.each([
  ['for a whole URL', 'GET http://evil.example/api/v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  ['with two hosts', 'GET / HTTP/1.1\r\nHost: localhost\r\nhost: evil.example\r\n\r\n'],
])('a request %s is refused', async (_name, request) => {
  await using server = await createTestApp()
  await server.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.app.server.address() as { port: number }
  const socket = connect(port, '127.0.0.1')
  socket.end(request)
  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(chunk)
  expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1.1 400 /)
})
