import type {
  AgentList,
  ChatResponse,
  MessagesPage,
  ServerInfo,
  SessionsPage,
} from '@dataagent/schema'
import {
  lastUserText,
  type RecordedRequest,
  startFaultProxy,
  startHostileHttp,
  toolRounds,
  waitFor,
} from '@dataagent/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestPlatform, type TestPlatform } from '../testing/test-platform.ts'

/** Says what was said again; "Note" is also told to `mall`. */
function echoes(request: RecordedRequest) {
  const text = lastUserText(request)
  if (text !== 'Note' || toolRounds(request) > 0) return `You said: ${text}`
  return { toolCalls: [{ name: 'mall--echo', arguments: { message: text } }] }
}

let server: TestPlatform
beforeAll(async () => {
  const config = { cors_origins: ['https://app.example'] }
  server = await startTestPlatform({ config, script: echoes })
})
afterAll(() => server[Symbol.asyncDispose]())

describe('the API under /api/v1', () => {
  test('has chat, sessions, agents and health, each in JSON [D16.1] [D16.2] [D16.3]', async () => {
    const chat = await server.ask<ChatResponse>('POST', '/chat', { json: { message: 'Hello' } })
    expect(chat.body.events.map(({ event_type }) => event_type)).toContain('text')
    expect(chat.body.events.at(-1)).toMatchObject({ event_type: 'done', cancelled: false })
    const { session_id } = chat.body
    const one = `/sessions/${session_id}`
    const list = await server.ask<SessionsPage>('GET', '/sessions')
    expect(list.body.sessions).toMatchObject([{ session_id, user_id: 'ada' }])
    const session = await server.ask('GET', one)
    const agents = await server.ask<AgentList>('GET', '/agents')
    expect(agents.body.agents.map(({ assistant_id }) => assistant_id)).toContain('default')
    const health = await server.ask('GET', '/health', { as: null })
    for (const { status, headers } of [chat, list, session, agents, health])
      expect([status, headers.get('content-type')]).toEqual([
        200,
        'application/json; charset=utf-8',
      ])
    expect((await server.ask('DELETE', one)).status).toBe(204)
    expect((await server.ask('GET', one)).status).toBe(404)
  })

  test('has no other prefix [D16.1]', async () => {
    for (const path of ['/api/health', '/api/v2/health', '/api/v10/health']) {
      const { status } = await fetch(`${server.url}${path}`)
      expect([path, status]).toEqual([path, 404])
    }
  })

  test.each([
    ['GET', '/sessions', { as: null }, 401],
    ['GET', '/tenants', {}, 403],
    ['GET', '/sessions/none', {}, 404],
    ['GET', '/no/such/route', {}, 404],
    ['DELETE', '/health', {}, 405],
    ['POST', '/chat', { json: {} }, 400],
    ['POST', '/chat', { json: { message: 'x', more: 1 } }, 400],
    ['POST', '/chat', { body: '{', headers: { 'content-type': 'application/json' } }, 400],
    ['POST', '/chat', { body: 'x', headers: { 'content-type': 'text/plain' } }, 415],
    ['GET', '/sessions?limit=0', {}, 400],
    ['POST', '/chat', { json: { message: 'x'.repeat(2_000_000) } }, 413],
  ] as const)('%s %s that fails says why, always in one form: %o [D16.4]', async (...failing) => {
    const [method, path, options, status] = failing
    const answer = await server.ask(method, path, options)
    expect(answer.status).toBe(status)
    const { error_code, message, details: _, ...rest } = answer.body
    expect([typeof error_code, typeof message, rest]).toEqual(['string', 'string', {}])
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
  })

  test('is called by pages of the origins that are set, and of no others [D16.5]', async () => {
    const preflight = (origin: string) =>
      fetch(`${server.url}/api/v1/chat`, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'x-api-key,content-type',
        },
      })
    const good = await preflight('https://app.example')
    expect(good.headers.get('access-control-allow-origin')).toBe('https://app.example')
    expect(good.headers.get('access-control-allow-headers')).toContain('x-api-key')
    const bad = await preflight('https://evil.example')
    expect(bad.headers.get('access-control-allow-origin')).toBeNull()
  })
})

interface Schema {
  properties: Record<string, unknown>
  required: string[]
  additionalProperties?: boolean
}

test.each([
  ['ChatRequest', ['message'], ['session_id', 'assistant_id'], '[D21.1] [D21.2]'],
  ['ChatResponse', ['session_id', 'events'], [], '[D21.3]'],
  [
    'SessionInfo',
    ['session_id', 'user_id', 'assistant_id', 'created_at', 'last_active'],
    [],
    '[D21.4]',
  ],
  ['ErrorResponse', ['error_code', 'message'], ['details'], '[D21.5]'],
])('%s is published with %j, and may have %j %s', async (name, required, optional) => {
  interface Document {
    components: { schemas: Record<string, Schema> }
  }
  const { body } = await server.ask<Document>('GET', '/openapi.json', { as: null })
  const schema = body.components.schemas[name]
  expect(schema?.required).toEqual(expect.arrayContaining(required))
  expect(Object.keys(schema?.properties ?? {})).toEqual(
    expect.arrayContaining([...required, ...optional]),
  )
  for (const field of optional) expect(schema?.required).not.toContain(field)
})

