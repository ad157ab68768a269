import { expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import type { JsonRpcMessage } from '../rpc/messages.ts'
import { createInProcessTransport } from '../transports/in-process.ts'
import { createMcpClient } from './client.ts'
import type { McpClient, McpClientOptions } from './contract.ts'
import {
  createTestServer,
  fault,
  type Method,
  modernMethods,
  never,
  serverInfo,
} from './test-server.ts'

async function connect(methods: Record<string, Method>, options: Partial<McpClientOptions> = {}) {
  const server = createTestServer({ methods })
  const client = createMcpClient({ transport: server.transport, ...options })
  await client.initialize()
  return { server, client }
}

async function listOf(result: unknown, options: Partial<McpClientOptions> = {}) {
  const { client } = await connect({ 'tools/list': () => result }, options)
  return await client.listTools()
}

const echo = { name: 'echo', description: 'says it again', inputSchema: { type: 'object' } }

const clientInfo = { name: manifest.name, version: manifest.version }
const hello = { protocolVersion: '2025-06-18', capabilities: {}, serverInfo }
const helloAsked = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }

test('TestMCPClient_Initialize: who speaks which version, then it is told', async () => {
  const server = createTestServer({ version: '2025-06-18' })
  await using client = createMcpClient({ transport: server.transport })
  const found = await client.initialize()
  expect(found).toEqual({ era: 'legacy', version: '2025-06-18', serverInfo, capabilities: {} })
  expect(client.server).toBe(found)
  expect(server.received).toEqual([
    { jsonrpc: '2.0', id: 1, method: 'initialize', params: helloAsked },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
  ])
})

test('handshake, list and call by JSON text with rising ids; other text is an error [C4.3]', async () => {
  const received: JsonRpcMessage[] = []
  const texts = [JSON.stringify(hello), '{"tools":[{"name":"echo"}]}', '{"content":[]}', '<html>']
  const transport = createInProcessTransport((message) => {
    received.push(message)
    if (!('id' in message)) return undefined
    return `{"jsonrpc":"2.0","id":${message.id},"result":${texts.shift()}}`
  })
  await using client = createMcpClient({ transport })
  expect(await client.initialize()).toMatchObject({ version: '2025-06-18', serverInfo })
  expect(await client.listTools()).toEqual([{ name: 'echo' }])
  expect(await client.callTool('echo', { text: 'a' })).toEqual({ content: [] })
  await expect(client.listTools()).rejects.toMatchObject({
    kind: 'protocol',
    code: 'upstream_failed',
    message: 'mcp: the server sent an answer that is not JSON',
  })
  const params = { name: 'echo', arguments: { text: 'a' } }
  expect(received).toEqual([
    { jsonrpc: '2.0', id: 1, method: 'initialize', params: helloAsked },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', id: 2, method: 'tools/list' },
    { jsonrpc: '2.0', id: 3, method: 'tools/call', params },
    { jsonrpc: '2.0', id: 4, method: 'tools/list' },
  ])
})

test.each(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'])(
  'a server that answers with %s is spoken to in it',
  async (version) => {
    const server = createTestServer({ version })
    const agreed: unknown[] = []
    const transport = { ...server.transport, negotiated: (it: unknown) => agreed.push(it) }
    await using client = createMcpClient({ transport })
    expect(await client.initialize()).toMatchObject({ version })
    expect(agreed).toEqual([{ era: 'legacy', version }])
  },
)

test('a version that is not known is refused with both sides named', async () => {
  const server = createTestServer({ version: '1999-01-01' })
  const client = createMcpClient({ transport: server.transport })
  await expect(client.initialize()).rejects.toMatchObject({
    kind: 'protocol',
    message: expect.stringMatching(/"1999-01-01".*2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05/),
  })
  await expect(client.ping()).rejects.toMatchObject({ kind: 'closed' })
})

test('TestMCPClient_ListTools_WrappedFormat', async () => {
  expect(await listOf({ tools: [echo] })).toEqual([echo])
})

test('TestMCPClient_ListTools_BareArray', async () => {
  expect(await listOf([echo])).toEqual([echo])
})

test('TestMCPClient_ListTools_EmptyArray in either form', async () => {
  expect(await listOf([])).toEqual([])
  expect(await listOf({ tools: [] })).toEqual([])
})

