import type { CallsPage, ChatResponse, ServerInfo, SessionInfo } from '@dataagent/schema'
import {
  type HostileHttp,
  lastUserText,
  type RecordedRequest,
  startHostileHttp,
  temporaryDirectory,
  toolRounds,
} from '@dataagent/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keyOf, startTestPlatform, type TestPlatform } from '../testing/test-platform.ts'
import { openTestSocket } from '../testing/test-socket.ts'

/** "call x {…}" calls the tool of that wire name with these arguments, offered or not. */
function callsWhatItIsTold(request: RecordedRequest) {
  const [, name, args] = /^call (\S+) ?(.*)$/.exec(lastUserText(request)) ?? []
  if (name === undefined || toolRounds(request) > 0) return { text: 'I go on.' }
  return { toolCalls: [{ name, arguments: args || '{}' }] }
}

const cleanup = new AsyncDisposableStack()
let server: TestPlatform
let dir: string
let a: HostileHttp
let b: HostileHttp
const start = () => startTestPlatform({ dir, script: callsWhatItIsTold })
beforeAll(async () => {
  dir = cleanup.use(await temporaryDirectory()).path
  a = cleanup.use(await startHostileHttp('none'))
  b = cleanup.use(await startHostileHttp('none'))
  server = await start()
  await share('mall', a)
  await share('mail', b)
}, 60_000)
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await cleanup.disposeAsync()
})

async function share(name: string, { url }: HostileHttp) {
  const config = { name, url, toolApproval: { '*': 'allow' }, trustedOutput: true }
  const json = { scope: 'tenant', config }
  const { body } = await server.ask<ServerInfo>('POST', '/mcp-servers', { as: 'boss', json })
  await server.platform.hub.whenOffered({ tenant_id: 'acme', server_id: body.server_id })
}

async function begin(json: object = {}): Promise<string> {
  return (await server.ask<SessionInfo>('POST', '/sessions', { json })).body.session_id
}

const switchOff = (session_id: string, servers_off: string[]) =>
  server.ask<SessionInfo>('PATCH', `/sessions/${session_id}`, { json: { servers_off } })

/** One turn: which servers the model was offered tools of, and how its call ended. */
async function chat(session_id: string, message = 'call mall--echo {"message":"hi"}') {
  const before = server.model.requests.length
  const { body } = await server.ask<ChatResponse>('POST', '/chat', {
    json: { session_id, message },
  })
  const names = server.model.requests[before]?.tools.map(({ name }) => name) ?? []
  const servers = names.flatMap((name) => /^([a-z]+)--/.exec(name)?.[1] ?? [])
  const offered = [...new Set(servers)].sort()
  const result = body.events.find(({ event_type }) => event_type === 'tool_result')
  return { offered, outcome: (result as { outcome?: string } | undefined)?.outcome }
}

const calls = ({ notes }: HostileHttp) =>
  notes('received').filter((method) => method === 'tools/call').length

const whole = { offered: ['mail', 'mall'], outcome: 'ok' }
const without = { offered: ['mail'], outcome: 'denied' }

test('a server that is switched off in a session is neither told of nor called there; other sessions have it', async () => {
  const [one, other] = [await begin(), await begin()]
  expect(await chat(one)).toEqual(whole)
  const { body } = await switchOff(one, ['mall'])
  expect(body).toMatchObject({ session_id: one, servers_off: ['mall'] })
  const before = calls(a)
  expect(await chat(one)).toEqual(without)
  expect(calls(a)).toBe(before)
  expect(await chat(other)).toEqual(whole)
  await switchOff(one, [])
  expect(await chat(one)).toEqual(whole)
})

test('a session can begin without it, and a copy of a session does without the same', async () => {
  const session_id = await begin({ servers_off: ['mall'] })
  expect(await chat(session_id)).toEqual(without)
  const path = `/sessions/${session_id}/fork`
  const { body } = await server.ask<SessionInfo>('POST', path, { json: {} })
  expect(body.servers_off).toEqual(['mall'])
  expect(await chat(body.session_id)).toEqual(without)
})

