import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { CallsPage, ChatResponse, ServerInfo, ToolsPage } from '@dataagent/schema'
import {
  createCanary,
  type FaultProxy,
  type HostileCommand,
  type HostileHttp,
  hostileServerCommand,
  lastUserText,
  type RecordedRequest,
  startFaultProxy,
  startHostileHttp,
  toolRounds,
  waitFor,
} from '@dataagent/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestPlatform, type TestPlatform } from '../testing/test-platform.ts'

/** "call x {…}" calls the tool of that wire name with these arguments, offered or not. */
function callsWhatItIsTold(request: RecordedRequest) {
  const [, name, args] = /^call (\S+) ?(.*)$/.exec(lastUserText(request)) ?? []
  if (name === undefined || toolRounds(request) > 0) return { text: 'I go on.' }
  return { toolCalls: [{ name, arguments: args || '{}' }] }
}

const canary = createCanary('header')
let server: TestPlatform
let mall: HostileHttp
let proxy: FaultProxy
let local: HostileCommand
let frail: HostileCommand
let collector: Awaited<ReturnType<typeof startCollector>>
beforeAll(async () => {
  collector = await startCollector()
  server = await startTestPlatform({
    script: callsWhatItIsTold,
    config: { otlp_endpoint: collector.url },
  })
  mall = await startHostileHttp('none')
  proxy = await startFaultProxy({ target: mall.url })
  local = await hostileServerCommand('none')
  frail = await hostileServerCommand('crash_mid_call')
  const remote = { url: proxy.url, headers: { Authorization: canary.header }, healthEvery: 1 }
  await addServer({ name: 'mall', ...remote })
  await addServer({ name: 'local', command: local.command, args: local.args })
  await addServer({ name: 'frail', command: frail.command, args: frail.args })
})
afterAll(async () => {
  for (const one of [server, proxy, mall, local, frail, collector]) await one[Symbol.asyncDispose]()
})

async function addServer(way: object) {
  const limits = { timeout: 10, toolTimeouts: { slow: 0.5 }, maxRetries: 0 }
  const config = { ...way, ...limits, toolApproval: { '*': 'allow' } }
  const json = { scope: 'platform', config }
  const { body } = await server.ask<ServerInfo>('POST', '/mcp-servers', { as: 'operator', json })
  await server.platform.hub.whenOffered({ tenant_id: '*', server_id: body.server_id })
}

/** One turn: the result of its tool, what was said last, and what the model was offered. */
async function say(message: string, headers: Record<string, string> = {}) {
  const json = { message }
  const { body } = await server.ask<ChatResponse>('POST', '/chat', { json, headers })
  const result = body.events.find(({ event_type }) => event_type === 'tool_result')
  const { status, result: value } = (result ?? {}) as { status?: string; result?: unknown }
  const offered = server.model.requests.at(-1)?.tools.map(({ name }) => name) ?? []
  const text = body.events.findLast(({ event_type }) => event_type === 'text')
  return {
    ...{ session_id: body.session_id, status, value: JSON.stringify(value) },
    ...{ said: (text as { content?: string } | undefined)?.content, end: body.events.at(-1) },
    mall: offered.filter((name) => name.startsWith('mall--')).length,
  }
}

/** A turn whose tool failed, and which went on to its end all the same. */
const failed = { status: 'error', said: 'I go on.', end: { event_type: 'done', cancelled: false } }

const callsOf = async (session_id: string) => {
  await server.platform.hub.audit.flush()
  const path = `/audit/calls?session_id=${session_id}`
  return (await server.ask<CallsPage>('GET', path, { as: 'eve' })).body.calls
}