test('TestMCPClient_CallTool_Success: the whole result, unknown fields too', async () => {
  const result = {
    content: [
      { type: 'text', text: 'hi' },
      { type: 'later', x: 1 },
    ],
    structuredContent: [1, { two: null }],
    _meta: { a: 1 },
    surprise: true,
  }
  const { client } = await connect({ 'tools/call': () => result })
  expect(await client.callTool('echo', { text: 'hi' })).toEqual(result)
})

test('errors keep code and message; lists in four forms; another result says what it is [C4.1]', async () => {
  const { client } = await connect({
    'tools/list': () => {
      throw fault(-32000, 'no tools today')
    },
  })
  const rpc = { code: -32000, message: 'no tools today' }
  await expect(client.listTools()).rejects.toMatchObject({ kind: 'rpc', rpc })
  for (const list of [{ tools: [echo] }, [echo]]) expect(await listOf(list)).toEqual([echo])
  for (const list of [{ tools: [] }, []]) expect(await listOf(list)).toEqual([])
  const others: [unknown, string][] = [
    [null, 'with nothing, not a list'],
    ['', 'with a string, not a list'],
    [{}, 'with an object without "tools", not a list'],
    [{ tools: { a: 1 } }, 'with an object without "tools", not a list'],
    [7, 'with a number, not a list'],
  ]
  for (const [result, text] of others) {
    await expect(listOf(result)).rejects.toMatchObject({
      kind: 'protocol',
      message: `mcp: the server answered "tools/list" ${text}`,
    })
  }
  for (const isText of [true, false]) {
    await expect(listAnsweredByNothing(isText)).rejects.toMatchObject({
      kind: 'protocol',
      message: 'mcp: the server answered "tools/list" with neither a result nor a proper error',
    })
  }
})

/** The answer has neither result nor error; it comes as JSON text or as an object. */
async function listAnsweredByNothing(isText: boolean) {
  const transport = createInProcessTransport((message) => {
    if (!('id' in message) || !('method' in message)) return undefined
    const { id, method } = message
    if (method === 'initialize') return { jsonrpc: '2.0', id, result: hello }
    return isText ? `{"jsonrpc":"2.0","id":${id}}` : { jsonrpc: '2.0', id }
  })
  await using client = createMcpClient({ transport })
  await client.initialize()
  return await client.listTools()
}

test('a tool without a name and one of the same name are skipped with a warning', async () => {
  const warnings: string[] = []
  const onWarning = (text: string) => warnings.push(text)
  const bare = { name: 'bare', inputSchema: { type: 'object' } }
  const tools = [
    { description: 'nameless' },
    bare,
    echo,
    { ...echo, title: 'second' },
    'text',
    null,
  ]
  expect(await listOf({ tools }, { onWarning })).toEqual([bare, echo])
  expect(warnings).toEqual(['skipped: 3 × tool without a name', 'skipped: a second tool "echo"'])
})

test('pages are put together in order', async () => {
  const pages: Record<string, unknown> = {
    first: { tools: [{ ...echo, name: 'a' }], nextCursor: 'second' },
    second: { tools: [], nextCursor: '' },
    '': { tools: [{ ...echo, name: 'b' }] },
  }
  const { client } = await connect({
    'tools/list': ({ cursor = 'first' }) => pages[cursor as string],
  })
  expect((await client.listTools()).map(({ name }) => name)).toEqual(['a', 'b'])
})

test('a page of a million items is refused without being walked', async () => {
  const tools = Array.from({ length: 1_000_000 }, () => 0)
  await expect(listOf({ tools })).rejects.toMatchObject({ kind: 'protocol' })
})

test('a list with many faults is warned of a few times', async () => {
  const warnings: string[] = []
  const names = Array.from({ length: 2_000 }, (_, n) => ({ name: `t${n % 1_000}` }))
  await listOf([...names, ...Array(1_000).fill(null)], { onWarning: (it) => warnings.push(it) })
  expect(warnings).toHaveLength(12)
})

const endless: [string, Method, RegExp][] = [
  ['a cursor that repeats', () => ({ tools: [], nextCursor: 'again' }), /a cursor came twice/],
  [
    'pages without end',
    ({ cursor = '0' }) => ({ tools: [], nextCursor: `${Number(cursor) + 1}` }),
    /more than 5 pages/,
  ],
  [
    'items without end',
    () => ({ tools: Array.from({ length: 30 }, (_, i) => ({ name: `t${i}` })), nextCursor: 'x' }),
    /more than 20 items/,
  ],
]
test.each(endless)('%s is an endless list', async (_, method, message) => {
  const listLimits = { pages: 5, items: 20 }
  const { client } = await connect({ 'tools/list': method }, { listLimits })
  await expect(client.listTools()).rejects.toMatchObject({
    kind: 'protocol',
    message: expect.stringMatching(message),
  })
})