test('a turn over a socket does without it from the next message on', async () => {
  const session_id = await begin()
  const headers = { 'x-api-key': keyOf('ada') }
  using socket = openTestSocket({ url: server.url, session_id, headers })
  await socket.next('connected')
  const say = async (message_id: string) => {
    const from = socket.messages.length
    socket.send('chat', { message: 'call mall--echo {"message":"hi"}', message_id })
    await socket.next('done', from)
    return socket.next('tool_result', from)
  }
  expect(await say('m1')).toMatchObject({ outcome: 'ok' })
  await switchOff(session_id, ['mall'])
  expect(await say('m2')).toMatchObject({ outcome: 'denied' })
})

test('an agent that searches does not find it', async () => {
  const agent = { assistant_id: 'seeker', name: 'Seeker', tool_mode: 'search' }
  await server.ask('POST', '/agents', { as: 'boss', json: agent })
  const session_id = await begin({ assistant_id: 'seeker', servers_off: ['mall'] })
  const search = async () => {
    const json = { session_id, message: 'call search_tools {"query":"echo"}' }
    const { body } = await server.ask<ChatResponse>('POST', '/chat', { json })
    const result = body.events.find(({ event_type }) => event_type === 'tool_result')
    return (result as { result?: string } | undefined)?.result
  }
  expect(await search()).not.toContain('mall--echo')
  expect(await search()).toContain('mail--echo')
  await switchOff(session_id, [])
  expect(await search()).toContain('mall--echo')
})

test("a user's own server stays off when it is changed meanwhile", async () => {
  const path = '/users/ada/mcp-servers'
  const { body } = await server.ask<ServerInfo>('POST', path, { json: { name: 'own', url: a.url } })
  const [one, other] = [await begin({ servers_off: [body.server_id] }), await begin()]
  const both = async () => {
    const [ofOne, ofOther] = [await chat(one, 'Hello'), await chat(other, 'Hello')]
    return [ofOne.offered, ofOther.offered]
  }
  const expected = [
    ['mail', 'mall'],
    ['mail', 'mall', 'own'],
  ]
  expect(await both()).toEqual(expected)
  // Both go on with what it was when they began, under an id of that time.
  await server.ask('PUT', `${path}/own`, { json: { url: b.url } })
  expect(await both()).toEqual(expected)
  await server.ask('DELETE', `${path}/own`)
})

test('the audit tells that it was switched off', async () => {
  const session_id = await begin({ servers_off: ['mall'] })
  await chat(session_id)
  await server.platform.hub.audit.flush()
  const path = `/audit/calls?session_id=${session_id}`
  const { body } = await server.ask<CallsPage>('GET', path, { as: 'eve' })
  expect(body.calls).toMatchObject([
    { server_id: 'mall', status: 'denied', decided_by: '{"kind":"switched_off"}' },
  ])
})

test('it takes nothing but ids of servers, and says of none whether it is there', async () => {
  const session_id = await begin()
  for (const servers_off of ['mall', [1], ['no id!'], null]) {
    const answer = await server.ask('PATCH', `/sessions/${session_id}`, { json: { servers_off } })
    expect(answer.status).toBe(400)
  }
  expect((await switchOff(session_id, ['nobodys'])).status).toBe(200)
  expect(await chat(session_id)).toEqual(whole)
})

test('it is so after a restart', async () => {
  const session_id = await begin()
  await switchOff(session_id, ['mall'])
  await server[Symbol.asyncDispose]()
  server = await start()
  for (const server_id of ['mall', 'mail'])
    await server.platform.hub.whenOffered({ tenant_id: 'acme', server_id })
  const { body } = await server.ask<SessionInfo>('GET', `/sessions/${session_id}`)
  expect(body.servers_off).toEqual(['mall'])
  expect(await chat(session_id)).toEqual(without)
})