test('the result of a tool enters the conversation, and the call is recorded with who and where [B4.1] [B6.2] [A5.1]', async () => {
  const { session_id, status, mall: offered } = await say('call mall--echo {"message":"hello"}')
  expect([status, offered]).toEqual(['success', 4])
  const turns = server.model.requests.at(-1)?.turns ?? []
  const [told] = turns.at(-1)?.toolResults ?? []
  expect([turns.at(-1)?.role, told?.text]).toEqual(['tool', expect.stringContaining('hello')])
  expect(await callsOf(session_id)).toMatchObject([
    {
      ...{ user_id: 'ada', session_id, agent_id: 'default', server_id: 'mall', tool_name: 'echo' },
      ...{ status: 'ok', trace_id: expect.stringMatching(/^[0-9a-f]{32}$/) },
    },
  ])
})

test('the result of a tool over stdio is in what the model reads next, and the row names its server [B4.1]', async () => {
  const { session_id, status } = await say('call local--echo {"message":"by a pipe"}')
  expect(status).toBe('success')
  expect(server.model.requests.at(-1)?.turns.at(-1)).toMatchObject({
    role: 'tool',
    toolResults: [{ text: expect.stringContaining('by a pipe') }],
  })
  expect(await callsOf(session_id)).toMatchObject([
    { server_id: 'local', tool_name: 'echo', status: 'ok' },
  ])
})

test("a call joins the caller's trace, is exported as a span with the request's id, and no credential is anywhere [A5.2] [A5.3] [D22.5]", async () => {
  const trace = '0af7651916cd43dd8448eb211c80319c'
  const headers = {
    traceparent: `00-${trace}-b7ad6b7169203331-01`,
    'x-request-id': 'request-of-the-trace',
  }
  const { session_id } = await say('call mall--echo {"message":"hello"}', headers)
  const [call] = await callsOf(session_id)
  expect(call?.trace_id).toBe(trace)
  await waitFor(() => collector.text().includes(trace), { timeoutMs: 20_000, what: 'the span' })
  expect(collector.text()).toContain(session_id)
  expect(collector.text()).toContain('request-of-the-trace')
  const seen = [collector.text(), server.records, await callsOf(session_id)]
  expect(JSON.stringify(seen)).not.toContain(canary.marker)
})

describe('what an administrator says of agents and models has its effect', () => {
  const talkTo = async (assistant_id: string) => {
    const json = { assistant_id, message: 'call local--echo {"message":"hello"}' }
    const { body } = await server.ask<ChatResponse>('POST', '/chat', { json })
    return body.events
  }
  const make = async (path: string, json: object) =>
    expect((await server.ask('POST', path, { as: 'boss', json })).status).toBe(201)

  test('the budget of an agent decides what its model is told of tools [B3.2]', async () => {
    for (const [assistant_id, tool_budget_tokens] of [
      ['tight', 0],
      ['wide', 100_000],
    ] as const) {
      await make('/agents', { assistant_id, name: assistant_id, tool_budget_tokens })
      const before = server.model.requests.length
      await talkTo(assistant_id)
      const offered = server.model.requests[before]?.tools.map(({ name }) => name) ?? []
      const isTight = assistant_id === 'tight'
      expect(offered.includes('search_tools')).toBe(isTight)
      expect(offered.includes('mall--echo')).toBe(!isTight)
    }
  })

  test('a provider whose models call tools by their text is spoken to so [B6.1]', async () => {
    const { url, apiKey: api_key } = server.model
    const models = ['standin-textcalls']
    const place = { name: 'Plain', kind: 'openai', base_url: `${url}/v1`, api_key, models }
    await make('/model-providers', { provider_id: 'plain', ...place, calls_tools: false })
    const model = 'plain:standin-textcalls'
    await make('/agents', { assistant_id: 'plain', name: 'Plain', model, tool_mode: 'always' })
    const before = server.model.requests.length
    const events = await talkTo('plain')
    expect(server.model.requests[before]?.body).not.toHaveProperty('tools')
    const result = events.find(({ event_type }) => event_type === 'tool_result')
    expect(result).toMatchObject({ status: 'success' })
  })
})

