import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { waitFor } from '../wait-for.ts'
import type { Fault } from './fault.ts'
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts'

/** An echo server behind a proxy, and the sockets that reached it. */
async function prepare(fault: Fault = { kind: 'pass' }) {
  const reached: Socket[] = []
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    reached.push(socket)
    socket.on('error', () => {})
    socket.pipe(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const proxy = await startFaultProxy({ target: `127.0.0.1:${port}`, fault })
  return {
    proxy,
    reached,
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]()
      for (const socket of reached) socket.destroy()
      server.close()
    },
  }
}

/** A client that keeps what it received and how it ended. */
async function open(proxy: FaultProxy) {
  const socket = connect({ port: proxy.port, host: proxy.host, allowHalfOpen: true })
  const chunks: Buffer[] = []
  const client = {
    socket,
    get received() {
      return Buffer.concat(chunks)
    },
    ended: false,
    error: '',
  }
  socket.on('data', (chunk) => chunks.push(chunk))
  socket.on('end', () => {
    client.ended = true
  })
  socket.on('error', (error: NodeJS.ErrnoException) => {
    client.error = error.code ?? ''
  })
  await once(socket, 'connect')
  return client
}

const text = (client: { received: Buffer }) => client.received.toString()

test('passes bytes whole and in order both ways, and counts them', async () => {
  await using net = await prepare()
  const payload = randomBytes(3_000_000)
  const socket = connect({ port: net.proxy.port, allowHalfOpen: true })
  socket.end(payload)
  const echoed = await buffer(socket)
  expect(hash(echoed)).toBe(hash(payload))
  await waitFor(() => net.proxy.counters().open === 0)
  expect(net.proxy.counters()).toEqual({
    accepted: 1,
    open: 0,
    targetErrors: 0,
    bytes: { up: 3_000_000, down: 3_000_000 },
  })
})

test('an end is passed on, and the other side may still answer after it', async () => {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.resume().on('end', () => socket.end('late answer'))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const target = `127.0.0.1:${(server.address() as AddressInfo).port}`
  await using proxy = await startFaultProxy({ target })
  const client = await open(proxy)
  client.socket.end('question')
  await waitFor(() => client.ended)
  expect(text(client)).toBe('late answer')
  server.close()
})

test('delay holds back each read for its time', async () => {
  await using net = await prepare({ kind: 'delay', ms: 60, jitterMs: 10, direction: 'up' })
  const client = await open(net.proxy)
  const began = performance.now()
  client.socket.write('ping')
  await waitFor(() => text(client) === 'ping', { intervalMs: 1 })
  expect(performance.now() - began).toBeGreaterThan(45)
})

test('a delay that is lifted lets waiting bytes go at once', async () => {
  await using net = await prepare({ kind: 'delay', ms: 60_000 })
  const client = await open(net.proxy)
  client.socket.write('ping')
  await net.proxy.set({ kind: 'pass' })
  await waitFor(() => text(client) === 'ping')
})

test('drip gives few bytes at a time', async () => {
  await using net = await prepare({ kind: 'drip', bytesPerMs: 2, direction: 'down' })
  const client = await open(net.proxy)
  const sizes: number[] = []
  client.socket.on('data', (chunk) => sizes.push(chunk.length))
  const began = performance.now()
  client.socket.write(Buffer.alloc(200, 'x'))
  await waitFor(() => client.received.length === 200)
  expect(performance.now() - began).toBeGreaterThan(90)
  expect(sizes.length).toBeGreaterThan(10)
})

describe('cut', () => {
  test.for([
    { direction: 'down', up: 1_000, down: 7 },
    { direction: 'up', up: 7, down: 7 },
  ] as const)('ends both sides after exactly so many bytes $direction', async (expected) => {
    const { direction } = expected
    await using net = await prepare({ kind: 'cut', afterBytes: 7, direction })
    const client = await open(net.proxy)
    client.socket.write(Buffer.alloc(1_000, 'x'))
    await waitFor(() => client.ended)
    expect(client.error).toBe('')
    expect(client.received.length).toBeLessThanOrEqual(7)
    expect(net.proxy.counters().bytes[direction]).toBe(expected[direction])
    await waitFor(() => net.reached[0]?.readableEnded)
  })

  test('counts from the moment it is set', async () => {
    await using net = await prepare()
    const client = await open(net.proxy)
    client.socket.write('before')
    await waitFor(() => text(client) === 'before')
    await net.proxy.set({ kind: 'cut', afterBytes: 2, direction: 'down' })
    client.socket.write('after')
    await waitFor(() => client.ended)
    expect(text(client)).toBe('beforeaf')
  })

  test('after 0 bytes ends an idle connection at once', async () => {
    await using net = await prepare()
    const client = await open(net.proxy)
    await waitFor(() => net.proxy.connections().length === 1)
    await net.proxy.set({ kind: 'cut', afterBytes: 0 }, 'open')
    await waitFor(() => client.ended)
  })
})