test('a list that a server neither offers nor knows is empty', async () => {
  const { client } = await connect({})
  expect(await client.listTools()).toEqual([])
  expect(await client.listPrompts()).toEqual([])
  const server = createTestServer({ capabilities: { tools: {} } })
  const other = createMcpClient({ transport: server.transport })
  await other.initialize()
  await expect(other.listTools()).rejects.toMatchObject({ rpc: { code: -32601 } })
})

test.each([
  ['no content', {}, { content: [] }],
  ['a value of any kind', { structuredContent: 7 }, { structuredContent: 7, content: [] }],
])('a result with %s is taken', async (_, result, expected) => {
  const { client } = await connect({ 'tools/call': () => result })
  expect(await client.callTool('x')).toEqual(expected)
})

test.each([[[]], ['text'], [null], [{ content: 'text' }], [{ content: ['text'] }]])(
  'a call answered with %j is a protocol error',
  async (result) => {
    const { client } = await connect({ 'tools/call': () => result })
    await expect(client.callTool('x')).rejects.toMatchObject({ kind: 'protocol', mayHaveRun: true })
  },
)

const others: [string, (client: McpClient) => Promise<unknown>, unknown, unknown][] = [
  ['readResource', (it) => it.readResource('a:b'), { contents: [{ uri: 'a:b' }] }, { contents: 1 }],
  ['getPrompt', (it) => it.getPrompt('p', { a: 'b' }), { messages: [] }, { messages: 'm' }],
  [
    'complete',
    (it) =>
      it.complete({ ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'a', value: '' } }),
    { completion: { values: ['x'] } },
    { completion: { values: [1] } },
  ],
]
test.each(others)(
  '%s gives a well-formed result and refuses another',
  async (_, ask, good, bad) => {
    const answering = (result: unknown) => ({
      'resources/read': () => result,
      'prompts/get': () => result,
      'completion/complete': () => result,
    })
    const { client } = await connect(answering(good))
    expect(await ask(client)).toEqual(good)
    const { client: other } = await connect(answering(bad))
    await expect(ask(other)).rejects.toMatchObject({ kind: 'protocol' })
  },
)

test('trace context and further meta go into _meta', async () => {
  const { client, server } = await connect({ 'tools/call': () => ({}) })
  const trace = { traceparent: '00-1-2-01', tracestate: 'a=b', baggage: 'c=d' }
  await client.callTool('x', {}, { trace, meta: { 'com.example/a': 1 } })
  expect(server.received.at(-1)).toMatchObject({
    params: { name: 'x', arguments: {}, _meta: { ...trace, 'com.example/a': 1 } },
  })
})

test('nothing is asked before connecting or after closing, and connecting happens once', async () => {
  const server = createTestServer()
  const client = createMcpClient({ transport: server.transport })
  await expect(client.ping()).rejects.toMatchObject({ kind: 'unavailable' })
  await client.connect({ era: 'legacy' })
  await expect(client.connect()).rejects.toMatchObject({ kind: 'closed' })
  await client.close()
  await client.close()
  await expect(client.ping()).rejects.toMatchObject({ kind: 'closed' })
})

test('what this end did wrong or closed is not worth another try', async () => {
  const server = createTestServer({ methods: { ...modernMethods(), 'tools/call': never } })
  const client = createMcpClient({ transport: server.transport })
  await client.connect()
  await expect(client.connect()).rejects.toMatchObject({ kind: 'closed', retryable: false })
  await client.close()
  const after = { kind: 'closed', retryable: false, message: 'mcp: the client is closed' }
  await expect(client.callTool('x')).rejects.toMatchObject(after)
  await expect(client.notify('notifications/x')).rejects.toMatchObject(after)
})

test('a client that is used too early says what to do, whatever it is asked for', async () => {
  const client = createMcpClient({ transport: createTestServer().transport })
  const early = {
    kind: 'unavailable',
    retryable: false,
    message: 'mcp: the client is not connected: call connect() first',
  }
  await expect(client.ping()).rejects.toMatchObject(early)
  await expect(client.listTools()).rejects.toMatchObject(early)
  await expect(client.notify('notifications/x')).rejects.toMatchObject(early)
  await expect(client.subscribeResource('a:b')).rejects.toMatchObject(early)
})
