import type { ChatResponse, ServerInfo } from '@dataagent/schema'
import {
  type HostileHttp,
  lastUserText,
  type RecordedRequest,
  startHostileHttp,
  toolRounds,
  waitFor,
} from '@dataagent/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  keyOf,
  type Person,
  startTestPlatform,
  type TestPlatform,
} from '../testing/test-platform.ts'
import { openTestSocket } from '../testing/test-socket.ts'

/** The server's name; where another server has it too, a mark of its own follows. */
const serverIn = (tool: string) => /^([a-z]+)(_[0-9a-f]{12})?--/.exec(tool)?.[1]

/** Asked to "use x", the model calls the tool `echo` of the server x, where it is offered one. */
function usesWhatItIsTold(request: RecordedRequest) {
  const [, wanted] = /use (\w+)/.exec(lastUserText(request)) ?? []
  const tool = request.tools.find(
    ({ name }) => serverIn(name) === wanted && name.includes('--echo'),
  )
  if (!tool || toolRounds(request) > 0) return { text: tool ? 'Used.' : 'There is none.' }
  return { toolCalls: [{ name: tool.name, arguments: { message: 'hello' } }] }
}

let server: TestPlatform
let a: HostileHttp
let b: HostileHttp
beforeAll(async () => {
  const config = { allowed_addresses: ['127.0.0.1'] }
  server = await startTestPlatform({ config, script: usesWhatItIsTold })
  a = await startHostileHttp('none')
  b = await startHostileHttp('none')
})
afterAll(async () => {
  for (const one of [server, a, b]) await one[Symbol.asyncDispose]()
})

const ofAda = '/users/ada/mcp-servers'
const own = (name: string, { url }: HostileHttp, as: Person = 'ada') =>
  server.ask<ServerInfo>('POST', `/users/${as}/mcp-servers`, { as, json: { name, url } })
const shared = (name: string, { url }: HostileHttp, scope = 'tenant') => {
  const as = scope === 'tenant' ? 'boss' : 'operator'
  return server.ask<ServerInfo>('POST', '/mcp-servers', {
    as,
    json: { scope, config: { name, url } },
  })
}

const begun: { session_id: string; as: Person }[] = []

/** A session that asks nobody, which has these servers and no others from its first turn on. */
async function begin(servers: string[], as: Person = 'ada'): Promise<string> {
  const { body } = await server.ask<{ session_id: string }>('POST', '/sessions', { as, json: {} })
  const { session_id } = body
  begun.push({ session_id, as })
  await server.ask('PATCH', `/sessions/${session_id}`, { as, json: { auto_approve: true } })
  // The first turn has them: nobody waits for a connection.
  expect((await chat('hello', session_id, as)).servers).toEqual(servers)
  return session_id
}

/** Says something and gives what tools said, and what the model was offered of servers. */
async function chat(message: string, session_id: string, as: Person = 'ada') {
  const json = { message, session_id }
  const { body } = await server.ask<ChatResponse>('POST', '/chat', { as, json })
  const results = body.events.filter(({ event_type }) => event_type === 'tool_result')
  const offered = server.model.requests.at(-1)?.tools.map(({ name }) => name) ?? []
  return {
    statuses: results.map((event) => (event as { status?: string }).status),
    servers: [...new Set(offered.map(serverIn))].filter((name) => name !== undefined).sort(),
  }
}
const calls = ({ notes }: HostileHttp) =>
  notes('received').filter((method) => method === 'tools/call').length

/** What an earlier test has left is gone. */
beforeEach(async () => {
  for (const { session_id, as } of begun.splice(0))
    await server.ask('DELETE', `/sessions/${session_id}`, { as })
  for (const as of ['ada', 'bob'] as const) {
    const path = `/users/${as}/mcp-servers`
    const { body } = await server.ask<{ servers: ServerInfo[] }>('GET', path, { as })
    for (const { name } of body.servers) await server.ask('DELETE', `${path}/${name}`, { as })
  }
  const { body } = await server.ask<{ servers: ServerInfo[] }>('GET', '/mcp-servers', {
    as: 'operator',
  })
  const mine = await server.ask<{ servers: ServerInfo[] }>('GET', '/mcp-servers', { as: 'boss' })
  for (const { server_id } of [...body.servers, ...mine.body.servers])
    for (const as of ['operator', 'boss'] as const)
      await server.ask('DELETE', `/mcp-servers/${server_id}`, { as })
})

