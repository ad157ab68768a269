import { createFakeClock } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { createMcpClient } from './client.ts'
import type { McpClientOptions, ServerQuestions } from './contract.ts'
import { createTestServer, type Method, modernMethods, never } from './test-server.ts'

async function connect(methods: Record<string, Method>, options: Partial<McpClientOptions> = {}) {
  const server = createTestServer({ methods: { ...modernMethods(), ...methods } })
  const client = createMcpClient({ transport: server.transport, ...options })
  await client.connect()
  const sent = () => server.received.slice(1).map((it) => ('params' in it ? it.params : undefined))
  return { server, client, sent }
}

const failure = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  )
const elicitation = {
  method: 'elicitation/create',
  params: { mode: 'form', message: 'Sure?', requestedSchema: { type: 'object', properties: {} } },
}
const wish = (rest: object) => ({ resultType: 'input_required', ...rest })
const done = { resultType: 'complete', content: [{ type: 'text', text: 'done' }] }
const yes: ServerQuestions = { elicit: async () => ({ action: 'accept', content: { yes: true } }) }

test('every request carries version, identity and capabilities', async () => {
  const { client, sent } = await connect(
    { 'tools/list': () => ({ tools: [] }), 'tools/call': () => done },
    { clientInfo: { name: 'me', version: '7' }, questions: yes },
  )
  await client.listTools()
  await client.callTool('x', { a: 1 }, { trace: { traceparent: '00-1-2-01' } })
  await client.ping()
  const envelope = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'me', version: '7' },
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {}, url: {} } },
  }
  expect(sent()).toEqual([
    { _meta: envelope },
    { name: 'x', arguments: { a: 1 }, _meta: { ...envelope, traceparent: '00-1-2-01' } },
    { _meta: envelope },
  ])
})

test('what the caller gives as meta cannot replace the envelope', async () => {
  const { client, sent } = await connect({ 'tools/call': () => done })
  const meta = { 'io.modelcontextprotocol/protocolVersion': '1', 'com.example/a': 1 }
  await client.callTool('x', {}, { meta })
  expect(sent()[0]?._meta).toMatchObject({
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'com.example/a': 1,
  })
})

test('input is given and the request sent again, the state as it came, with a new id', async () => {
  const state = ' {"opaque":\u00e9 "\\u0000"}=?\n'
  const results = [
    wish({
      inputRequests: { sure: elicitation, roots: { method: 'roots/list' } },
      requestState: state,
    }),
    wish({ inputRequests: { again: elicitation } }),
    done,
  ]
  const questions = { ...yes, listRoots: async () => [{ uri: 'file:///a' }] }
  const { client, server, sent } = await connect(
    { 'tools/call': () => results.shift() },
    { questions },
  )
  expect(await client.callTool('x', { a: 1 })).toEqual(done)
  const [first, second, third] = sent()
  const accepted = { action: 'accept', content: { yes: true } }
  expect(second).toEqual({
    ...first,
    inputResponses: { sure: accepted, roots: { roots: [{ uri: 'file:///a' }] } },
    requestState: state,
  })
  expect(third).toEqual({ ...first, inputResponses: { again: accepted } })
  const ids = server.received.map((it) => ('id' in it ? it.id : undefined))
  expect(new Set(ids).size).toBe(4)
})

test.each(['resources/read', 'prompts/get'])('%s may ask too', async (method) => {
  const complete = { contents: [], messages: [] }
  const results = [wish({ inputRequests: { sure: elicitation } }), complete]
  const { client } = await connect({ [method]: () => results.shift() }, { questions: yes })
  const ask = method === 'prompts/get' ? client.getPrompt('p') : client.readResource('a:b')
  expect(await ask).toEqual(complete)
})

test('a state without a question is sent again after a while', async () => {
  const clock = createFakeClock()
  const results = [wish({ requestState: 's' }), done]
  const { client, sent } = await connect({ 'tools/call': () => results.shift() }, { clock })
  const call = client.callTool('x')
  await clock.advanceAsync(249)
  expect(sent()).toHaveLength(1)
  await clock.advanceAsync(1)
  expect(await call).toEqual(done)
  expect(sent()[1]).toEqual({ ...sent()[0], requestState: 's' })
  await client.close()
  expect(clock.pending()).toBe(0)
})

test('a server that always needs more input is given up after ten rounds', async () => {
  const { client, sent } = await connect(
    { 'tools/call': () => wish({ inputRequests: { sure: elicitation } }) },
    { questions: yes },
  )
  const message = 'mcp: "tools/call" still needs input after 10 rounds'
  expect(await failure(client.callTool('x'))).toMatchObject({ kind: 'protocol', message })
  expect(sent()).toHaveLength(11)
})

test('the time of all rounds together is that of one call', async () => {
  const clock = createFakeClock()
  const slow: Method = async () => {
    await new Promise<void>((resolve) => clock.after(600, resolve))
    return wish({ inputRequests: { sure: elicitation } })
  }
  const { client, sent } = await connect(
    { 'tools/call': slow },
    { clock, timeoutMs: 1_000, questions: yes },
  )
  const call = failure(client.callTool('x'))
  await clock.advanceAsync(1_000)
  expect(await call).toMatchObject({ kind: 'timeout' })
  expect(sent().filter((params) => params?.name === 'x')).toHaveLength(2)
})

