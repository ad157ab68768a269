import { isAppError } from '@dataagent/schema'
import type { DifyProfile } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { openSse } from './test-clients.ts'
import { nineTools, paths, startClinicGateway, type Way } from './test-clinic.ts'
import { createMovingClock } from './test-moving-clock.ts'
import { ask, request, send } from './test-wire.ts'

const ways = Object.keys(paths) as Way[]

/** What was sent, without what differs from run to run. */
function tripOf({ requests }: DifyProfile): string[] {
  return requests.map(({ method, url, status }) => {
    const { pathname } = new URL(url)
    return `${method} ${pathname} ${status}`
  })
}

const discovery = (path: string) => [
  `GET /.well-known/oauth-protected-resource${path} 200`,
  'GET /.well-known/oauth-authorization-server 200',
  'POST /mcp/oauth/register 201',
  'POST /mcp/oauth/token 200',
]

const difysRegistration =
  '{"client_name":"Dify","redirect_uris":["https://dify.example/console/api/mcp/oauth/callback"],' +
  '"grant_types":["refresh_token","authorization_code"],"response_types":["code"],' +
  '"token_endpoint_auth_method":"none","client_uri":"https://github.com/langgenius/dify",' +
  '"scope":null}'

async function faultOf(work: Promise<unknown>): Promise<Record<string, unknown>> {
  const error = await work.then(
    () => new Error('it went well'),
    (thrown: unknown) => thrown,
  )
  if (!isAppError(error)) throw error
  return { ...error.data, message: error.message }
}

test('DIFY-1: id 0, no protocol header, a GET before initialized, and a DELETE [E1.2][E8.2]', async () => {
  const { dify, key } = await startClinicGateway()
  const profile = dify('streamable', { key })
  expect((await profile.listTools()).map(({ name }) => name).sort()).toEqual(nineTools)
  const trip = tripOf(profile)
  expect(trip.toSorted()).toEqual([
    'DELETE /mcp 204',
    'GET /mcp 200',
    'POST /mcp 200',
    'POST /mcp 200',
    'POST /mcp 202',
  ])
  expect(profile.requests[0]?.body).toContain('"id":0}')
})

test('DIFY-2: over SSE with the endpoint at once and comments as heartbeats [E1.1]', async () => {
  const clock = createMovingClock()
  const { dify, key, url, customer_id } = await startClinicGateway({ clock })
  const profile = dify('sse', { key })
  expect(await profile.listTools()).toHaveLength(9)
  const { structuredContent } = await profile.callTool('get_user_profile', { user_id: customer_id })
  expect(structuredContent).toMatchObject({ user_id: customer_id })

  const { stream } = await openSse(url, key)
  expect(stream.headers.get('content-type')).toBe('text/event-stream')
  expect(stream.events[0]).toMatchObject({ event: 'endpoint' })
  clock.advance(15_001)
  await expect.poll(() => stream.comments.length).toBe(1)
  expect(stream.events.every(({ data }) => data !== '')).toBe(true)
})

test.each([
  ['DIFY-3', 'streamable', ['POST /mcp 401'], 'POST /mcp 200'],
  [
    'DIFY-4',
    'jsonrpc',
    ['GET /api/v1/mcp/jsonrpc 401', 'POST /api/v1/mcp/jsonrpc 401'],
    'GET /api/v1/mcp/jsonrpc 200',
  ],
  ['DIFY-5', 'sse', ['GET /mcp/v1/sse 401'], 'GET /mcp/v1/sse 200'],
] as const)(
  '%s: from 401 over %s to nine tools in five categories and a call [E2.1][E2.2][E2.3][E8.2]',
  async (_id, way, refused, let_in) => {
    const { dify, customer_id } = await startClinicGateway()
    const profile = dify(way)
    const begun = performance.now()
    const tools = await profile.listTools()
    console.info(`${way}: from 401 to nine tools in ${Math.round(performance.now() - begun)} ms`)
    const path = paths[way]
    expect(tripOf(profile).slice(0, refused.length + 5)).toEqual([
      ...refused,
      ...discovery(path),
      let_in,
    ])
    const registration = profile.requests.find(({ url }) => url.endsWith('/register'))
    expect(registration?.body).toBe(difysRegistration)
    expect(tools.map(({ name }) => name).sort()).toEqual(nineTools)
    const categories = tools.map(
      ({ _meta }) => (_meta as Record<string, unknown>)?.['dataagent/category'],
    )
    expect(new Set(categories)).toEqual(
      new Set(['user', 'customer', 'consultation', 'treatment', 'projects']),
    )
    const result = await profile.callTool('get_user_profile', { user_id: customer_id })
    expect(result.structuredContent).toMatchObject({ user_id: customer_id })
    expect(result.content.map(({ type }) => type)).toEqual(['text'])
    expect(JSON.parse(String(result.content[0]?.text))).toEqual(result.structuredContent)
  },
)

