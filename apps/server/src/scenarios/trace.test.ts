import { readFile } from 'node:fs/promises'
import type { CallsPage, ChatResponse, RunInfo, ServerInfo } from '@dataagent/schema'
import {
  type HostileCommand,
  type HostileHttp,
  hostileServerCommand,
  lastUserText,
  type OtlpReceiver,
  type ReceivedSpan,
  type RecordedRequest,
  startHostileHttp,
  startOtlpReceiver,
  temporaryDirectory,
  toolRounds,
  waitFor,
} from '@dataagent/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keyOf, startTestPlatform, type TestPlatform } from '../testing/test-platform.ts'
import { openTestSocket } from '../testing/test-socket.ts'

/** "call x {…}" calls that tool; "fail" is refused by the provider, "wait" gets no answer. */
function byMessage(request: RecordedRequest) {
  const message = lastUserText(request)
  if (message === 'fail') return { error: 401 }
  if (message === 'wait') return { text: 'Late.', ttft: 60_000 }
  const [, name, args] = /^call (\S+) ?(.*)$/.exec(message) ?? []
  if (name === undefined || toolRounds(request) > 0) return { text: 'Here you are.' }
  return { toolCalls: [{ name, arguments: args || '{}' }] }
}

const cleanup = new AsyncDisposableStack()
let receiver: OtlpReceiver
let server: TestPlatform
let mall: HostileHttp
let local: HostileCommand
beforeAll(async () => {
  receiver = cleanup.use(await startOtlpReceiver())
  mall = cleanup.use(await startHostileHttp('none'))
  local = cleanup.use(await hostileServerCommand('none'))
  const config = { otlp_endpoint: receiver.url }
  server = cleanup.use(await startTestPlatform({ script: byMessage, config }))
  await addServer(server, { name: 'mall', url: mall.url, toolApproval: { count: 'ask' } })
  await addServer(server, { name: 'local', command: local.command, args: local.args })
})
afterAll(() => cleanup.disposeAsync())

async function addServer(
  at: TestPlatform,
  config: Record<string, unknown> & { toolApproval?: object },
) {
  const rules = { maxRetries: 0, trustedOutput: true, toolTimeouts: { slow: 0.5 } }
  const toolApproval = { '*': 'allow', ...config.toolApproval }
  const json = { scope: 'platform', config: { ...config, ...rules, toolApproval } }
  const { body } = await at.ask<ServerInfo>('POST', '/mcp-servers', { as: 'operator', json })
  await at.platform.hub.whenOffered({ tenant_id: '*', server_id: body.server_id })
}

/** The spans of a trace, once all of these have come. */
async function spansOf(trace_id: string, count: number): Promise<ReceivedSpan[]> {
  const find = () => receiver.spans.filter((span) => span.trace_id === trace_id)
  await waitFor(
    async () => {
      await server.platform.tracer?.flush()
      return find().length >= count
    },
    { timeoutMs: 20_000, what: `${count} spans` },
  )
  return find()
}

/** Names of spans, each under its parent, as they began. */
function treeOf(spans: readonly ReceivedSpan[], parent?: string): object[] {
  return spans
    .filter(({ parent_span_id }) => parent_span_id === parent)
    .toSorted((a, b) => (a.start < b.start ? -1 : 1))
    .map(({ name, span_id }) => ({ [name]: treeOf(spans, span_id) }))
}

const named = (spans: readonly ReceivedSpan[], name: string) =>
  spans.find((span) => span.name.startsWith(name))!

async function openSession(at = server) {
  const created = await at.ask<{ session_id: string }>('POST', '/sessions', { json: {} })
  const { session_id } = created.body
  const headers = { 'x-api-key': keyOf('ada') }
  const socket = openTestSocket({ url: at.url, session_id, headers })
  await socket.next('connected')
  return { session_id, socket }
}

async function runOf(session_id: string, at = server): Promise<RunInfo> {
  const { body } = await at.ask<{ runs: RunInfo[] }>('GET', '/runs')
  return body.runs.find((run) => run.session_id === session_id)!
}

