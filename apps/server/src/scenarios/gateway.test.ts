import { request } from 'node:http'
import { startHostileHttp, waitFor } from '@dataagent/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestPlatform, type TestPlatform } from '../testing/test-platform.ts'

let server: TestPlatform
let key: string

beforeAll(async () => {
  server = await startTestPlatform()
  key = await makeGroup(server)
})
afterAll(() => server[Symbol.asyncDispose]())

async function makeGroup(at: TestPlatform): Promise<string> {
  const { body } = await at.ask('POST', '/mcp-groups', {
    as: 'boss',
    json: { group_id: 'all', name: 'All', tools: [{ server_id: '*', tool: '*' }] },
  })
  return String(body.key)
}

interface Sent {
  path?: string
  method?: string
  headers?: Record<string, string>
  body?: string
}

/** By node:http, which lets Host and Origin be anything. */
function send(at: TestPlatform, { path = '/mcp', method = 'POST', headers, body }: Sent) {
  const { promise, resolve, reject } = Promise.withResolvers<{
    status: number
    headers: Record<string, unknown>
    text: string
  }>()
  const sent = request(`${at.url}${path}`, { method, headers: headers ?? {} }, (answer) => {
    let text = ''
    answer.setEncoding('utf8')
    answer.on('data', (chunk) => {
      text += chunk
    })
    const { statusCode: status = 0, headers: got } = answer
    answer.on('end', () => resolve({ status, headers: got, text }))
  })
  sent.on('error', reject)
  sent.end(body)
  return promise
}

const rpc = (method: string, params?: object) =>
  JSON.stringify({ jsonrpc: '2.0', id: 0, method, ...(params && { params }) })

const asClient = () => ({ authorization: `Bearer ${key}`, 'content-type': 'application/json' })

test('tools are listed beside the API, with a request id, a record and a metric', async () => {
  const headers = { ...asClient(), 'x-request-id': 'from-outside-1' }
  const listed = await send(server, { headers, body: rpc('tools/list') })
  expect(listed).toMatchObject({ status: 200, headers: { 'x-request-id': 'from-outside-1' } })
  expect(JSON.parse(listed.text).id).toBe(0)
  await waitFor(() => server.records.find(({ request_id }) => request_id === 'from-outside-1'))
  const record = server.records.find(({ request_id }) => request_id === 'from-outside-1')
  expect(record).toMatchObject({ method: 'POST', path: '/mcp', status: 200 })
  const metrics = await server.ask<string>('GET', '/metrics', { as: 'operator' })
  expect(JSON.stringify(metrics.body)).toContain('/mcp')
})

test('what a caller asks for is no label of a metric', async () => {
  for (let i = 0; i < 20; i += 1) {
    await send(server, { method: 'GET', path: `/mcp/oauth/made-up-${i}` })
    await send(server, { method: 'GET', path: `/.well-known/oauth-made-up-${i}` })
  }
  const { body } = await server.ask<string>('GET', '/metrics', { as: 'operator' })
  expect(JSON.stringify(body)).toContain('/mcp/oauth')
  expect(JSON.stringify(body)).not.toContain('made-up')
})

test('a path that only leads to an endpoint is none', async () => {
  for (const path of ['/mcp/oauth/../../mcp', '/mcp/oauth/..%2f..%2fmcp', '/mcp/./', '//mcp']) {
    const headers = { ...asClient(), origin: 'https://evil.example' }
    const { status, headers: got } = await send(server, { path, headers, body: rpc('tools/list') })
    expect({ path, isServed: status === 200 }).toEqual({ path, isServed: false })
    expect(got['access-control-allow-origin']).not.toBe('https://evil.example')
  }
})

describe('from a foreign page', () => {
  test.each([
    [{ origin: 'http://evil.example' }],
    [{ origin: 'null' }],
    [{ host: 'evil.example' }],
    [{ host: 'evil.example', origin: 'http://evil.example' }],
  ])('a request with %o is refused on every endpoint', async (foreign) => {
    for (const path of [
      '/mcp',
      '/mcp/g/all',
      '/mcp/v1/sse',
      '/mcp/v1/messages',
      '/api/v1/mcp/messages',
      '/api/v1/mcp/jsonrpc',
    ]) {
      const headers = { ...asClient(), ...foreign }
      const { status } = await send(server, { path, headers, body: rpc('tools/list') })
      expect({ path, status }).toEqual({ path, status: 403 })
    }
  })

  test('a Host of others reaches no page of consent', async () => {
    const headers = { host: 'evil.example' }
    const asked = { path: '/mcp/oauth/authorize', method: 'GET', headers }
    expect((await send(server, asked)).status).toBe(403)
  })

  test('what is public may be read by any', async () => {
    const headers = { origin: 'http://any.example' }
    const path = '/.well-known/oauth-authorization-server'
    const { status, headers: got } = await send(server, { path, method: 'GET', headers })
    expect(status).toBe(200)
    expect(got['access-control-allow-origin']).toBe('*')
  })
})

test('the form of the consent page, which browsers send without an origin, reaches it', async () => {
  const { status, headers } = await send(server, {
    path: '/mcp/oauth/authorize/submit',
    headers: { origin: 'null', 'content-type': 'application/x-www-form-urlencoded' },
    body: 'tx=none',
  })
  expect(String(headers['content-type'])).toContain('text/html')
  expect(status).toBeGreaterThanOrEqual(400)
})