test("a chat has its user's servers, and nobody else's [D30.4]", async () => {
  await own('notes', a)
  await own('plans', b, 'bob')
  const before = calls(a)
  const used = await chat('use notes', await begin(['notes']))
  expect([used.statuses, calls(a)]).toEqual([['success'], before + 1])
  const others = await chat('use notes', await begin(['plans'], 'bob'), 'bob')
  expect([others.statuses, calls(a)]).toEqual([[], before + 1])
})

test('defaults for all are there beside what a user adds, and give way to it by name [D30.5]', async () => {
  await shared('wiki', a, 'platform')
  await shared('mail', a)
  await begin(['mail', 'wiki'])
  await own('notes', b)
  await begin(['mail', 'notes', 'wiki'])
  await own('wiki', b)
  const before = { a: calls(a), b: calls(b) }
  await chat('use wiki', await begin(['mail', 'notes', 'wiki']))
  expect({ a: calls(a), b: calls(b) }).toEqual({ a: before.a, b: before.b + 1 })
  await chat('use wiki', await begin(['mail', 'wiki'], 'bob'), 'bob')
  expect({ a: calls(a), b: calls(b) }).toEqual({ a: before.a + 1, b: before.b + 1 })
})

describe('a change takes effect at the next session [D30.6]:', () => {
  test('an address', async () => {
    await own('notes', a)
    const session_id = await begin(['notes'])
    await server.ask('PUT', `${ofAda}/notes`, { json: { url: b.url } })
    const before = { a: calls(a), b: calls(b) }
    expect((await chat('use notes', session_id)).statuses).toEqual(['success'])
    expect({ a: calls(a), b: calls(b) }).toEqual({ a: before.a + 1, b: before.b })
    expect((await chat('use notes', await begin(['notes']))).statuses).toEqual(['success'])
    expect({ a: calls(a), b: calls(b) }).toEqual({ a: before.a + 1, b: before.b + 1 })
  })

  test('a server that is added, and one that is removed', async () => {
    await own('notes', a)
    const session_id = await begin(['notes'])
    await own('plans', b)
    await server.ask('DELETE', `${ofAda}/notes`)
    const used = await chat('use notes', session_id)
    expect(used).toEqual({ servers: ['notes'], statuses: ['success'] })
    await begin(['plans'])
    expect((await chat('hello', session_id)).servers).toEqual(['notes'])
  })

  test('but what an administrator takes away is gone at once', async () => {
    await own('notes', a)
    const { body } = await shared('mail', b)
    const session_id = await begin(['mail', 'notes'])
    await server.ask('DELETE', `${ofAda}/notes`, { as: 'boss' })
    const before = calls(a)
    expect(await chat('use notes', session_id)).toEqual({ servers: ['mail'], statuses: [] })
    expect(calls(a)).toBe(before)
    const json = { url: b.url, disabled: true }
    await server.ask('PUT', `/mcp-servers/${body.server_id}`, { as: 'boss', json })
    expect((await chat('use mail', session_id)).servers).toEqual([])
  })
})

test('sockets are told of servers that come, change, fail and go: those concerned, no others [D30.7]', async () => {
  type Change = Record<'server_name' | 'change', string>
  const people = ['ada', 'bob', 'zoe'] as const
  using cleanup = new DisposableStack()
  const sockets = await Promise.all(
    people.map(async (as) => {
      const { body } = await server.ask<{ session_id: string }>('POST', '/sessions', {
        ...{ as, json: {} },
      })
      const headers = { 'x-api-key': keyOf(as) }
      const { session_id } = body
      const socket = cleanup.use(openTestSocket({ url: server.url, session_id, headers }))
      await socket.next('connected')
      return socket
    }),
  )
  const heard = (at: number) =>
    sockets[at]?.messages.flatMap((message) =>
      message.event_type === 'mcp_servers_changed'
        ? [`${(message as Change).server_name} ${(message as Change).change}`]
        : [],
    ) ?? []
  const hears = (at: number, what: string) =>
    waitFor(() => heard(at).includes(what), { timeoutMs: 10_000, what })

  await own('notes', a)
  await hears(0, 'notes added')
  await server.ask('PUT', `${ofAda}/notes`, { json: { url: b.url } })
  await hears(0, 'notes updated')
  await begin(['notes'])
  await hears(0, 'notes status')
  await server.ask('DELETE', `${ofAda}/notes`)
  await hears(0, 'notes removed')
  await shared('mail', a)
  for (const at of [0, 1]) await hears(at, 'mail added')
  await hears(1, 'mail status')
  await shared('wiki', a, 'platform')
  for (const at of [0, 1, 2]) await hears(at, 'wiki added')
  expect(heard(1).filter((what) => what.startsWith('notes'))).toEqual([])
  expect(heard(2).filter((what) => !what.startsWith('wiki'))).toEqual([])
})