async function callOf(session_id: string) {
  await server.platform.hub.audit.flush()
  const path = `/audit/calls?session_id=${session_id}`
  return (await server.ask<CallsPage>('GET', path, { as: 'eve' })).body.calls[0]!
}

const caller = { trace_id: '0af7651916cd43dd8448eb211c80319c', span_id: 'b7ad6b7169203331' }
const traceparent = `00-${caller.trace_id}-${caller.span_id}-01`

test('one turn over a socket is one trace: socket, turn, model, tool, upstream, with ids [A5.2] [D22.5]', async () => {
  const before = mall.notes('traceparent').length
  const { session_id, socket } = await openSession()
  using _socket = socket
  socket.send('chat', { message: 'call mall--echo {"message":"hello"}' })
  await socket.next('done')
  const { run_id, trace_id = '' } = await runOf(session_id)
  const spans = await spansOf(trace_id, 6)
  expect(treeOf(spans)).toEqual([
    {
      'websocket chat': [
        {
          'invoke_agent default': [
            { 'chat standin': [] },
            { 'execute_tool echo': [{ 'tools/call echo': [] }] },
            { 'chat standin': [] },
          ],
        },
      ],
    },
  ])
  const call = await callOf(session_id)
  const ids = { 'session.id': session_id, 'dataagent.run_id': run_id }
  const { request_id } = named(spans, 'websocket').attributes
  expect(request_id).toEqual(expect.any(String))
  for (const span of spans) expect(span.attributes.request_id).toBe(request_id)
  for (const name of ['websocket', 'invoke_agent', 'chat', 'execute_tool'])
    expect(named(spans, name).attributes).toMatchObject(ids)
  expect(named(spans, 'execute_tool')).toMatchObject({
    span_id: call.span_id,
    attributes: { 'gen_ai.tool.call.id': call.call_id, 'user.id': 'ada' },
  })
  const upstream = named(spans, 'tools/call')
  expect(upstream).toMatchObject({
    kind: 3,
    attributes: {
      ...{ 'dataagent.server_id': 'mall', 'dataagent.transport': 'http' },
      ...{ 'dataagent.attempts': 1, 'network.transport': 'tcp' },
    },
  })
  expect(mall.notes('traceparent').slice(before)).toEqual([
    expect.stringContaining(`${trace_id}-${upstream.span_id}`),
  ])
})

test("one turn over REST is a part of its caller's trace, and the answer says which span it is [A5.2] [D22.5]", async () => {
  const json = { message: 'call local--echo {"message":"secret words"}' }
  const headers = { traceparent, 'x-request-id': 'request-of-a-turn' }
  const answer = await server.ask<ChatResponse>('POST', '/chat?stream=false', { json, headers })
  const spans = await spansOf(caller.trace_id, 6)
  const turn = [
    { 'chat standin': [] },
    { 'execute_tool echo': [{ 'tools/call echo': [] }] },
    { 'chat standin': [] },
  ]
  expect(treeOf(spans, caller.span_id)).toEqual([
    { 'POST /api/v1/chat': [{ 'invoke_agent default': turn }] },
  ])
  const request = named(spans, 'POST')
  expect(answer.headers.get('traceresponse')).toContain(`${caller.trace_id}-${request.span_id}`)
  expect(request).toMatchObject({
    kind: 2,
    attributes: {
      ...{ 'http.request.method': 'POST', 'http.route': '/api/v1/chat' },
      ...{ 'http.response.status_code': 200, 'url.path': '/api/v1/chat' },
      request_id: 'request-of-a-turn',
    },
  })
  expect(named(spans, 'tools/call').attributes).toMatchObject({
    ...{ 'dataagent.transport': 'stdio', 'network.transport': 'pipe' },
  })
  expect(local.notes('traceparent').at(-1)).toContain(named(spans, 'tools/call').span_id)
  expect(JSON.stringify(spans.map(({ attributes, events }) => [attributes, events]))).not.toMatch(
    /secret words|Here you are/,
  )
})