test.each(ways)(
  'DIFY-6: an expired token is refreshed over %s, by six at once too [E2.4]',
  async (way) => {
    const clock = createMovingClock()
    const settings = { session_ttl_seconds: 60 }
    const { dify } = await startClinicGateway({ clock, settings })
    const profile = dify(way)
    await profile.listTools()
    const first = profile.tokens
    clock.advance(61_000)
    expect(await profile.listTools()).toHaveLength(9)
    expect(profile.tokens?.access_token).not.toBe(first?.access_token)
    expect(profile.tokens?.refresh_token).toMatch(/^rt_/)
    expect(profile.tokens?.refresh_token).not.toBe(first?.refresh_token)
    clock.advance(61_000)
    const six = Array.from({ length: 6 }, () => profile.listTools())
    for (const tools of await Promise.all(six)) expect(tools).toHaveLength(9)
    expect(await profile.listTools()).toHaveLength(9)
    const registered = profile.requests.filter(({ url }) => url.endsWith('/register'))
    expect(registered).toHaveLength(1)
  },
)

test('DIFY-6: a refresh token that comes again after the grace ends the whole family [E2.4]', async () => {
  const clock = createMovingClock()
  const { dify } = await startClinicGateway({ clock, settings: { session_ttl_seconds: 60 } })
  const profile = dify('streamable')
  await profile.listTools()
  const first = profile.tokens
  clock.advance(61_000)
  await profile.listTools()
  const second = profile.tokens
  clock.advance(31_000)
  profile.tokens = first
  expect(await faultOf(profile.listTools())).toMatchObject({ kind: 'authentication' })
  profile.tokens = second
  expect(await faultOf(profile.listTools())).toMatchObject({ kind: 'authentication' })
  expect(await profile.reauthorize()).toHaveLength(9)
})

test('DIFY-7: a POST to a live stream is answered 202, whatever it holds [E1.1][E5.1][E5.2]', async () => {
  const clock = createMovingClock()
  const settings = { session_ttl_seconds: 60, rate_limits: { list_limit: 1 } }
  const { dify, url } = await startClinicGateway({ clock, settings })
  const profile = dify('sse')
  await profile.listTools()
  clock.advance(61_000)
  await profile.callTool('search_users', {})
  const client = await openSse(url, String(profile.tokens?.access_token))
  const errorOf = async (id: number, method: string) => (await client.ask(url, id, method)).error

  expect(await errorOf(1, 'no/such')).toMatchObject({ code: -32601 })
  await client.ask(url, 2, 'tools/list')
  expect(await errorOf(3, 'tools/list')).toMatchObject({ message: 'Rate limit exceeded' })
  expect(await errorOf(4, 'tools/call')).toMatchObject({ code: -32602 })
  for (const [body, code] of [
    ['{"jsonrpc"', -32700],
    ['[]', -32600],
    ['7', -32600],
    [`${'['.repeat(500)}${']'.repeat(500)}`, -32600],
    [{ jsonrpc: '1.0', id: 5, method: 'ping' }, -32600],
  ] as const) {
    const before = client.stream.messages.length
    expect((await client.post(url, body)).status).toBe(202)
    await expect.poll(() => client.stream.messages.length).toBe(before + 1)
    expect(client.stream.messages.at(-1)?.error?.code).toBe(code)
  }
  expect((await client.post(url, { jsonrpc: '2.0', id: 99, result: {} })).status).toBe(202)
  clock.advance(61_000)
  expect((await client.post(url, request(6, 'tools/list'))).status).toBe(202)
  const expired = await client.stream.until(({ id }) => id === 6)
  expect(expired.error).toMatchObject({ code: 401, message: 'Invalid API Key or OAuth Token' })
})

