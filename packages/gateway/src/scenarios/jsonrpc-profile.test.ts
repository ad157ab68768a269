import { createConsent } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { openSse } from './test-clients.ts'
import { nineTools, paths, startClinicGateway } from './test-clinic.ts'
import { admin, startTestGateway } from './test-gateway.ts'
import { createMovingClock } from './test-moving-clock.ts'
import { ask, request, send } from './test-wire.ts'

const initialize = (params: object = {}) => request(0, 'initialize', params)

test('without a key the answer is a 401 that says where to authorise [E2.1]', async () => {
  const { url } = await startClinicGateway()
  const wire = await send(url + paths.jsonrpc, { body: initialize() })
  await wire.ended
  expect(wire.status).toBe(401)
  expect(wire.headers.get('www-authenticate')).toContain(
    `resource_metadata="${url}/.well-known/oauth-protected-resource/api/v1/mcp/jsonrpc"`,
  )
  expect(wire.messages[0]).toMatchObject({
    id: 0,
    result: {
      protocolVersion: '2024-11-05',
      capabilities: {},
      serverInfo: { name: 'DataAgent', version: '1.2.3' },
      status: 'authorization_required',
      authorization_url: expect.stringContaining(`${url}/mcp/oauth/authorize?client_id=`),
    },
  })
})

const places = {
  params: (shown: string, name: 'apiKey' | 'sessionToken') => ({
    body: initialize({ [name]: shown }),
  }),
  header: (token: string) => ({ token, body: initialize() }),
}

test.each(Object.entries(places))(
  'what is wrong, expired or revoked in the %s leads back to authorisation [E2.1][E2.4][E6.1]',
  async (_place, show) => {
    const clock = createMovingClock()
    const settings = { session_ttl_seconds: 60 }
    const { url, key, workers } = await startClinicGateway({ clock, settings })
    const { groups } = workers[0].gateway
    const asked = async (shown: string, name: 'apiKey' | 'sessionToken' = 'apiKey') => {
      const wire = await send(url + paths.jsonrpc, show(shown, name))
      await wire.ended
      const { result } = wire.messages[0] ?? {}
      const [page, query] = String(result.authorization_url).split('?')
      const asks = new URLSearchParams(query)
      const challenge = wire.headers.get('www-authenticate')
      return { result, seen: [wire.status, result.status, page, asks.get('resource'), challenge] }
    }
    const again = [
      ...[401, 'reauthorization_required', `${url}/mcp/oauth/authorize`, url + paths.jsonrpc],
      `Bearer error="invalid_token", resource_metadata="${url}/.well-known/oauth-protected-resource/api/v1/mcp/jsonrpc", scope="mcp:read mcp:call"`,
    ]
    const letIn = [200, 'success', 'undefined', null, null]
    for (const wrong of ['mk_wrong', 'st_wrong', `${key}x`, 'neither']) {
      expect([wrong, ...(await asked(wrong)).seen]).toEqual([wrong, ...again])
    }
    const { key: short } = await groups.create(admin, {
      ...{ group_id: 'short', name: 'Short', tools: [], key_expires_at: clock.now() + 60_000 },
    })
    expect((await asked(short)).seen).toEqual(letIn)
    const { seen, result } = await asked(key)
    expect(seen).toEqual(letIn)
    expect((await asked(result.sessionToken, 'sessionToken')).seen).toEqual(letIn)
    clock.advance(60_001)
    expect((await asked(short)).seen).toEqual(again)
    expect((await asked(result.sessionToken, 'sessionToken')).seen).toEqual(again)
    const { sessionToken } = (await asked(key)).result
    await groups.revokeKey(admin, 'all')
    expect((await asked(key)).seen).toEqual(again)
    expect((await asked(sessionToken, 'sessionToken')).seen).toEqual(again)
  },
)

test('a plain result is text alone, by key and by sessionToken [E4.2]', async () => {
  const { workers, key } = await startTestGateway()
  const at = workers[0].url + paths.jsonrpc
  const { sessionToken } = (await ask(at, { body: initialize({ apiKey: key }) })).result
  const call = { name: 'echo', arguments: { text: 'hi' } }
  for (const sent of [
    { token: key, body: request(1, 'tools/call', call) },
    { token: sessionToken, body: request(1, 'tools/call', call) },
    { body: request(1, 'tools/call', { ...call, sessionToken }) },
  ]) {
    const { status, result } = await ask(at, sent)
    expect([status, result]).toEqual([200, { content: [{ type: 'text', text: 'hi' }] }])
  }
})