test('the lines that a request logs have the ids of its span [D22.2] [D22.5]', async () => {
  const headers = { traceparent, 'x-request-id': 'request-with-lines' }
  const answer = await server.ask('GET', '/sessions/no-such-session', { headers })
  const [, , span_id] = answer.headers.get('traceresponse')?.split('-') ?? []
  const find = () => server.records.filter((record) => record.request_id === 'request-with-lines')
  await waitFor(() => find().length > 0, { what: 'the line of the request' })
  for (const line of find()) expect(line).toMatchObject({ trace_id: caller.trace_id, span_id })
})

test.each(['/health', '/ready', '/metrics', '/no-such-path'])(
  'a request to %s has no span',
  async (path) => {
    const answer = await server.ask('GET', path, { as: 'operator' })
    expect(answer.headers.get('traceresponse')).toBeNull()
  },
)

test('a call by another MCP client is a part of its request, whatever it says of its trace [A5.2]', async () => {
  const group = { group_id: 'all', name: 'All', tools: [{ server_id: 'mall', tool: '*' }] }
  const made = await server.ask('POST', '/mcp-groups', { as: 'boss', json: group })
  const trace_id = caller.trace_id.replace('0af', 'fff')
  const parent = `00-${trace_id}-${caller.span_id}-01`
  const call = { name: 'echo', arguments: { message: 'hi' }, _meta: { traceparent: parent } }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call })
  const answer = await fetch(`${server.url}/mcp`, {
    ...{ method: 'POST', body },
    headers: {
      ...{ authorization: `Bearer ${made.body.key}`, 'content-type': 'application/json' },
      ...{ traceparent: parent, 'mcp-protocol-version': '2025-11-25' },
    },
  })
  expect(await answer.json()).toMatchObject({ result: { content: expect.anything() } })
  expect(answer.headers.get('traceresponse')).toContain(trace_id)
  const spans = await spansOf(trace_id, 3)
  expect(treeOf(spans, caller.span_id)).toEqual([
    { 'POST /mcp': [{ 'execute_tool echo': [{ 'tools/call echo': [] }] }] },
  ])
})

describe('whatever goes wrong, each span is closed [A5.2]', () => {
  async function say(message: string, andThen?: (session_id: string) => Promise<unknown>) {
    const { session_id, socket } = await openSession()
    using _socket = socket
    socket.send('chat', { message })
    await andThen?.(session_id)
    await socket.next('done')
    return runOf(session_id)
  }

  test('a model that refuses', async () => {
    const { trace_id = '' } = await say('fail')
    const spans = await spansOf(trace_id, 3)
    for (const name of ['chat', 'invoke_agent'])
      expect(named(spans, name)).toMatchObject({
        attributes: { 'error.type': 'unauthenticated' },
        status: { code: 2 },
      })
  })

  test('arguments that do not fit', async () => {
    const { trace_id = '' } = await say('call mall--echo {"message":42}')
    const spans = await spansOf(trace_id, 5)
    expect(named(spans, 'execute_tool')).toMatchObject({
      attributes: { 'error.type': 'invalid_arguments', 'dataagent.status': 'invalid' },
      status: { code: 2 },
    })
    expect(named(spans, 'tools/call')).toBeUndefined()
  })

  test('a tool that does not answer in time', async () => {
    const { trace_id = '' } = await say('call mall--slow {"ms":60000}')
    const spans = await spansOf(trace_id, 6)
    for (const name of ['execute_tool', 'tools/call'])
      expect(named(spans, name)).toMatchObject({
        attributes: { 'error.type': 'timeout', 'dataagent.server_id': 'mall' },
        status: { code: 2 },
      })
    expect(named(spans, 'invoke_agent').status).toEqual({})
  })

  test('a turn that is cancelled', async () => {
    const asked = server.model.requests.length
    const { trace_id = '' } = await say('wait', async (session_id) => {
      await waitFor(() => server.model.requests.length > asked, { what: 'the model asked' })
      await server.ask('POST', `/chat/${session_id}/cancel`)
    })
    const spans = await spansOf(trace_id, 3)
    expect(named(spans, 'chat').attributes['error.type']).toBe('cancelled')
    expect(named(spans, 'invoke_agent').attributes['dataagent.status']).toBe('cancelled')
  })
})