test('DIFY-7: nor is a token refused that was renewed since the stream was opened [E2.4]', async () => {
  const clock = createMovingClock()
  const { dify, url } = await startClinicGateway({ clock, settings: { session_ttl_seconds: 60 } })
  const profile = dify('streamable')
  await profile.listTools()
  const client = await openSse(url, String(profile.tokens?.access_token))
  clock.advance(61_000)
  await profile.listTools()
  const renewed = String(profile.tokens?.access_token)
  expect((await client.post(url, request(1, 'tools/list'), renewed)).status).toBe(202)
  expect((await client.stream.until(({ id }) => id === 1)).result.tools).toHaveLength(9)
  clock.advance(61_000)
  expect((await client.post(url, request(2, 'tools/list'), renewed)).status).toBe(202)
  expect((await client.stream.until(({ id }) => id === 2)).error).toMatchObject({ code: 401 })
})

test('DIFY-8: parts of the type json are for the JSON-RPC endpoint alone [E4.2]', async () => {
  const { url, key, customer_id, dify } = await startClinicGateway()
  const params = { name: 'get_user_profile', arguments: { user_id: customer_id } }
  const call = request(1, 'tools/call', params)
  const seed = await ask(url + paths.jsonrpc, { body: request(0, 'initialize', { apiKey: key }) })
  const { sessionToken } = seed.result
  for (const token of [key, sessionToken]) {
    const streamable = await ask(`${url}/mcp`, { token, body: call })
    const sse = await (await openSse(url, token)).ask(url, 1, 'tools/call', params)
    const discovering = await openSse(url, token, { path: paths.jsonrpc })
    const discovery = await discovering.ask(url, 1, 'tools/call', params)
    for (const { result } of [streamable, sse, discovery]) {
      expect(result.content.map(({ type }: { type: string }) => type)).toEqual(['text'])
      expect(result.structuredContent).toMatchObject({ user_id: customer_id })
    }
    const { result } = await ask(url + paths.jsonrpc, { token, body: call })
    expect(result.content).toMatchObject([
      { type: 'json', json: { user_id: customer_id } },
      { type: 'text' },
    ])
    expect(JSON.parse(result.content[1].text)).toEqual(result.content[0].json)
  }
  expect(await dify('jsonrpc', { key }).callTool('search_users', {})).toMatchObject({
    content: [{ type: 'text' }],
  })
})

test('DIFY-8: the version that is asked for is spoken [E1.2]', async () => {
  const { url, key: token } = await startClinicGateway()
  for (const protocolVersion of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
    const body = request(0, 'initialize', { protocolVersion, capabilities: {} })
    expect((await ask(`${url}/mcp`, { token, body })).result).toMatchObject({ protocolVersion })
    const stream = await openSse(url, token)
    await stream.post(url, { ...body, id: 7 })
    const { result } = await stream.stream.until(({ id }) => id === 7)
    expect(result).toMatchObject({ protocolVersion })
  }
})