describe('reset', () => {
  test('at once gives the client ECONNRESET', async () => {
    await using net = await prepare()
    const client = await open(net.proxy)
    await waitFor(() => net.proxy.connections().length === 1)
    await net.proxy.set({ kind: 'reset' })
    await waitFor(() => client.error === 'ECONNRESET')
    await waitFor(() => net.reached[0]?.destroyed)
  })

  test('after some bytes gives exactly those, then ECONNRESET', async () => {
    await using net = await prepare({ kind: 'reset', afterBytes: 3, direction: 'down' })
    const client = await open(net.proxy)
    client.socket.write('abcdef')
    await waitFor(() => client.error === 'ECONNRESET')
    expect(text(client)).toBe('abc')
  })
})

test('a black hole swallows bytes and hides that the client left', async () => {
  await using net = await prepare({ kind: 'black_hole' })
  const client = await open(net.proxy)
  await waitFor(() => net.reached.length === 1)
  client.socket.write('lost')
  client.socket.resetAndDestroy()
  await waitFor(() => net.proxy.connections().length === 0)
  expect(net.reached[0]?.destroyed).toBe(false)
  expect(net.reached[0]?.bytesRead).toBe(0)
})

test('bytes lost in a black hole stay lost when it is lifted', async () => {
  await using net = await prepare({ kind: 'black_hole', direction: 'up' })
  const client = await open(net.proxy)
  await waitFor(() => net.proxy.connections().length === 1)
  client.socket.write('lost')
  await waitFor(() => client.socket.writableLength === 0)
  await readByProxy(net.proxy)
  await net.proxy.set({ kind: 'pass' })
  client.socket.write('seen')
  await waitFor(() => text(client).length >= 4)
  expect(text(client)).toBe('seen')
})

test('a stall fills the buffers, and nothing is lost when it is lifted', async () => {
  await using net = await prepare({ kind: 'stall' })
  const client = await open(net.proxy)
  const payload = randomBytes(20_000_000)
  client.socket.end(payload)
  await waitFor(() => client.socket.writableLength > 0)
  expect(net.proxy.counters().bytes.up).toBe(0)
  await net.proxy.set({ kind: 'pass' })
  await waitFor(() => client.ended, { timeoutMs: 15_000 })
  expect(hash(client.received)).toBe(hash(payload))
})

test('half-open: the target loses its client, the client notices nothing', async () => {
  await using net = await prepare()
  const client = await open(net.proxy)
  await waitFor(() => net.proxy.connections().length === 1)
  await net.proxy.set({ kind: 'half_open' })
  await waitFor(() => net.reached[0]?.readableEnded)
  client.socket.write('anyone there?')
  await waitFor(() => client.socket.writableLength === 0)
  expect([client.ended, client.error, text(client)]).toEqual([false, '', ''])
})

test('refuse: nobody listens until it is lifted, on the same port', async () => {
  await using net = await prepare()
  await net.proxy.set({ kind: 'refuse' })
  await expect(open(net.proxy)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  await net.proxy.set({ kind: 'pass' })
  const client = await open(net.proxy)
  client.socket.write('back')
  await waitFor(() => text(client) === 'back')
})

test('garbage comes before the true bytes', async () => {
  await using net = await prepare({ kind: 'garbage', bytes: 16, direction: 'down' })
  const client = await open(net.proxy)
  client.socket.write('true')
  await waitFor(() => client.received.length === 20)
  expect(client.received.subarray(16).toString()).toBe('true')
  expect(client.received.subarray(0, 16)).not.toEqual(Buffer.alloc(16))
})

test('faults can differ between open and new connections, and one by one', async () => {
  await using net = await prepare()
  const first = await open(net.proxy)
  const second = await open(net.proxy)
  await waitFor(() => net.proxy.connections().length === 2)
  await net.proxy.set({ kind: 'black_hole' }, 'new')
  net.proxy.connections()[1]?.set({ kind: 'cut', afterBytes: 1, direction: 'down' })
  const third = await open(net.proxy)
  for (const client of [first, second, third]) client.socket.write('hello')
  await waitFor(() => text(first) === 'hello' && text(second) === 'h')
  expect(text(third)).toBe('')
})

test('a target that is away resets the client and is counted', async () => {
  await using proxy = await startFaultProxy({ target: '127.0.0.1:1' })
  const client = await open(proxy)
  await waitFor(() => client.error === 'ECONNRESET')
  expect(proxy.counters().targetErrors).toBe(1)
})

test('the address of the target is replaced in its URL', async () => {
  const target = 'mysql://user:pa%40ss@db.example:3306/name?charset=utf8mb4'
  await using proxy = await startFaultProxy({ target })
  expect(proxy.url).toBe(`mysql://user:pa%40ss@127.0.0.1:${proxy.port}/name?charset=utf8mb4`)
})

/** Until the proxy has taken from the kernel what was sent: a further connection's round trip. */
async function readByProxy(proxy: FaultProxy): Promise<void> {
  await proxy.set({ kind: 'pass' }, 'new')
  const probe = await open(proxy)
  probe.socket.write('x')
  await waitFor(() => text(probe) === 'x')
}

function hash(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