test('the wait for a person is seen, and a run that another process picks up stays in its trace [A5.2]', {
  timeout: 120_000,
}, async () => {
  await using directory = await temporaryDirectory()
  const config = { otlp_endpoint: receiver.url }
  const options = { dir: directory.path, script: byMessage, config }
  let session_id = ''
  {
    await using first = await startTestPlatform(options)
    await addServer(first, { name: 'mall', url: mall.url, toolApproval: { count: 'ask' } })
    const opened = await openSession(first)
    session_id = opened.session_id
    opened.socket.send('chat', { message: 'call mall--count {"of":1}' })
    await opened.socket.next('hitl_request')
    opened.socket.cut()
  }
  await using second = await startTestPlatform(options)
  await second.platform.hub.whenOffered({ tenant_id: '*', server_id: 'mall' })
  const { socket } = await openAgain(second, session_id)
  using _socket = socket
  await waitFor(() => second.platform.runs.endOf(session_id) !== undefined, {
    timeoutMs: 30_000,
    what: 'the run picked up',
  })
  const pending = await second.ask<{ approvals: { approval_id: string }[] }>('GET', '/approvals')
  const { approval_id } = pending.body.approvals[0]!
  await second.ask('POST', `/approvals/${approval_id}/decide`, { json: { type: 'approve' } })
  await second.platform.runs.endOf(session_id)
  await second.platform.tracer?.flush()
  const { trace_id = '', run_id } = await runOf(session_id, second)
  const spans = await spansOf(trace_id, 10)
  const runs = spans.filter(({ name }) => name === 'invoke_agent default')
  const message = named(spans, 'websocket chat')
  expect(runs.map(({ parent_span_id }) => parent_span_id)).toEqual(runs.map(() => message.span_id))
  expect(runs.map(({ attributes }) => attributes)).toMatchObject([
    { 'dataagent.run_id': run_id, 'dataagent.status': 'left' },
    { 'dataagent.run_id': run_id, 'dataagent.status': 'answered', 'dataagent.resumed': true },
  ])
  const waits = spans.filter(({ name }) => name === 'wait_for_approval')
  expect(waits.at(-1)?.attributes).toMatchObject({
    ...{ 'dataagent.approval_id': approval_id, 'dataagent.approval.decision': 'approve' },
  })
  expect(named(spans, 'tools/call count').trace_id).toBe(trace_id)
})

async function openAgain(at: TestPlatform, session_id: string) {
  const headers = { 'x-api-key': keyOf('ada') }
  const socket = openTestSocket({ url: at.url, session_id, headers })
  await socket.next('connected')
  return { socket }
}

test('prompts, answers, arguments and results are in the spans where that is wanted [C6.2]', async () => {
  const config = { otlp_endpoint: receiver.url, trace_content: true }
  await using talking = await startTestPlatform({ script: byMessage, config })
  await addServer(talking, { name: 'mall', url: mall.url })
  const json = { message: 'call mall--echo {"message":"aloud"}' }
  const { body } = await talking.ask<ChatResponse>('POST', '/chat', { json })
  await talking.platform.tracer?.flush()
  const { trace_id = '' } = await runOf(body.session_id, talking)
  const spans = await spansOf(trace_id, 6)
  const { attributes } = named(spans, 'execute_tool')
  expect(attributes['gen_ai.tool.call.arguments']).toBe('{"message":"aloud"}')
  expect(attributes['gen_ai.tool.call.result']).toContain('aloud')
  const chats = spans.filter(({ name }) => name === 'chat standin')
  const last = chats.toSorted((a, b) => (a.start < b.start ? -1 : 1)).at(-1)!
  expect(String(last.attributes['gen_ai.input.messages'])).toContain('call mall--echo')
  expect(String(last.attributes['gen_ai.output.messages'])).toContain('Here you are.')
})

test('the page about traces names each attribute that came', async () => {
  const page = await readFile(new URL('../../../../docs/observability.md', import.meta.url), 'utf8')
  const came = new Set(receiver.spans.flatMap(({ attributes }) => Object.keys(attributes)))
  expect(came.size).toBeGreaterThan(40)
  expect([...came].filter((name) => !page.includes(`\`${name}\``))).toEqual([])
})