test.each(['params', 'header'] as const)(
  'a right key in the %s becomes a token that lists and calls [E2.1][E4.1][E4.2]',
  async (place) => {
    const { url, key, customer_id } = await startClinicGateway()
    const at = url + paths.jsonrpc
    const shown = place === 'params' ? { body: initialize({ apiKey: key }) } : { token: key }
    const { status, result } = await ask(at, { body: initialize(), ...shown })
    expect(status).toBe(200)
    expect(result).toMatchObject({ status: 'success', group_name: 'All tools' })
    const { sessionToken } = result
    expect(sessionToken).toMatch(/^st_/)

    const list = await ask(at, { body: request(1, 'tools/list', { sessionToken }) })
    const tools: Record<string, { properties: object; required?: string[] }> = Object.fromEntries(
      list.result.tools.map((tool: { name: string; inputSchema: object }) => [
        tool.name,
        tool.inputSchema,
      ]),
    )
    expect(Object.keys(tools).sort()).toEqual(nineTools)
    expect(tools.get_user_profile?.required).toEqual(['user_id'])
    expect(tools.search_users?.properties).toMatchObject({
      keyword: { type: 'string', default: '' },
      limit: { type: 'integer', default: expect.any(Number) },
      city: { type: 'string' },
    })
    expect(tools.search_users?.required ?? []).toEqual([])
    expect(tools.optimize_plan?.properties).toMatchObject({
      items: { type: 'array', items: { type: 'object', properties: expect.any(Object) } },
    })

    const name = 'get_user_profile'
    const params = { name, arguments: { user_id: customer_id }, sessionToken }
    const { result: called } = await ask(at, { body: request(2, 'tools/call', params) })
    expect(called.content[0]).toMatchObject({ type: 'json', json: { user_id: customer_id } })
  },
)

test('two tokens that differ are refused, whichever would do [E4.2][E5.2]', async () => {
  const { url, key } = await startClinicGateway()
  const at = url + paths.jsonrpc
  const open = async () =>
    (await ask(at, { body: initialize({ apiKey: key }) })).result.sessionToken
  const [one, two] = [await open(), await open()]
  const list = (token: string, sessionToken: string) =>
    ask(at, { token, body: request(1, 'tools/list', { sessionToken }) })
  expect(await list(one, two)).toMatchObject({ status: 200, error: { code: -32602 } })
  expect(await list('st_wrong', two)).toMatchObject({ status: 200, error: { code: -32602 } })
  expect((await list(one, one)).result.tools).toHaveLength(9)
})

test('what is asked without a token, or badly, is answered with the code for it [E5.2]', async () => {
  const { url, key: token } = await startClinicGateway()
  const at = url + paths.jsonrpc
  expect(await ask(at, { body: request(1, 'tools/list') })).toMatchObject({
    status: 401,
    error: { code: -32602, message: 'Authentication required' },
  })
  for (const [body, code] of [
    ['{', -32700],
    ['[]', -32600],
    [request(1, 'no/such'), -32601],
    [request(1, 'tools/call', { name: 'no_such' }), -32602],
    [request(1, 'tools/call', { name: 'get_user_profile', arguments: {} }), -32602],
  ] as const) {
    expect(await ask(at, { token, body })).toMatchObject({ status: 200, error: { code } })
  }
})

test('the address that initialize gives ends in a token for this endpoint, also on its stream [E1.1][E2.2][E2.3]', async () => {
  const oauth_redirect_uri = 'https://dify.example/console/api/mcp/oauth/callback'
  const { url, key } = await startClinicGateway({ settings: { oauth_redirect_uri } })
  const at = url + paths.jsonrpc
  const { result } = await ask(at, { body: initialize() })
  const back = new URL(await createConsent({ key })(result.authorization_url))
  expect(`${back.origin}${back.pathname}`).toBe(oauth_redirect_uri)
  expect(back.searchParams.get('state')).toBe(
    new URL(result.authorization_url).searchParams.get('state'),
  )
  const answer = await fetch(`${url}/mcp/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      ...{ grant_type: 'authorization_code', client_id: 'dify', redirect_uri: oauth_redirect_uri },
      ...{ code: String(back.searchParams.get('code')), code_verifier: result.code_verifier },
    }),
  })
  const { access_token, group_name } = (await answer.json()) as Record<string, string>
  expect(group_name).toBe('All tools')
  const token = String(access_token)
  const { result: begun } = await ask(at, { token, body: initialize() })
  expect(begun).toMatchObject({ status: 'success', sessionToken: token })
  expect((await ask(at, { token, body: request(1, 'tools/list') })).result.tools).toHaveLength(9)
  const stream = await openSse(url, token, { path: paths.jsonrpc })
  const list = await stream.ask(url, 1, 'tools/list')
  expect(list.result?.tools).toHaveLength(9)
})

test('where discovery is open the stream names the address of authorisation [E1.1][E2.1]', async () => {
  const clock = createMovingClock()
  const { url, key } = await startClinicGateway({ clock, settings: { open_discovery: true } })
  const stream = await send(url + paths.jsonrpc, { method: 'GET' })
  expect(stream.status).toBe(200)
  await expect.poll(() => stream.events.length).toBe(1)
  const endpoint = url + stream.events[0]?.data
  expect((await send(endpoint, { body: initialize() })).status).toBe(202)
  const { error } = await stream.until(({ id }) => id === 0)
  expect(error).toMatchObject({
    code: 401,
    data: { status: 'authorization_required', authorization_url: expect.any(String) },
  })
  expect((await send(endpoint, { token: key, body: request(1, 'tools/list') })).status).toBe(202)
  expect((await stream.until(({ id }) => id === 1)).result.tools).toHaveLength(9)

  const idle = await send(url + paths.jsonrpc, { method: 'GET' })
  clock.advance(10_001)
  await idle.ended
})
