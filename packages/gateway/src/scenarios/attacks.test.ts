import { request as httpRequest } from 'node:http'
import { defineTool } from '@dataagent/hub'
import { longCount, waitFor } from '@dataagent/testkit'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { startLegacyFixture } from '../../conformance/fixture-legacy.ts'
import { callModern, modern, openSession, openSse } from './test-clients.ts'
import { admin, echo, startTestGateway } from './test-gateway.ts'
import { createMovingClock } from './test-moving-clock.ts'
import { signIn } from './test-sign-in.ts'
import { startUpstream } from './test-upstream.ts'
import { ask, type Rpc, request, send } from './test-wire.ts'

const endpoints = ['/mcp', '/mcp/g/all', '/mcp/v1/sse', '/api/v1/mcp/jsonrpc']
const list = request(1, 'tools/list')

/** Whether the endpoint lets one in with this, and how not. */
async function knock(url: string, path: string, token: string): Promise<number> {
  const isSse = path.endsWith('/sse')
  const wire = await send(url + path, { token, ...(isSse ? { method: 'GET' } : { body: list }) })
  wire.leave()
  return wire.status
}

async function withTwoGroups() {
  const gateway = await startTestGateway()
  const { groups } = gateway.workers[0].gateway
  const tools = [{ server_id: '*', tool: '*' }]
  const { key: other } = await groups.create(admin, { group_id: 'other', name: 'Other', tools })
  return { ...gateway, url: gateway.workers[0].url, groups, other }
}

test('a token opens the resource that it is for, and no other [E2.3] [T26]', async () => {
  const { url, key } = await withTwoGroups()
  const knockAll = async (token: string) =>
    Promise.all([...endpoints, '/mcp/g/other'].map((path) => knock(url, path, token)))
  const forOne = await signIn(url, { key, resource: `${url}/mcp` })
  expect(await knockAll(forOne.access_token)).toEqual([200, 401, 401, 401, 401])
  const forGroup = await signIn(url, { key, resource: `${url}/mcp/g/all` })
  expect(await knockAll(forGroup.access_token)).toEqual([200, 200, 200, 200, 401])
  const forStream = await signIn(url, { key, resource: `${url}/mcp/v1/sse` })
  expect(await knockAll(forStream.access_token)).toEqual([401, 401, 200, 401, 401])
  expect(await knockAll(key)).toEqual([200, 200, 200, 200, 401])
  // Tokens of another installation, and what only looks like one.
  const elsewhere = await withTwoGroups()
  const foreign = await signIn(elsewhere.url, { key: elsewhere.key })
  const { refresh_token, code } = forGroup
  for (const token of [foreign.access_token, elsewhere.key, refresh_token, code, 'st_', 'mk_']) {
    expect(new Set(await knockAll(token))).toEqual(new Set([401]))
  }
})

test('nothing that a client shows us reaches a server [E6.2] [T26]', async () => {
  const upstream = await startUpstream()
  const { workers, key, connect } = await startTestGateway()
  await connect({ name: 'upstream', url: upstream.url })
  const [{ url }] = workers
  const { access_token } = await signIn(url, { key })
  const secrets = {
    cookie: 'who=canary-cookie',
    'x-secret': 'canary-header',
    'mcp-param-x': 'canary-param',
  }
  for (const token of [key, access_token]) {
    const body = request(1, 'tools/call', { name: 'say', arguments: { text: 'hi' } })
    const { result } = await ask(`${url}/mcp`, { token, headers: secrets, body })
    expect(result.content).toHaveLength(1)
  }
  const seen = JSON.stringify(upstream.headers)
  expect(upstream.headers.length).toBeGreaterThan(2)
  for (const secret of [key, access_token, 'canary-']) expect(seen).not.toContain(secret)
})

test('a session is nothing to one with another key [E3.1] [T27]', async () => {
  const { url, key, other, groups } = await withTwoGroups()
  const { headers, session_id } = await openSession(url, key)
  const { access_token } = await signIn(url, { key })
  expect(session_id).toMatch(/^[\w-]{32}$/)
  for (const token of [other, access_token]) {
    for (const method of ['POST', 'GET', 'DELETE']) {
      const more = method === 'POST' ? { body: list } : {}
      const stolen = await send(`${url}/mcp`, { method, token, headers, ...more })
      expect([method, stolen.status]).toEqual([method, 404])
    }
  }
  expect((await ask(`${url}/mcp`, { token: key, headers, body: list })).status).toBe(200)

  const sse = await openSse(url, key)
  const before = sse.stream.messages.length
  for (const token of [other, access_token]) {
    expect((await sse.post(url, list, token)).status).toBe(403)
  }
  for (const token of ['mk_wrong', '']) {
    expect((await sse.post(url, list, token)).status).toBe(401)
  }
  expect(sse.stream.messages).toHaveLength(before)
  await groups.revokeKey(admin, 'all')
  expect((await ask(`${url}/mcp`, { token: key, headers, body: list })).status).toBe(401)
})

