import { createFakeClock, waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { createMcpClient } from './client.ts'
import type { McpClientOptions, ServerNotice, ServerQuestions } from './contract.ts'
import { createTestServer, type Method, never } from './test-server.ts'

const form = {
  message: 'Who are you?',
  requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
}

async function connect(
  questions: ServerQuestions,
  options: Partial<McpClientOptions> & { methods?: Record<string, Method> } = {},
) {
  const server = createTestServer({ methods: options.methods ?? {} })
  const client = createMcpClient({ transport: server.transport, questions, ...options })
  await client.initialize()
  const answerTo = (id: number | string) =>
    waitFor(() => server.received.find((it) => !('method' in it) && it.id === id))
  return { server, client, answerTo }
}

test('the server is offered that for which there is a handler', async () => {
  const elicit = async () => ({ action: 'decline' as const })
  const sample = async () => {
    throw new Error('unused')
  }
  const offered = async (questions: ServerQuestions) => {
    const { server } = await connect(questions)
    const [initialize] = server.received
    return initialize && 'params' in initialize ? initialize.params?.capabilities : undefined
  }
  expect(await offered({})).toEqual({})
  expect(await offered({ elicit })).toEqual({ elicitation: { form: {}, url: {} } })
  expect(await offered({ sample, listRoots: async () => [] })).toEqual({ sampling: {}, roots: {} })
})

test('questions are answered, a ping too; what is not known is refused as such', async () => {
  const { server, answerTo } = await connect({
    elicit: async ({ message }) => ({ action: 'accept', content: { name: message } }),
    sample: async () => ({
      role: 'assistant',
      model: 'm',
      content: { type: 'text', text: 'Paris' },
    }),
    listRoots: async () => [{ uri: 'file:///work' }],
  })
  const messages = [{ role: 'user', content: { type: 'text', text: 'Capital?' } }]
  server.send({ id: 'e', method: 'elicitation/create', params: form })
  server.send({ id: 's', method: 'sampling/createMessage', params: { messages, maxTokens: 9 } })
  server.send({ id: 0, method: 'roots/list' })
  server.send({ id: 1, method: 'ping' })
  server.send({ id: 2, method: 'tools/steal' })
  expect(await answerTo('e')).toMatchObject({ result: { content: { name: 'Who are you?' } } })
  expect(await answerTo('s')).toMatchObject({ result: { content: { text: 'Paris' } } })
  expect(await answerTo(0)).toMatchObject({ result: { roots: [{ uri: 'file:///work' }] } })
  expect(await answerTo(1)).toMatchObject({ result: {} })
  expect(await answerTo(2)).toMatchObject({ error: { code: -32601 } })
})

test('a handler that throws refuses, and the server learns nothing of why', async () => {
  const warnings: string[] = []
  const refuse = async () => {
    throw new Error('secret reason')
  }
  const { server, answerTo } = await connect(
    { elicit: refuse, sample: refuse, listRoots: refuse },
    { onWarning: (text) => warnings.push(text) },
  )
  server.send({ id: 1, method: 'elicitation/create', params: form })
  server.send({ id: 2, method: 'sampling/createMessage', params: { messages: [] } })
  server.send({ id: 3, method: 'roots/list' })
  expect(await answerTo(1)).toMatchObject({ result: { action: 'cancel' } })
  expect(await answerTo(2)).toMatchObject({ error: { code: -1 } })
  expect(await answerTo(3)).toMatchObject({ error: { code: -1 } })
  expect(JSON.stringify([server.received, warnings])).not.toContain('secret reason')
  expect(warnings).toHaveLength(3)
})

test('a host that throws where it must not does not stop the reading', async () => {
  const warnings: string[] = []
  const { server, client } = await connect(
    {},
    {
      onNotice: () => {
        throw new Error('of the host')
      },
      onWarning: (text) => warnings.push(text),
    },
  )
  server.send({ method: 'notifications/tools/list_changed' })
  await client.ping()
  expect(warnings).toEqual(['what the host does with "notifications/tools/list_changed" failed'])
})

test('a handler that gives nothing of use refuses', async () => {
  const nothing = async () => undefined as never
  const { server, answerTo } = await connect({ elicit: nothing, sample: nothing })
  server.send({ id: 1, method: 'elicitation/create', params: form })
  server.send({ id: 2, method: 'sampling/createMessage', params: { messages: [] } })
  expect(await answerTo(1)).toMatchObject({ result: { action: 'cancel' } })
  expect(await answerTo(2)).toMatchObject({ error: { code: -1 } })
})

test.each([
  ['a form without a schema', 'elicitation/create', { message: 'a' }],
  ['a question without a message', 'elicitation/create', { requestedSchema: {} }],
  [
    'a script for an address',
    'elicitation/create',
    { mode: 'url', message: 'a', url: 'javascript:1' },
  ],
  ...['http://pay.example/', 'https://pay.example@evil.example/', 'https://:x@evil.example/'].map(
    (url): [string, string, object] => {
      return [`the page ${url}`, 'elicitation/create', { mode: 'url', message: 'a', url }]
    },
  ),
  ['a mode that is not known', 'elicitation/create', { ...form, mode: 'mind-reading' }],
  ['a sample of nothing', 'sampling/createMessage', { maxTokens: 1 }],
])('%s does not reach its handler', async (_, method, params) => {
  const asked: unknown[] = []
  const note = async (it: unknown): Promise<never> => {
    asked.push(it)
    throw new Error('asked')
  }
  const { server, answerTo } = await connect({ elicit: note, sample: note })
  server.send({ id: 1, method, params })
  expect(await answerTo(1)).toMatchObject({ error: { code: -32602 } })
  expect(asked).toEqual([])
})

test.each([
  'https://pay.example/a?b=c',
  'http://127.0.0.1:8080/',
  'http://localhost/',
  'http://[::1]/',
])('the page %s does', async (url) => {
  const elicit = async () => ({ action: 'accept' as const })
  const { server, answerTo } = await connect({ elicit })
  server.send({ id: 1, method: 'elicitation/create', params: { mode: 'url', message: 'a', url } })
  expect(await answerTo(1)).toMatchObject({ result: { action: 'accept' } })
})

test('fields that an accepted form leaves out get their defaults', async () => {
  const properties = {
    name: { type: 'string', default: 'John' },
    age: { type: 'integer', default: 30 },
    agreed: { type: 'boolean', default: false },
    note: { type: 'string' },
  }
  const params = { message: 'a', requestedSchema: { type: 'object', properties } }
  const answers = [
    { action: 'accept' as const, content: { age: 5 } },
    { action: 'accept' as const },
    { action: 'decline' as const },
  ]
  const elicit = async () => answers.shift() ?? { action: 'cancel' as const }
  const { server, answerTo } = await connect({ elicit })
  for (const id of [1, 2, 3]) {
    server.send({ id, method: 'elicitation/create', params })
    await answerTo(id)
  }
  const defaults = { name: 'John', age: 30, agreed: false }
  expect(await answerTo(1)).toMatchObject({ result: { content: { ...defaults, age: 5 } } })
  expect(await answerTo(2)).toMatchObject({ result: { content: defaults } })
  expect(await answerTo(3)).toEqual({ jsonrpc: '2.0', id: 3, result: { action: 'decline' } })
})

/** Asks the client while a call is under way, and answers the call when that is answered. */
function asking(): { call: Method; questions: ServerQuestions; signals: AbortSignal[] } {
  const signals: AbortSignal[] = []
  return {
    signals,
    call: (_, { send, signal }) => {
      send({ jsonrpc: '2.0', id: 'q', method: 'elicitation/create', params: form })
      return never({}, { signal } as never)
    },
    questions: {
      elicit: (_, { signal }) => {
        signals.push(signal)
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('ended')), { once: true })
        })
      },
    },
  }
}