test('DIFY-9: a relative callback gets advice, and never a redirect [E2.3]', async () => {
  const settings = { oauth_redirect_uri: 'https://dify.example/callback' }
  const { dify, url } = await startClinicGateway({ settings })
  const profile = dify('streamable', { consoleUrl: '' })
  expect(await faultOf(profile.listTools())).toMatchObject({
    kind: 'authentication',
    message: expect.stringContaining('the registration was answered 400'),
  })
  const registration = profile.requests.at(-1)
  const answer = await send(String(registration?.url), { body: String(registration?.body) })
  await answer.ended
  expect(answer.text()).toContain('CONSOLE_API_URL')

  const asked = new URLSearchParams({
    ...{ response_type: 'code', client_id: 'dify', state: 's', code_challenge_method: 'S256' },
    ...{ code_challenge: 'a'.repeat(43), redirect_uri: '/console/api/mcp/oauth/callback' },
  })
  const page = await send(`${url}/mcp/oauth/authorize?${asked}`, { method: 'GET' })
  expect(page.status).toBe(400)
  expect(page.headers.get('location')).toBeNull()
})

test.each(ways)('DIFY-10: a key as header is enough over %s [E1.1][E1.2]', async (way) => {
  const { dify, key, customer_id } = await startClinicGateway()
  const profile = dify(way, { key })
  expect(await profile.listTools()).toHaveLength(9)
  const result = await profile.callTool('analyze_customer', { customer_id })
  expect(result.isError).toBeFalsy()
  expect(profile.requests.some(({ url }) => url.includes('oauth'))).toBe(false)
  const wrong = dify(way, { key: 'mk_wrong' })
  expect(await faultOf(wrong.listTools())).toMatchObject({ kind: 'authentication', code: 401 })
})

test('DIFY-11: every well-known address that is not used is a plain 404 [E2.3]', async () => {
  const { url } = await startClinicGateway()
  const unused = [
    ...['', '/mcp', '/mcp/v1/sse', '/api/v1/mcp/jsonrpc'].map(
      (path) => `/.well-known/openid-configuration${path}`,
    ),
    ...['/mcp', '/mcp/v1/sse'].map((path) => `/.well-known/oauth-authorization-server${path}`),
    ...['/mcp', '/mcp/v1/sse'].map((path) => `${path}/.well-known/openid-configuration`),
    '/.well-known/oauth-protected-resource/no-such',
    '/.well-known/oauth-protected-resource/mcp/g/',
  ]
  for (const path of unused) {
    const answer = await send(url + path, { method: 'GET', headers: { accept: '*/*' } })
    expect([path, answer.status]).toEqual([path, 404])
    expect(answer.headers.get('content-type')).toContain('application/json')
  }
})

test('DIFY-12: over the limit each address answers as its clients understand [E5.1][E5.2]', async () => {
  const settings = { rate_limits: { call_limit: 2 } }
  const { dify, key, url } = await startClinicGateway({ settings })
  const call = request(1, 'tools/call', { name: 'search_users', arguments: {} })
  const limited = { code: -32000, message: 'Rate limit exceeded' }
  for (let n = 0; n < 2; n++) {
    expect((await ask(`${url}/mcp`, { token: key, body: call })).result).toBeDefined()
  }
  const streamable = await send(`${url}/mcp`, { token: key, body: call })
  await streamable.ended
  expect(streamable.status).toBe(429)
  expect(Number(streamable.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(streamable.messages[0]).toMatchObject({ id: 1, error: limited })
  const jsonrpc = await ask(url + paths.jsonrpc, { token: key, body: call })
  expect(jsonrpc).toMatchObject({ status: 200, id: 1, error: limited })
  const sse = await openSse(url, key)
  expect((await sse.post(url, call)).status).toBe(202)
  expect(await sse.stream.until(({ id }) => id === 1)).toMatchObject({ error: limited })
  for (const way of ways) {
    const { kind } = await faultOf(dify(way, { key }).callTool('search_users', {}))
    expect(kind).toBe('connection')
  }
})

test('DIFY-12: another consent by the same key is no new quota [E5.1] [T32]', async () => {
  const { dify } = await startClinicGateway({ settings: { rate_limits: { list_limit: 2 } } })
  const [one, other] = [dify('streamable'), dify('streamable')]
  expect(await one.listTools()).toHaveLength(9)
  expect(await other.listTools()).toHaveLength(9)
  expect(other.tokens?.access_token).not.toBe(one.tokens?.access_token)
  await expect(one.listTools()).rejects.toThrow()
  await expect(other.listTools()).rejects.toThrow()
})