test('a token counts in the header alone, but for the JSON-RPC endpoint [E3.1][E4.2] [T27]', async () => {
  const { workers, key } = await startTestGateway()
  const [{ url }] = workers
  const inside = request(1, 'tools/list', { sessionToken: key, apiKey: key })
  for (const path of ['/mcp', '/mcp/g/all']) {
    expect((await ask(url + path, { body: inside })).status).toBe(401)
  }
  for (const name of ['access_token', 'token', 'sessionToken', 'apiKey']) {
    for (const path of endpoints) {
      const address = `${url}${path}?${name}=${key}`
      const isSse = path.endsWith('/sse')
      const wire = await send(address, isSse ? { method: 'GET' } : { body: list })
      expect([path, name, wire.status]).toEqual([path, name, 401])
    }
  }
  for (const headers of [
    { authorization: `Basic ${key}` },
    { authorization: key },
    { 'x-api-key': key },
  ]) {
    expect((await ask(`${url}/mcp`, { headers, body: list })).status).toBe(401)
  }
})

/** Of each race, at least. */
const racing = longCount(1_000, 5_000)

test(`a key that is revoked opens nothing a second later, nor do its tokens, in ${racing} calls [E3.1][E6.1] [T27]`, async () => {
  const { workers, key } = await startTestGateway({ settings: { rate_limits: { enabled: false } } })
  const { access_token } = await signIn(workers[0].url, { key })
  const call = async (n: number) => {
    const began = performance.now()
    const token = n % 2 ? key : access_token
    const { status } = await ask(`${workers[n % 4 < 2 ? 0 : 1].url}/mcp`, { token, body: list })
    return { began, status }
  }
  const late = await raceUntilLate(call, () => workers[0].gateway.groups.revokeKey(admin, 'all'))
  expect(new Set(late.map(({ status }) => status))).toEqual(new Set([401]))
})

test(`a tool that is taken from a group is called by nobody a second later, in ${racing} calls [E3.1][E4.2] [T31]`, async () => {
  const runs: number[] = []
  const tool = defineTool({
    ...{ name: 'mark', description: 'Notes that it ran.', input: z.object({}) },
    run() {
      runs.push(performance.now())
      return 'done'
    },
  })
  const { workers, key: token } = await startTestGateway({
    tools: [echo, tool],
    settings: { rate_limits: { enabled: false } },
  })
  const { access_token } = await signIn(workers[0].url, { key: token })
  const body = request(1, 'tools/call', { name: 'mark', arguments: {} })
  const call = async (n: number) => {
    const began = performance.now()
    const sent = { token: n % 3 ? token : access_token, body }
    const { error } = await ask(`${workers[n % 2 ? 0 : 1].url}/mcp`, sent)
    return { began, status: error?.code ?? 0 }
  }
  expect((await call(0)).status).toBe(0)
  const tools = [{ server_id: 'dataagent', tool: 'echo' }]
  const late = await raceUntilLate(call, () =>
    workers[0].gateway.groups.update(admin, 'all', { tools }),
  )
  expect(new Set(late.map(({ status }) => status))).toEqual(new Set([-32602]))
  const firstLate = Math.min(...late.map(({ began }) => began))
  expect(runs.filter((at) => at > firstLate)).toEqual([])
})

/** Calls without a pause while `change` is made; gives those that began over a second after it. */
async function raceUntilLate<T extends { began: number }>(
  call: (n: number) => Promise<T>,
  change: () => Promise<unknown>,
): Promise<T[]> {
  const done: T[] = []
  let changedAt = Number.POSITIVE_INFINITY
  let sent = 0
  const isOver = () => sent >= racing && performance.now() > changedAt + 1_200
  async function goOn(): Promise<void> {
    while (!isOver()) {
      sent += 1
      done.push(await call(sent))
    }
  }
  const callers = Array.from({ length: 10 }, goOn)
  await waitFor(() => done.length > 50)
  await change()
  changedAt = performance.now()
  await Promise.all(callers)
  const late = done.filter(({ began }) => began > changedAt + 1_000)
  expect(late.length).toBeGreaterThan(0)
  return late
}