test('the time of a call stands still while its question is open', async () => {
  const clock = createFakeClock()
  const answers: ((name: string) => void)[] = []
  const elicit: ServerQuestions['elicit'] = () =>
    new Promise((resolve) => {
      answers.push((name) => resolve({ action: 'accept', content: { name } }))
    })
  const { call } = asking()
  const options = { clock, timeoutMs: 1_000, methods: { 'tools/call': call, other: never } }
  const { client, answerTo } = await connect({ elicit }, options)
  const ended: string[] = []
  const note = (name: string) => (error: { kind: string }) => ended.push(`${name} ${error.kind}`)
  const asked = client.callTool('x').catch(note('asked'))
  const other = client.request('other').catch(note('other'))
  await clock.advanceAsync(400)
  await clock.advanceAsync(60_000)
  await other
  expect(ended).toEqual(['other timeout'])
  answers[0]?.('me')
  await answerTo('q')
  await clock.advanceAsync(999)
  expect(ended).toEqual(['other timeout'])
  await clock.advanceAsync(1)
  await asked
  expect(ended).toEqual(['other timeout', 'asked timeout'])
})

test.each([
  ['its call', (stop: AbortController) => stop.abort()],
  ['the client', (_: AbortController, close: () => Promise<void>) => close()],
])('a question ends with %s', async (_, end) => {
  const { call, questions, signals } = asking()
  const { client } = await connect(questions, { methods: { 'tools/call': call } })
  const stop = new AbortController()
  const called = client.callTool('x', {}, { signal: stop.signal }).catch(() => undefined)
  const signal = await waitFor(() => signals[0])
  expect(signal.aborted).toBe(false)
  await end(stop, () => client.close())
  await called
  expect(signal.aborted).toBe(true)
})

test('a question on the stream of a call belongs to that call alone', async () => {
  const clock = createFakeClock()
  const { questions, signals } = asking()
  const options = { clock, timeoutMs: 1_000, methods: { 'tools/call': never } }
  const { server, client } = await connect(questions, options)
  const stop = new AbortController()
  const other = client.callTool('other').catch(({ kind }) => kind)
  const asked = client.callTool('asked', {}, { signal: stop.signal }).catch(({ kind }) => kind)
  server.sendOn(3, { id: 'q', method: 'elicitation/create', params: form })
  await clock.advanceAsync(5_000)
  expect(await other).toBe('timeout')
  expect(signals[0]?.aborted).toBe(false)
  stop.abort()
  expect(await asked).toBe('cancelled')
  expect(signals[0]?.aborted).toBe(true)
})