test('one who is not let in is told where to be, at the address that clients use', async () => {
  await using named = await startTestPlatform({ config: { public_url: 'https://tools.example' } })
  const headers = { host: 'tools.example', 'content-type': 'application/json' }
  const { status, headers: got } = await send(named, { headers, body: rpc('tools/list') })
  expect(status).toBe(401)
  expect(got['www-authenticate']).toContain(
    'resource_metadata="https://tools.example/.well-known/oauth-protected-resource/mcp"',
  )
})

test('where it is switched off there is none', async () => {
  await using off = await startTestPlatform({ config: { gateway: false } })
  const { status } = await send(off, { headers: asClient(), body: rpc('tools/list') })
  expect(status).toBe(404)
  const { body } = await off.ask('GET', '/mcp-groups', { as: 'boss' })
  expect(body).toMatchObject({ error_code: 'not_found' })
})

describe('each setting of the gateway has its effect [E7.1]', () => {
  const start = (config: Parameters<typeof startTestPlatform>[0]) => startTestPlatform(config)

  test('names, version and callback', async () => {
    await using at = await start({
      config: {
        mcp_protocol_version: '2025-03-26',
        mcp_server_name: 'AnmeiSmart MCP Server',
        mcp_server_identifier: 'anmeismart-mcp-server',
        mcp_auth_base_url: 'http://host.example/mcp/oauth/authorize',
        mcp_oauth_redirect_uri: 'http://127.0.0.1:1/callback',
      },
    })
    const own = await makeGroup(at)
    const headers = { authorization: `Bearer ${own}`, 'content-type': 'application/json' }
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: {} }
    const standard = await send(at, { headers, body: rpc('initialize', params) })
    expect(JSON.parse(standard.text).result.serverInfo).toMatchObject({
      name: 'anmeismart-mcp-server',
      title: 'AnmeiSmart MCP Server',
    })
    const path = '/api/v1/mcp/jsonrpc'
    const seed = await send(at, { path, headers, body: rpc('initialize', params) })
    expect(JSON.parse(seed.text).result).toMatchObject({
      protocolVersion: '2025-03-26',
      serverInfo: { name: 'AnmeiSmart MCP Server' },
      status: 'success',
    })
    const asked = await send(at, { path, body: rpc('initialize', {}) })
    const { authorization_url } = JSON.parse(asked.text).result
    expect(authorization_url).toMatch(/^http:\/\/host\.example\/mcp\/oauth\/authorize\?/)
    expect(new URL(authorization_url).searchParams.get('redirect_uri')).toBe(
      'http://127.0.0.1:1/callback',
    )
  })

  test('limits, and how long a token holds', async () => {
    await using mall = await startHostileHttp('none')
    await using at = await start({
      config: {
        ...{ mcp_rl_list_limit: 2, mcp_rl_call_limit: 3, mcp_session_ttl_seconds: 120 },
        allowed_addresses: ['127.0.0.1'],
      },
    })
    const json = { config: { name: 'mall', url: mall.url } }
    const { body } = await at.ask('POST', '/mcp-servers', { as: 'boss', json })
    await at.platform.hub.whenOffered({ tenant_id: 'acme', server_id: String(body.server_id) })
    const own = await makeGroup(at)
    const headers = { authorization: `Bearer ${own}`, 'content-type': 'application/json' }
    const statuses = []
    for (let i = 0; i < 3; i += 1) {
      statuses.push((await send(at, { headers, body: rpc('tools/list') })).status)
    }
    expect(statuses).toEqual([200, 200, 429])
    const call = rpc('tools/call', { name: 'touch', arguments: {} })
    const calls = []
    for (let i = 0; i < 4; i += 1) calls.push(await send(at, { headers, body: call }))
    expect(calls.map(({ status }) => status)).toEqual([200, 200, 200, 429])
    for (const { text } of calls.slice(0, 3)) expect(JSON.parse(text).result.isError).toBeFalsy()
    expect(JSON.parse(String(calls[3]?.text)).error.message).toBe('Rate limit exceeded')
    const path = '/api/v1/mcp/jsonrpc'
    const { text } = await send(at, { path, headers, body: rpc('initialize', {}) })
    const found = await at.platform.gateway?.tokens.introspect(JSON.parse(text).result.sessionToken)
    if (!found?.active || !('session' in found)) throw new Error('no session')
    const { created_at, expires_at } = found.session
    expect(expires_at - created_at).toBe(120_000)
  })

  test('no limits where they are switched off, and a window as long as it is set', async () => {
    await using off = await start({ config: { mcp_rl_list_limit: 1, mcp_rl_enabled: false } })
    await using short = await start({
      config: { mcp_rl_list_limit: 1, mcp_rl_window_seconds: 1 },
    })
    for (const [at, second] of [
      [off, 200],
      [short, 429],
    ] as const) {
      const headers = {
        authorization: `Bearer ${await makeGroup(at)}`,
        'content-type': 'application/json',
      }
      const list = async () => (await send(at, { headers, body: rpc('tools/list') })).status
      expect([await list(), await list()]).toEqual([200, second])
      await waitFor(async () => (await list()) === 200, { timeoutMs: 10_000 })
    }
  })
})