test('the time that a person takes is not counted, that of the server is', async () => {
  const clock = createFakeClock()
  const results = [() => wish({ inputRequests: { sure: elicitation } }), never]
  const answers: (() => void)[] = []
  const elicit: ServerQuestions['elicit'] = () =>
    new Promise((resolve) => {
      answers.push(() => resolve({ action: 'accept' }))
    })
  const { client, sent } = await connect(
    { 'tools/call': (params, context) => results.shift()?.(params, context) },
    { clock, timeoutMs: 1_000, questions: { elicit } },
  )
  let error: unknown
  const call = failure(client.callTool('x')).then((it) => {
    error = it
  })
  await clock.advanceAsync(3_600_000)
  expect(error).toBeUndefined()
  answers[0]?.()
  await clock.advanceAsync(999)
  expect([sent().length, error]).toEqual([2, undefined])
  await clock.advanceAsync(1)
  await call
  expect(error).toMatchObject({ kind: 'timeout', mayHaveRun: true })
})

const hostile: [string, unknown, RegExp][] = [
  ['neither question nor state', wish({}), /does not say which/],
  ['a state that is no text', wish({ requestState: { a: 1 } }), /does not say which/],
  ['questions that are no map', wish({ inputRequests: [elicitation] }), /does not say which/],
  ['a question without a method', wish({ inputRequests: { a: {} } }), /a malformed question/],
  [
    'a question that was not offered',
    wish({ inputRequests: { a: { method: 'sampling/createMessage', params: { messages: [] } } } }),
    /"sampling\/createMessage" for "tools\/call", which was not offered/,
  ],
  [
    'too many questions',
    wish({
      inputRequests: Object.fromEntries(Array.from({ length: 101 }, (_, i) => [i, elicitation])),
    }),
    /more than 100 questions/,
  ],
  ['a type that is not known', { resultType: 'task' }, /unknown type of result: "task"/],
]
test.each(hostile)('%s is a protocol error', async (_, result, message) => {
  const { client } = await connect({ 'tools/call': () => result }, { questions: yes })
  expect(await failure(client.callTool('x'))).toMatchObject({
    kind: 'protocol',
    message: expect.stringMatching(message),
  })
})

test('a server may not ask during any other request', async () => {
  const result = wish({ inputRequests: { sure: elicitation } })
  const { client } = await connect({ 'tools/list': () => result }, { questions: yes })
  expect(await failure(client.listTools())).toMatchObject({
    kind: 'protocol',
    message: expect.stringContaining('where it may not ask'),
  })
})

test('a refused form is told as dismissed; a refused sample ends the call', async () => {
  const refuse = async () => {
    throw new Error('no')
  }
  const results = [wish({ inputRequests: { sure: elicitation } }), done]
  const { client, sent } = await connect(
    { 'tools/call': () => results.shift() },
    { questions: { elicit: refuse } },
  )
  await client.callTool('x')
  expect(sent()[1]).toMatchObject({ inputResponses: { sure: { action: 'cancel' } } })
  const sampling = { method: 'sampling/createMessage', params: { messages: [] } }
  const { client: other } = await connect(
    { 'tools/call': () => wish({ inputRequests: { a: sampling } }) },
    { questions: { sample: refuse } },
  )
  expect(await failure(other.callTool('x'))).toMatchObject({
    kind: 'cancelled',
    cause: { message: 'no' },
  })
})

test.each(['cancel', 'close'])('%s ends the question of a call at once', async (how) => {
  const signals: AbortSignal[] = []
  const elicit: ServerQuestions['elicit'] = (_, { signal }) => {
    signals.push(signal)
    return new Promise(() => undefined)
  }
  const { client } = await connect(
    { 'tools/call': () => wish({ inputRequests: { sure: elicitation } }) },
    { questions: { elicit } },
  )
  const stop = new AbortController()
  const call = failure(client.callTool('x', {}, { signal: stop.signal }))
  await expect.poll(() => signals.length).toBe(1)
  if (how === 'close') await client.close()
  else stop.abort()
  expect(await call).toMatchObject({ kind: how === 'close' ? 'closed' : 'cancelled' })
  expect(signals[0]?.aborted).toBe(true)
})

test('a log level goes along with the requests that follow', async () => {
  const { client, sent } = await connect({ 'tools/call': () => done })
  await client.setLogLevel('debug')
  await client.callTool('x')
  expect(sent()).toEqual([
    expect.objectContaining({
      _meta: expect.objectContaining({ 'io.modelcontextprotocol/logLevel': 'debug' }),
    }),
  ])
})

test('a request of a modern server is not answered', async () => {
  const warnings: string[] = []
  const { server, client } = await connect(
    { 'tools/call': () => done },
    { onWarning: (text) => warnings.push(text) },
  )
  server.send({ id: 1, method: 'ping' })
  await client.callTool('x')
  expect(warnings).toEqual(['a request of the server was not answered: "ping"'])
  expect(server.received.filter((it) => !('method' in it))).toEqual([])
})

test('questions that are too large are put to nobody', async () => {
  const asking = (count: number, size: number, method = elicitation.method) => {
    const params = { ...elicitation.params, messages: [], message: 'x'.repeat(size) }
    const named = Array.from({ length: count }, (_, n) => [`q${n}`, { method, params }])
    return wish({ inputRequests: Object.fromEntries(named) })
  }
  const kibi = 1024
  const sampling = 'sampling/createMessage'
  const results = [
    asking(1, 257 * kibi),
    asking(20, 250 * kibi),
    asking(1, 4_097 * kibi, sampling),
    asking(1, 250 * kibi),
    asking(1, 3_000 * kibi, sampling),
    done,
  ]
  let asked = 0
  const answer = async () => {
    asked += 1
    return { action: 'accept' } as never
  }
  const questions = { elicit: answer, sample: answer }
  const { client } = await connect({ 'tools/call': () => results.shift() }, { questions })
  for (let n = 0; n < 3; n += 1) {
    expect(await failure(client.callTool('x', {}))).toMatchObject({ code: 'too_large' })
  }
  expect(asked).toBe(0)
  expect(await client.callTool('x', {})).toEqual(done)
  expect(asked).toBe(2)
})