test('a question that the server cancels ends and is not answered', async () => {
  const { questions, signals } = asking()
  const { server, client } = await connect(questions)
  server.send({ id: 'q', method: 'elicitation/create', params: form })
  server.send({ method: 'notifications/cancelled', params: { requestId: 'q' } })
  server.send({ method: 'notifications/cancelled', params: { requestId: 'unknown' } })
  expect(signals[0]?.aborted).toBe(true)
  await client.ping()
  expect(server.received.filter((it) => !('method' in it))).toEqual([])
})

test('a question outside of any call stays open while lists are fetched', async () => {
  const { questions, signals } = asking()
  const { server, client } = await connect(questions, { methods: { 'tools/list': () => [] } })
  const listing = client.listTools()
  server.send({ id: 'q', method: 'elicitation/create', params: form })
  await listing
  expect(signals[0]?.aborted).toBe(false)
  await client.close()
  expect(signals[0]?.aborted).toBe(true)
})

test('a server that asks without end is refused after a hundred questions', async () => {
  const { questions, signals } = asking()
  const { server, answerTo, client } = await connect(questions)
  for (let id = 1; id <= 101; id++) server.send({ id, method: 'elicitation/create', params: form })
  server.send({ id: 1, method: 'elicitation/create', params: form })
  expect(await answerTo(101)).toMatchObject({ error: { code: -32600 } })
  expect(signals).toHaveLength(100)
  await client.close()
})

test('a question that is too large is refused, and the next one is asked', async () => {
  const { questions, signals } = asking()
  const { server, answerTo, client } = await connect(questions)
  const message = 'x'.repeat(256 * 1024)
  server.send({ id: 1, method: 'elicitation/create', params: { ...form, message } })
  expect(await answerTo(1)).toMatchObject({ error: { code: -32600 } })
  expect(signals).toHaveLength(0)
  server.send({ id: 2, method: 'elicitation/create', params: form })
  expect(signals).toHaveLength(1)
  await client.close()
})

test('questions that hold too much together are refused until one is answered', async () => {
  const answers: (() => void)[] = []
  const { server, answerTo, client } = await connect({
    sample: () =>
      new Promise((resolve) => {
        const content = { type: 'text' as const, text: '' }
        answers.push(() => resolve({ role: 'assistant', model: 'm', content }))
      }),
  })
  const content = { type: 'image', mimeType: 'image/png', data: 'x'.repeat(1_500_000) }
  const params = { messages: [{ role: 'user', content }], maxTokens: 9 }
  const ask = (id: number) => server.send({ id, method: 'sampling/createMessage', params })
  for (const id of [1, 2, 3]) ask(id)
  expect(await answerTo(3)).toMatchObject({ error: { code: -32600 } })
  server.send({ method: 'notifications/cancelled', params: { requestId: 1 } })
  ask(4)
  expect(await answerTo(4)).toMatchObject({ error: { code: -32600 } })
  expect(answers).toHaveLength(2)
  answers[1]?.()
  expect(await answerTo(2)).toMatchObject({ result: { model: 'm' } })
  ask(5)
  expect(answers).toHaveLength(3)
  await client.close()
})

test('a request with an endless id is not answered', async () => {
  const warnings: string[] = []
  const { server, answerTo } = await connect({}, { onWarning: (text) => warnings.push(text) })
  server.send({ id: 'x'.repeat(1_025), method: 'ping' })
  server.send({ id: 1, method: 'ping' })
  await answerTo(1)
  expect(server.received.filter((it) => !('method' in it))).toHaveLength(1)
  expect(warnings).toEqual(['a request with an id that is too long was ignored'])
})

test('what a server tells reaches the host; malformed and unknown things do not', async () => {
  const notices: ServerNotice[] = []
  const { server } = await connect({}, { onNotice: (notice) => notices.push(notice) })
  const send = (name: string, params?: object) =>
    server.send({ method: `notifications/${name}`, ...(params && { params }) })
  send('tools/list_changed')
  send('resources/list_changed', {})
  send('prompts/list_changed')
  send('resources/updated', { uri: 'a:b' })
  send('resources/updated', { uri: 7 })
  send('message', { level: 'info', logger: 'l', data: { a: 1 } })
  send('message', { data: 'no level' })
  send('elicitation/complete', { elicitationId: 'e' })
  send('from/the/future', { a: 1 })
  expect(notices).toEqual([
    { kind: 'tools_changed' },
    { kind: 'resources_changed' },
    { kind: 'prompts_changed' },
    { kind: 'resource_updated', uri: 'a:b' },
    { kind: 'log', level: 'info', logger: 'l', data: { a: 1 } },
    { kind: 'elicitation_complete', elicitationId: 'e' },
  ])
})