test('WebSocketMessage is published, each kind with type and payload [D21.6]', async () => {
  interface Document {
    components: { schemas: Record<string, { oneOf?: Schema[]; anyOf?: Schema[] }> }
  }
  const { body } = await server.ask<Document>('GET', '/openapi.json', { as: null })
  const { WebSocketMessage } = body.components.schemas
  const kinds = WebSocketMessage?.oneOf ?? WebSocketMessage?.anyOf ?? []
  const types = kinds.map(({ properties }) => (properties.type as { const?: string }).const)
  expect(types).toEqual(expect.arrayContaining(['chat', 'cancel', 'hitl_decision', 'resume']))
  for (const { properties, required } of kinds) {
    const others = Object.keys(properties).filter((name) => name !== 'type' && name !== 'payload')
    expect(others).toEqual([])
    expect(required).toContain('type')
  }
  const withPayload = kinds
    .filter(({ properties, required }) => 'payload' in properties && required.includes('payload'))
    .map(({ properties }) => (properties.type as { const?: string }).const)
  expect(withPayload).toEqual(
    expect.arrayContaining(['chat', 'hitl_decision', 'resume', 'authenticate']),
  )
})

describe('the id of a request', () => {
  const request_id = 'request-7.of:ada'
  const headers = { 'x-request-id': request_id }
  const lines = (id = request_id) => server.records.filter((record) => record.request_id === id)

  test('is in the answer and in every line from then on, those of a tool call too [D22.2] [D22.5]', async () => {
    await using mall = await startHostileHttp('none')
    await using proxy = await startFaultProxy({ target: mall.url })
    const config = { name: 'mall', url: proxy.url, healthEvery: 600, maxRetries: 0 }
    const added = await server.ask<ServerInfo>('POST', '/mcp-servers', {
      ...{ as: 'boss', json: { config } },
    })
    const { server_id } = added.body
    await server.platform.hub.whenOffered({ tenant_id: 'acme', server_id })
    await proxy.set({ kind: 'refuse' })
    const before = server.records.length
    const answer = await server.ask('POST', '/chat', { json: { message: 'Note' }, headers })
    expect(answer.headers.get('x-request-id')).toBe(request_id)
    await waitFor(() => lines().some(({ message }) => message === 'request answered'))
    const records = server.records.slice(before)
    // Of an earlier request, told after its answer.
    const others = ['request answered']
    for (const record of records) {
      expect(new Date(String(record.timestamp)).getTime()).toBeGreaterThan(0)
      expect(record).toMatchObject({ level: expect.any(String), message: expect.any(String) })
      if (!others.includes(String(record.message))) expect(record).toMatchObject({ request_id })
    }
    expect(records).toContainEqual(
      expect.objectContaining({ request_id, server_id, level: 'warning' }),
    )
  })

  test('is one of our own where the caller has none, also when it fails [D22.5]', async () => {
    const answers = await Promise.all([
      server.ask('GET', '/sessions/none'),
      server.ask('GET', '/sessions', { as: null }),
      server.ask('GET', '/no/such/route'),
    ])
    const ids = answers.map(({ headers }) => String(headers.get('x-request-id')))
    expect(new Set(ids).size).toBe(3)
    for (const id of ids) await waitFor(() => lines(id).length > 0, { what: `a line with ${id}` })
  })
})

test('health says status, version and how long it runs [D22.3] [D22.4]', async () => {
  const { body } = await server.ask('GET', '/health', { as: null })
  expect(body).toMatchObject({ status: 'ok', version: server.platform.version })
  expect(body.uptime).toBeGreaterThanOrEqual(0)
})

test('a finished turn is in the history, the user first, page by page [D26.1] [D26.2] [D26.3] [D26.4] [D26.5]', async () => {
  const { body: chat } = await server.ask<ChatResponse>('POST', '/chat', { json: { message: 'a' } })
  const { session_id } = chat
  await server.ask('POST', '/chat', { json: { message: 'b', session_id } })
  const page = async (query: string) =>
    (await server.ask<MessagesPage>('GET', `/sessions/${session_id}/messages${query}`)).body
  const all = await page('')
  expect(all.messages.map(({ role, content }) => [role, content])).toEqual([
    ['user', 'a'],
    ['assistant', 'You said: a'],
    ['user', 'b'],
    ['assistant', 'You said: b'],
  ])
  for (const message of all.messages) {
    expect(message).toMatchObject({ session_id, message_id: expect.any(String) })
    expect(message.created_at).toBeGreaterThan(0)
  }
  const times = all.messages.map(({ created_at }) => created_at)
  expect(times).toEqual([...times].sort((a, b) => a - b))
  const paged = [await page('?limit=3'), await page('?limit=3&offset=3')]
  expect(paged.flatMap(({ messages }) => messages)).toEqual(all.messages)
  expect(paged.map(({ total, limit, offset }) => [total, limit, offset])).toEqual([
    [4, 3, 0],
    [4, 3, 3],
  ])
})
