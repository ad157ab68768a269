import { once } from 'node:events'
import {
  type ClientRequest,
  createServer,
  request as httpRequest,
  type IncomingMessage,
} from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { defineTool } from '@dataagent/hub'
import { longCount, waitFor } from '@dataagent/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { readBody } from '../entries/index.ts'
import { openSession, openSse } from './test-clients.ts'
import { admin, echo, startTestGateway } from './test-gateway.ts'
import { createMovingClock } from './test-moving-clock.ts'
import { ask, request, send } from './test-wire.ts'

const mebi = 1024 * 1024
const unlimited = { rate_limits: { enabled: false } }
const say = (text: string) => request(1, 'tools/call', { name: 'echo', arguments: { text } })

/** One more client, which notices when the others get in its way. */
async function isServed(url: string, token: string): Promise<number> {
  const begun = performance.now()
  const { result } = await ask(`${url}/mcp`, { token, body: say('hi') })
  expect(result.content[0].text).toBe('hi')
  return performance.now() - begun
}

function startPost(url: string, token: string): ClientRequest {
  const asked = httpRequest(url, {
    method: 'POST',
    agent: false,
    headers: {
      ...{ authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      accept: 'application/json, text/event-stream',
      'transfer-encoding': 'chunked',
    },
  })
  asked.on('error', () => {})
  onTestFinished(() => void asked.destroy())
  return asked
}

const measure = defineTool({
  ...{ name: 'measure', description: 'Tells how long a text is.' },
  input: z.object({ text: z.string() }),
  run: ({ text }) => String(text.length),
})

test('a message of 4 MiB is taken and a larger one refused, on every endpoint [E5.2]', async () => {
  const { workers, key: token } = await startTestGateway({ tools: [measure] })
  const [{ url }] = workers
  const toCall = (length: number) =>
    request(1, 'tools/call', { name: 'measure', arguments: { text: 'x'.repeat(length) } })
  const fits = 4 * mebi - 1024
  for (const path of ['/mcp', '/api/v1/mcp/jsonrpc']) {
    const { result } = await ask(url + path, { token, body: toCall(fits) })
    expect(result.content).toEqual([{ type: 'text', text: String(fits) }])
    const { status, error } = await ask(url + path, { token, body: toCall(4 * mebi) })
    expect([path, status, error?.code]).toEqual([path, 413, -32600])
  }
  const sse = await openSse(url, token)
  await sse.post(url, toCall(fits))
  await sse.stream.until(({ id }) => id === 1)
  // Whoever looks at the status alone is told; whoever waits on the stream does not wait for ever.
  expect((await sse.post(url, toCall(4 * mebi))).status).toBe(413)
  await sse.stream.ended
})

test('an upload without an end is cut off soon [E5.2]', async () => {
  const { workers, key: token } = await startTestGateway()
  const [{ url }] = workers
  for (const path of ['/mcp', '/api/v1/mcp/jsonrpc', '/mcp/oauth/token', '/mcp/oauth/register']) {
    const asked = startPost(url + path, token)
    // The answer may be lost where the connection is cut while we still send.
    const answered = once(asked, 'response').then(
      ([answer]: IncomingMessage[]) => answer?.statusCode,
      () => 413,
    )
    let sent = 0
    const chunk = Buffer.alloc(256 * 1024, 'x')
    const feed = () => {
      sent += chunk.length
      if (!asked.destroyed && sent < 1024 * mebi) asked.write(chunk, () => setImmediate(feed))
    }
    feed()
    expect([path, await answered]).toEqual([path, 413])
    await waitFor(() => asked.socket?.destroyed ?? true, { what: `${path} is closed` })
    expect(sent).toBeLessThan(200 * mebi)
  }
})

test('JSON that is deep, broken or of another kind is refused at once [E5.2] [T17]', async () => {
  const { workers, key: token } = await startTestGateway()
  const [{ url }] = workers
  const deep = (open: string, close: string, depth: number) =>
    open.repeat(depth) + close.repeat(depth)
  const bodies = [
    deep('[', ']', 1_000_000),
    deep('{"a":', '}', 100_000).replace('}', '1}'),
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":${deep('[', ']', 10_000)}}}`,
    `[${Array.from({ length: 101 }, () => '{"jsonrpc":"2.0","id":1,"method":"ping"}')}]`,
    ...[
      '',
      ' ',
      'null',
      'true',
      '"x"',
      '{}',
      '[1]',
      '{"jsonrpc":"2.0","id":{},"method":"ping"}',
      '\u0000',
    ],
    '{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}',
    '{"__proto__":{"jsonrpc":"2.0"},"id":1,"method":"ping"}',
    '{"jsonrpc":"2.0","id":1,"method":"constructor"}',
    '{"jsonrpc":"2.0","id":1,"method":"__proto__"}',
    `{"jsonrpc":"2.0","id":1,"method":"${'x'.repeat(1_000_000)}"}`,
  ]
  for (const path of ['/mcp', '/api/v1/mcp/jsonrpc']) {
    for (const body of bodies) {
      const begun = performance.now()
      const wire = await send(url + path, { token, body })
      await wire.ended
      expect(wire.text()).toMatch(/"error":\{"code":-32(700|60[0-2])/)
      expect(performance.now() - begun).toBeLessThan(5_000)
    }
  }
  await isServed(url, token)
})

const slowBodies = longCount(200, 1_000)

test(`${slowBodies} bodies that come slowly hold nobody up [E5.2] [T65]`, async () => {
  const { workers, key: token } = await startTestGateway({ settings: unlimited })
  const [{ url }] = workers
  const slow = Array.from({ length: slowBodies }, () => startPost(`${url}/mcp`, token))
  for (const asked of slow) asked.write('{"jsonrpc"')
  await Promise.all(slow.map((asked) => asked.socket ?? once(asked, 'socket')))
  expect(await isServed(url, token)).toBeLessThan(2_000)
  const [first] = slow
  first?.end(':"2.0","id":1,"method":"ping"}')
  const [answer] = (await once(first!, 'response')) as [IncomingMessage]
  expect(answer.statusCode).toBe(200)
})

test('a body that does not come within its time is given up [E5.2] [T65]', async () => {
  const given = Promise.withResolvers<unknown>()
  const server = createServer((asked, response) => {
    void readBody(asked, { maxBytes: mebi, withinMs: 50 }).catch(given.resolve)
    onTestFinished(() => void response.destroy())
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const asked = startPost(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, '')
  asked.write('{')
  expect(await given.promise).toMatchObject({ code: 'timeout' })
})

/** A stream whose client never reads. */
async function openUnread(url: string, token: string, more = ''): Promise<Socket> {
  const { host, hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  socket.on('error', () => {})
  socket.pause()
  const path = more === '' ? '/mcp/v1/sse' : '/mcp'
  socket.write(
    `GET ${path} HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${token}\r\n` +
      `accept: text/event-stream\r\n${more}\r\n`,
  )
  return socket
}

test('two hundred streams that nobody reads hold nobody up [E1.1][E1.2]', async () => {
  const clock = createMovingClock()
  const { workers, key: token } = await startTestGateway({ clock, settings: unlimited })
  const [{ url, gateway }] = workers
  const { session_id } = await openSession(url, token)
  const unread = longCount(200, 1_000)
  const before = process.memoryUsage().rss
  for (let n = 0; n < unread; n++) {
    await openUnread(url, token, n % 2 ? `mcp-session-id: ${session_id}\r\n` : '')
  }
  for (let n = 0; n < 20; n++) {
    await gateway.groups.update(admin, 'all', {
      tools: [{ server_id: '*', tool: n % 2 ? '*' : 'x' }],
    })
  }
  await gateway.groups.update(admin, 'all', { tools: [{ server_id: '*', tool: '*' }] })
  expect(await isServed(url, token)).toBeLessThan(2_000)
  const grown = process.memoryUsage().rss - before
  console.info(`${unread} unread streams: ${Math.round(grown / mebi)} MiB`)
  expect(grown).toBeLessThan(unread * mebi)
})

test('answers wait for a client that does not read up to a limit, and not for ever [E1.1]', async () => {
  const clock = createMovingClock()
  const big = defineTool({
    ...{ name: 'big', description: 'Says much.', input: z.object({ length: z.int() }) },
    run: ({ length }) => 'x'.repeat(length),
  })
  const { workers, key: token } = await startTestGateway({
    ...{ clock, settings: unlimited, tools: [echo, big] },
  })
  const [{ url }] = workers
  /** Posts to a stream that is read as far as its endpoint. Gives whether the stream lives. */
  const open = async () => {
    const socket = await openUnread(url, token)
    let text = ''
    const [, endpoint] = await waitFor(() => {
      text += String(socket.read() ?? '')
      return /data: (\S+)\n/.exec(text)
    })
    return async (length: number) => {
      const body = request(1, 'tools/call', { name: 'big', arguments: { length } })
      return (await send(`${url}${endpoint}`, { token, body })).status === 202
    }
  }
  const much = await open()
  let posts = 0
  await waitFor(
    async () => {
      posts += 1
      return !(await much(900_000))
    },
    { timeoutMs: 20_000, intervalMs: 1 },
  )
  // 16 MiB here, and what the system takes itself.
  expect(posts).toBeGreaterThan(16)
  const some = await open()
  for (let n = 0; n < 12; n++) expect(await some(900_000)).toBe(true)
  await waitFor(async () => {
    clock.advance(15_001)
    return !(await some(0))
  })
  expect(await isServed(url, token)).toBeLessThan(2_000)
})

test('one who opens session after session is stopped, and others are not [E5.1]', async () => {
  const { workers, key: token } = await startTestGateway()
  const [{ url, gateway }] = workers
  const tools = [{ server_id: '*', tool: '*' }]
  const { key: other } = await gateway.groups.create(admin, { group_id: 'b', name: 'B', tools })
  const initialize = request(0, 'initialize', { protocolVersion: '2025-11-25', capabilities: {} })
  const statuses: number[] = []
  for (let n = 0; n < 15; n++) {
    const some = Array.from({ length: 20 }, (_, at) =>
      ask(`${workers[at % 2 ? 0 : 1].url}/mcp`, { token, body: initialize }),
    )
    statuses.push(...(await Promise.all(some)).map(({ status }) => status))
  }
  expect(statuses.filter((status) => status === 200)).toHaveLength(240)
  expect(statuses.filter((status) => status === 429)).toHaveLength(60)
  expect((await ask(`${url}/mcp`, { token: other, body: initialize })).status).toBe(200)
  for (let n = 0; n < 50; n++) {
    expect((await ask(`${url}/mcp`, { token: 'mk_no', body: initialize })).status).toBe(401)
  }
})

test('before authorisation a network has a few streams open, and others when those end [E1.1]', async () => {
  const { workers } = await startTestGateway({ settings: { open_discovery: true } })
  const url = `${workers[0].url}/api/v1/mcp/jsonrpc`
  const open = () => send(url, { method: 'GET' })
  const streams = await Promise.all(Array.from({ length: 9 }, open))
  expect(streams.filter(({ status }) => status === 200)).toHaveLength(8)
  expect(streams.filter(({ status }) => status === 429)).toHaveLength(1)
  for (const stream of streams) stream.leave()
  await waitFor(async () => (await open()).status === 200, { timeoutMs: 10_000 })
})