test('pages of other origins and requests to other hosts are refused [E5.2] [T28]', async () => {
  const { workers, key } = await startTestGateway()
  const [{ url, gateway }] = workers
  const { host, port } = new URL(url)
  const sse = await openSse(url, key)
  const knockAs = (path: string, method: string, headers: string[]) =>
    new Promise<number>((done, fail) => {
      const asked = httpRequest(
        {
          ...{ host: '127.0.0.1', port, path, method, setHost: false, agent: false },
          headers: [
            ...['authorization', `Bearer ${key}`, 'content-type', 'application/json'],
            ...['accept', 'application/json, text/event-stream', ...headers],
          ] as never,
        },
        (answer) => {
          answer.destroy()
          done(answer.statusCode ?? 0)
        },
      )
      asked.on('error', fail)
      asked.end(method === 'POST' ? JSON.stringify(list) : undefined)
    })
  const ways: [string, string][] = [
    ['/mcp', 'POST'],
    ['/mcp/g/all', 'POST'],
    ['/mcp/v1/sse', 'GET'],
    ['/api/v1/mcp/jsonrpc', 'POST'],
    ['/api/v1/mcp/jsonrpc', 'GET'],
    [sse.endpoint, 'POST'],
  ]
  const bad = [
    ...[
      'https://evil.example',
      'null',
      '',
      `https://${host}`,
      'http://127.0.0.1',
      `${url}.evil.example`,
    ],
    ...[`${url}/`, `http://localhost:${port}`, 'file://', `${url}, ${url}`],
  ].map((origin) => ['host', host, 'origin', origin])
  const hosts = [
    'evil.example',
    `evil.example:${port}`,
    `${host}.evil.example`,
    `localhost:${port}`,
  ]
  const doubled = ['host', host, 'origin', url, 'origin', 'https://evil.example']
  for (const [path, method] of ways) {
    for (const headers of [...bad, ...hosts.map((name) => ['host', name]), doubled]) {
      expect([path, ...headers, await knockAs(path, method, headers)]).toEqual([
        path,
        ...headers,
        403,
      ])
    }
    const good = await knockAs(path, method, ['host', host, 'origin', url])
    expect([path, good]).toEqual([path, path === sse.endpoint ? 202 : 200])
  }
  expect(gateway.groups.list(admin)).toHaveLength(1)
})

const spelledRequests = longCount(200, 3_000)

test(`what the headers of ${spelledRequests} requests say is never what is called [E1.2] [T29]`, async () => {
  const ran: string[] = []
  const tools = ['alpha', 'beta'].map((name) =>
    defineTool({
      ...{ name, description: `Is ${name}.`, input: z.object({}) },
      run() {
        ran.push(name)
        return name
      },
    }),
  )
  const { workers, key: token } = await startTestGateway({
    ...{ tools, settings: { rate_limits: { enabled: false } } },
    group: [{ server_id: 'dataagent', tool: 'alpha' }],
  })
  const names = fc.constantFrom('alpha', 'beta', 'Alpha', 'alpha ', 'dataagent_beta', '', 'é')
  const methods = fc.constantFrom('tools/call', 'tools/list', 'ping', 'TOOLS/CALL')
  const toBase64 = (name: string) => `=?base64?${Buffer.from(name).toString('base64')}?=`
  const spelled = fc.oneof(
    names.map((name) => ({ sent: name, means: name.trim() })),
    names.map((name) => ({ sent: toBase64(name), means: name })),
    names.map((name) => ({
      sent: `=?base64?${Buffer.from(name).toString('base64')}!?=`,
      means: undefined,
    })),
    names.map((name) => ({ sent: encodeURIComponent(name), means: encodeURIComponent(name) })),
  )
  await fc.assert(
    fc.asyncProperty(
      names,
      spelled,
      methods,
      fc.boolean(),
      async (name, header, method, hasHeader) => {
        ran.length = 0
        const sent = modern('tools/call', { name, arguments: {} })
        const { 'mcp-name': _name, ...rest } = sent.headers
        const isSendable = /^[\x20-\x7e]*$/.test(header.sent)
        const headers = {
          ...{ ...rest, 'mcp-method': method },
          ...(hasHeader && isSendable && { 'mcp-name': header.sent }),
        }
        const { status, error, result } = await ask(`${workers[0].url}/mcp`, {
          token,
          ...sent,
          headers,
        })
        const agrees = method === 'tools/call' && hasHeader && isSendable && header.means === name
        if (!agrees) expect([status, error?.code]).toEqual([400, -32020])
        else if (name === 'alpha') expect(result.content[0].text).toBe('alpha')
        else expect(error?.code).toBe(-32602)
        expect(ran).toEqual(agrees && name === 'alpha' ? ['alpha'] : [])
      },
    ),
    { numRuns: spelledRequests },
  )
})

