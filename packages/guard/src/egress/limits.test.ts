import { getEventListeners, once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { createServer, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import {
  brotliCompressSync,
  constants,
  createGzip,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib'
import { isAppError } from '@dataagent/schema/base'
import { createFakeClock, waitFor } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import type { EgressRequest } from './contract.ts'
import { createEgress } from './egress.ts'
import { startTestServer } from './testing/test-server.ts'

const policy = { mode: 'any' } as const

async function codeOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => 'answered',
    (error) => (isAppError(error) ? error.code : error),
  )
}

/** Asks a server that answers with `answer`, and reads the whole body. */
async function ask(answer: (response: ServerResponse) => void, call: EgressRequest = {}) {
  await using server = await startTestServer((_, response) => answer(response))
  await using egress = createEgress({ policy })
  return await (await egress.request(server.origin, call)).text()
}

describe('size', () => {
  test('a body of just the limit is read, one byte more is not', async () => {
    const send = (size: number) => (response: ServerResponse) => void response.end('x'.repeat(size))
    expect(await ask(send(1_000), { maxResponseBytes: 1_000 })).toHaveLength(1_000)
    expect(await codeOf(ask(send(1_001), { maxResponseBytes: 1_000 }))).toBe('too_large')
  })

  test('an announced length over the limit is refused before the body is read', async () => {
    await using server = await startTestServer((_, response) => {
      response.writeHead(200, { 'content-length': '1001' }).flushHeaders()
    })
    await using egress = createEgress({ policy })
    const asked = egress.request(server.origin, { maxResponseBytes: 1_000 })
    expect(await codeOf(asked)).toBe('too_large')
    await waitFor(() => server.open() === 0)
  })

  test('the announced length of a HEAD answer does not count', async () => {
    const answer = (response: ServerResponse) =>
      void response.writeHead(200, { 'content-length': '5000' }).end()
    expect(await ask(answer, { method: 'HEAD', maxResponseBytes: 1_000 })).toBe('')
  })

  test('an endless body is cut and its connection closed', async () => {
    await using server = await startTestServer((_, response) => void endless().pipe(response))
    await using egress = createEgress({ policy })
    const answer = await egress.request(server.origin, { maxResponseBytes: 100_000 })
    expect(await codeOf(answer.text())).toBe('too_large')
    await waitFor(() => server.open() === 0)
  })

  test('no limit lets a large body through', async () => {
    const size = 20 * 1024 * 1024
    const send = (response: ServerResponse) => void response.end(Buffer.alloc(size))
    expect(await ask(send, { maxResponseBytes: Infinity })).toHaveLength(size)
  })

  test('no more is taken from the network than the reader has room for', async () => {
    await using server = await startTestServer((_, response) => void endless().pipe(response))
    await using egress = createEgress({ policy })
    const { body } = await egress.request(server.origin, { maxResponseBytes: Infinity })
    for (let turn = 0; turn < 500; turn += 1) await setImmediate()
    expect(body.readableLength).toBeLessThan(512 * 1024)
    body.destroy()
  })

  test('headers over the limit fail', async () => {
    const answer = (response: ServerResponse) =>
      void response.setHeader('x-much', 'y'.repeat(20_000)).end()
    expect(await codeOf(ask(answer))).toBe('too_large')
  })
})

describe('decompression', () => {
  const text = 'so it goes on and on '.repeat(100)

  test.each([
    ['gzip', gzipSync(text)],
    ['x-gzip', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateRawSync(text)],
    ['br', brotliCompressSync(text)],
    ['zstd', zstdCompressSync(text)],
    ['identity', Buffer.from(text)],
  ])('%s is undone', async (encoding, bytes) => {
    expect(
      await ask((response) => void response.setHeader('content-encoding', encoding).end(bytes)),
    ).toBe(text)
  })

  test.each([
    ['gzip', gzipSync(Buffer.alloc(50 * 1024 * 1024))],
    [
      'br',
      brotliCompressSync(Buffer.alloc(20 * 1024 * 1024), {
        params: { [constants.BROTLI_PARAM_QUALITY]: 1 },
      }),
    ],
    ['zstd', zstdCompressSync(Buffer.alloc(50 * 1024 * 1024))],
  ])('a %s bomb stops at the limit', async (encoding, bomb) => {
    const asked = ask((response) => void response.setHeader('content-encoding', encoding).end(bomb))
    expect(await codeOf(asked)).toBe('too_large')
  })

  test('empty input without end counts as well', async () => {
    // A zstd frame that is to be skipped (RFC 8878, section 3.1.2): 64 KiB of input and no output.
    const skipped = Buffer.concat([
      Buffer.from('502a4d18', 'hex'),
      Buffer.from([0, 0, 1, 0]),
      Buffer.alloc(65_536),
    ])
    await using server = await startTestServer((_, response) => {
      response.setHeader('content-encoding', 'zstd')
      endless(skipped).pipe(response)
    })
    await using egress = createEgress({ policy })
    const answer = await egress.request(server.origin, { maxResponseBytes: 1_000_000 })
    expect(await codeOf(answer.text())).toBe('too_large')
  })

  test('a broken or truncated body and an unknown encoding fail', async () => {
    const send = (encoding: string, bytes: Buffer) => (response: ServerResponse) =>
      void response.setHeader('content-encoding', encoding).end(bytes)
    expect(await codeOf(ask(send('gzip', Buffer.from('not gzip'))))).toBe('upstream_failed')
    expect(await codeOf(ask(send('gzip', gzipSync(text).subarray(0, 30))))).toBe('upstream_failed')
    expect(await codeOf(ask(send('compress', Buffer.from('x'))))).toBe('upstream_failed')
    expect(await codeOf(ask(send('gzip, gzip', Buffer.from('x'))))).toBe('upstream_failed')
  })

  test('an answer without body may name an encoding', async () => {
    const answer = (response: ServerResponse) =>
      void response.writeHead(200, { 'content-encoding': 'gzip' }).end()
    expect(await ask(answer)).toBe('')
  })

  test('an event of a compressed stream arrives before the next is sent', async () => {
    const gzip = createGzip()
    await using server = await startTestServer((_, response) => {
      gzip.pipe(response.setHeader('content-encoding', 'gzip'))
      gzip.write('data: 1\n\n')
      gzip.flush()
    })
    await using egress = createEgress({ policy })
    const { body } = await egress.request(server.origin)
    const [first] = await once(body, 'data')
    expect(String(first)).toBe('data: 1\n\n')
    gzip.end('data: 2\n\n')
    const [second] = await once(body, 'data')
    expect(String(second)).toBe('data: 2\n\n')
  })
})

describe('time', () => {
  test('a server that accepts and says nothing times out', async () => {
    const clock = createFakeClock()
    await using server = await startTestServer(() => {})
    await using egress = createEgress({ policy, clock })
    const asked = codeOf(egress.request(server.origin, { timeoutMs: 5_000 }))
    await waitFor(() => server.requests.length === 1)
    clock.advance(5_000)
    expect(await asked).toBe('timeout')
    await waitFor(() => server.open() === 0)
  })

  test('a server that drips is cut at the deadline, though it is never idle [T56]', async () => {
    const clock = createFakeClock()
    await using server = await startTestServer((_, response) => drip(response))
    await using egress = createEgress({ policy, clock })
    const { body } = await egress.request(server.origin, { timeoutMs: 5_000 })
    const reading = codeOf(Array.fromAsync(body, () => clock.advance(1_000)))
    expect(await reading).toBe('timeout')
    await waitFor(() => server.open() === 0)
  })

  test('a server that drips its headers is cut at the deadline', async () => {
    await using server = await startDripServer()
    await using egress = createEgress({ policy })
    const asked = egress.request(server.origin, { timeoutMs: 200 })
    expect(await codeOf(asked)).toBe('timeout')
    await waitFor(() => server.open() === 0)
  })

  test('a body nobody reads is cut at the deadline and brings nothing down', async () => {
    const clock = createFakeClock()
    await using server = await startTestServer((_, response) => drip(response))
    await using egress = createEgress({ policy, clock })
    const answer = await egress.request(server.origin, { timeoutMs: 5_000 })
    clock.advance(5_000)
    await waitFor(() => server.open() === 0)
    expect(await codeOf(answer.text())).toBe('timeout')
    expect(await codeOf(Array.fromAsync(answer.body))).toBe('timeout')
  })

  test('the deadline spans all redirects', async () => {
    const clock = createFakeClock()
    await using server = await startTestServer((request, response) => {
      if (request.url === '/end') return
      clock.advance(600)
      response.writeHead(302, { location: request.url === '/' ? '/next' : '/end' }).end()
    })
    await using egress = createEgress({ policy, clock })
    expect(await codeOf(egress.request(server.origin, { timeoutMs: 1_000 }))).toBe('timeout')
  })

  test('headers that come too late fail', async () => {
    await using server = await startTestServer(() => {})
    await using egress = createEgress({ policy })
    const asked = egress.request(server.origin, { headersTimeoutMs: 100 })
    expect(await codeOf(asked)).toBe('timeout')
  })

  test('a stream that falls silent fails after the idle time, with no other limit', async () => {
    await using server = await startTestServer((_, response) => void response.write('data: 1\n\n'))
    await using egress = createEgress({ policy })
    const lifted = { timeoutMs: Infinity, maxResponseBytes: Infinity, idleTimeoutMs: 100 }
    const answer = await egress.request(server.origin, lifted)
    expect(await codeOf(answer.text())).toBe('timeout')
  })

  test('a connection that cannot be opened fails after the connect time', async () => {
    await using egress = createEgress({
      policy,
      connectTimeoutMs: 100,
      lookup: () => new Promise(() => {}),
    })
    expect(await codeOf(egress.request('http://never.example'))).toBe('timeout')
  })
})

describe('cancelling', () => {
  test('before, while waiting and while reading', async () => {
    await using server = await startTestServer((request, response) => {
      if (request.url === '/read') response.write('a piece')
    })
    await using egress = createEgress({ policy })
    const aborted = AbortSignal.abort()
    expect(await codeOf(egress.request(server.origin, { signal: aborted }))).toBe('cancelled')
    expect(server.requests).toEqual([])

    const waiting = new AbortController()
    const asked = egress.request(`${server.origin}/wait`, { signal: waiting.signal })
    await waitFor(() => server.requests.length === 1)
    waiting.abort()
    expect(await codeOf(asked)).toBe('cancelled')

    const reading = new AbortController()
    const answer = await egress.request(`${server.origin}/read`, { signal: reading.signal })
    await once(answer.body, 'data')
    reading.abort()
    expect(await codeOf(answer.text())).toBe('cancelled')
    await waitFor(() => server.open() === 0)
  })

  test('while the connection is being opened', async () => {
    await using egress = createEgress({ policy, lookup: () => new Promise(() => {}) })
    const controller = new AbortController()
    const asked = egress.request('http://never.example', { signal: controller.signal })
    controller.abort(new Error('enough'))
    const error = await asked.catch((thrown) => thrown)
    expect(isAppError(error, 'cancelled')).toBe(true)
    expect(error.cause).toMatchObject({ message: 'enough' })
  })

  test('leaves no listener on the signal of a finished call', async () => {
    await using server = await startTestServer((_, response) => void response.end('x'))
    await using egress = createEgress({ policy })
    const { signal } = new AbortController()
    await (await egress.request(server.origin, { signal })).text()
    await waitFor(() => getEventListeners(signal, 'abort').length === 0)
    await expect(egress.request('http://127.0.0.1:1/', { signal })).rejects.toThrow()
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})

function endless(chunk = Buffer.alloc(65_536)): Readable {
  return new Readable({
    read() {
      this.push(chunk)
    },
  }).on('error', () => {})
}

function drip(response: ServerResponse): void {
  const timer = setInterval(() => response.write('.'), 10)
  response.on('close', () => clearInterval(timer))
}

async function startDripServer() {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.write('HTTP/1.1 200 OK\r\nx-slow: ')
    const timer = setInterval(() => socket.write('.'), 10)
    socket
      .on('error', () => {})
      .on('close', () => {
        clearInterval(timer)
        sockets.delete(socket)
      })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  return {
    origin: `http://127.0.0.1:${port}`,
    open: () => sockets.size,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