describe('the turn goes on', () => {
  test('after arguments that do not fit: the model is told the field, nothing is sent [A3.1] [A3.3]', async () => {
    const before = mall.notes('received').length
    const turn = await say('call mall--echo {"message":42}')
    expect(turn).toMatchObject(failed)
    expect(turn.value).toMatch(/message.*string/)
    const sent = mall.notes('received').slice(before)
    expect(sent.filter((method) => method === 'tools/call')).toEqual([])
    expect(await callsOf(turn.session_id)).toMatchObject([{ status: 'invalid' }])
  })

  test('after a call over its time, which is ended at the server too [A4.1] [B4.3]', async () => {
    const turn = await say('call mall--slow {"ms":60000}')
    expect(turn).toMatchObject(failed)
    expect(turn.value).toContain('timeout')
    expect(await callsOf(turn.session_id)).toMatchObject([{ status: 'timeout' }])
    await waitFor(() => mall.notes('cancelled').length > 0, { what: 'a cancelled call' })
  })

  test('after a call over stdio over its time, which is told and ended; the process goes on [B4.3] [F2]', async () => {
    const turn = await say('call local--slow {"ms":60000}')
    expect(turn).toMatchObject(failed)
    const told = server.model.requests.at(-1)?.turns.at(-1)?.toolResults[0]?.text
    expect(told).toContain('timeout')
    expect(await callsOf(turn.session_id)).toMatchObject([
      { server_id: 'local', status: 'timeout' },
    ])
    await waitFor(() => local.notes('cancelled').length === 1, { what: 'a cancelled call' })
    expect((await say('call local--echo {"message":"still here"}')).status).toBe('success')
    expect(local.notes('start')).toHaveLength(1)
  })

  test('after a process that dies in the call, which is started again; other servers go on [F1]', async () => {
    for (const starts of [1, 2]) {
      const turn = await say('call frail--count {}')
      expect(turn).toMatchObject(failed)
      expect(turn.value).toContain('unknown_outcome')
      expect(frail.notes('effect')).toHaveLength(starts)
      expect((await say('call local--echo {"message":"here"}')).status).toBe('success')
      await waitFor(() => frail.notes('start').length === starts + 1, { timeoutMs: 15_000 })
      const isBack = async () =>
        (await server.ask<ToolsPage>('GET', '/tools?q=frail')).body.total > 0
      await waitFor(isBack, { timeoutMs: 15_000, what: 'the tools again' })
    }
    expect(local.notes('start')).toHaveLength(1)
  })

  test('after a tool that nobody has: it is refused as one that may not be used [A2.3]', async () => {
    const made = await say('call mall--made_up {}')
    expect(made).toMatchObject(failed)
    expect(made.value).toContain('tool_not_allowed')
  })

  test('without a server that is away; its tools are gone, and back with it [A1.3] [A1.4] [B1.1] [B4.2]', async () => {
    const listed = async () => (await server.ask<ToolsPage>('GET', '/tools?q=mall')).body.total
    await proxy.set({ kind: 'refuse' })
    await waitFor(async () => (await listed()) === 0, { timeoutMs: 15_000, what: 'no tools' })
    const turn = await say('call mall--echo {"message":"hello"}')
    expect(turn).toMatchObject({ ...failed, mall: 0 })
    expect(JSON.parse(turn.value)).toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/^The server "mall" .*: go on without it, or try again later/),
    })
    expect(turn.value).not.toMatch(/\bE[A-Z]{4,}\b|errno/)
    const json = { tool: 'mall.echo', args: { message: 'hello' } }
    const byHand = await server.ask('POST', '/tools/call', { json })
    expect(byHand).toMatchObject({ status: 503, body: { error_code: 'unavailable' } })
    await proxy.set({ kind: 'pass' })
    await waitFor(async () => (await listed()) === 4, { timeoutMs: 20_000, what: 'the tools' })
    expect((await say('call mall--echo {"message":"hello"}')).status).toBe('success')
  })
})

/** Takes spans as OTLP over HTTP does. */
async function startCollector() {
  const bodies: string[] = []
  const http = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk) => (body += chunk))
    request.on('end', () => {
      bodies.push(body)
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => void http.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    text: () => bodies.join('\n'),
    async [Symbol.asyncDispose]() {
      http.closeAllConnections()
      http.close()
    },
  }
}