test('the state of a call is good for one answer of its own caller [E1.2] [T30]', async () => {
  const clock = createMovingClock()
  const upstream = await startUpstream()
  const gateway = await startTestGateway({ clock, settings: { rate_limits: { enabled: false } } })
  const { workers, key, connect } = gateway
  await connect({ name: 'upstream', url: upstream.url })
  const [{ url }] = workers
  const tools = [{ server_id: '*', tool: '*' }]
  const { key: other } = await workers[0].gateway.groups.create(admin, {
    group_id: 'b',
    name: 'B',
    tools,
  })
  const { access_token } = await signIn(url, { key })
  const capabilities = { elicitation: { form: {} }, sampling: {} }
  const begin = async () => {
    const { result } = await callModern(
      url,
      key,
      { name: 'greet', arguments: { a: 1 } },
      capabilities,
    )
    const [question = ''] = Object.keys(result.inputRequests)
    const inputResponses = { [question]: { action: 'accept', content: { name: 'Ada' } } }
    return {
      name: 'greet',
      arguments: { a: 1 },
      requestState: String(result.requestState),
      inputResponses,
    }
  }
  const refused = async (params: Parameters<typeof callModern>[2], token = key) => {
    const { error, result } = await callModern(url, token, params, capabilities)
    expect(result).toBeUndefined()
    expect(error?.code).toBe(-32602)
  }
  const good = await begin()
  const bytes = Buffer.from(good.requestState, 'base64url')
  for (const [at] of bytes.entries()) {
    const flipped = Buffer.from(bytes)
    flipped[at] = flipped[at]! ^ (1 << (at % 8))
    await refused({ ...good, requestState: flipped.toString('base64url') })
  }
  await refused({ ...good, requestState: '' })
  await refused({ ...good, requestState: `${good.requestState}A` })
  await refused({ ...good, requestState: `${good.requestState}=` })
  await refused({ ...good, requestState: good.requestState.slice(0, -4) })
  await refused({ ...good, arguments: { a: 2 } })
  await refused({ ...good, name: 'think' })
  await refused({ ...good, name: 'say' })
  await refused(good, other)
  await refused(good, access_token)
  const { result } = await callModern(url, key, good, capabilities)
  expect(JSON.parse(result.content[0].text)).toMatchObject({ content: { name: 'Ada' } })
  await refused(good)
  const late = await begin()
  clock.advance(600_001)
  await refused(late)
})

test('the state of an earlier question does not answer a later one [E1.2] [T30]', async () => {
  const fixture = await startLegacyFixture()
  onTestFinished(() => fixture[Symbol.asyncDispose]())
  const { workers, key, connect } = await startTestGateway()
  await connect({ name: 'fixture', url: fixture.url })
  const [{ url }] = workers
  const name = 'test_input_required_result_multi_round'
  const call = (more: object = {}) => callModern(url, key, { name, ...more }, { elicitation: {} })
  const toAnswer = ({ result }: Rpc, content: object) => {
    const [question = ''] = Object.keys(result.inputRequests)
    const inputResponses = { [question]: { action: 'accept', content } }
    return { requestState: result.requestState, inputResponses }
  }
  const first = toAnswer(await call(), { name: 'Ada' })
  const asksAgain = await call(first)
  expect(asksAgain.result.resultType).toBe('input_required')
  const second = toAnswer(asksAgain, { color: 'blue' })
  const replayed = { ...second, requestState: first.requestState }
  expect((await call(replayed)).error?.code).toBe(-32602)
  expect((await call(second)).result.content[0].text).toBe('Ada likes blue.')
})
