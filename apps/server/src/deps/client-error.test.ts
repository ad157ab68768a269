import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { longCount, waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import type { Config } from '../config/index.ts'
import { createTestApp, createTestLog } from '../testing/test-app.ts'
import { createClientErrorHandler } from './client-error.ts'

/** What a server answers to these bytes, until it closes. */
async function answerTo(bytes: string, config: Partial<Config> = {}): Promise<string> {
  await using server = await createTestApp({ config })
  await server.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.app.server.address() as { port: number }
  const socket = connect(port, '127.0.0.1')
  socket.write(bytes)
  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

test('bytes that are not HTTP are answered in JSON', async () => {
  const answer = await answerTo('\u0016\u0003\u0001 hello\r\n\r\n')
  expect(answer).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/)
  expect(answer).toContain('"error_code":"invalid_request"')
})

const slowCount = longCount(200, 2_000)

test('headers over 16 KiB are refused [T65]', async () => {
  const answer = await answerTo(
    `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
  )
  expect(answer).toMatch(/^HTTP\/1.1 431 /)
  expect(answer).toContain('"error_code":"too_large"')
})

const post = (target: string, more = '') =>
  `POST ${target} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999\r\n${more}\r\n`

test.each([
  ['headers', 'GET / HTTP/1.1\r\nHost: localhost\r\nX: drip'],
  ['a body', post('/api/v1/me')],
  ['a file of nobody', post('/api/v1/files/content?path=x').replace('POST', 'PUT')],
  ['a body to no path', post('/nope')],
  ['a body to a path that is none', post('/%zz')],
  ['a body to a path that is too long', post(`/api/v1/sessions/${'x'.repeat(500)}`)],
  ['a body with an odd expectation', post('/api/v1/me', 'Expect: nonsense\r\n')],
])('%s that comes drop by drop and never ends is cut off in time [T65]', async (_name, bytes) => {
  const config = { headers_timeout: 1, request_timeout: 1, keep_alive_timeout: 3600 }
  await using server = await createTestApp({ config })
  await server.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.app.server.address() as { port: number }
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  let answer = ''
  socket.on('data', (chunk) => (answer += chunk))
  const begun = performance.now()
  socket.write(bytes)
  const drip = setInterval(() => socket.writable && socket.write('a'), 200)
  await new Promise((resolve) => socket.once('close', resolve))
  clearInterval(drip)
  expect(answer).toMatch(/^HTTP\/1.1 4\d\d /)
  expect(performance.now() - begun).toBeLessThan(15_000)
})

test(`of ${slowCount} heads that never end each is cut off in time, and others are answered meanwhile [T65]`, async () => {
  await using server = await createTestApp({ config: { headers_timeout: 1 } })
  await server.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.app.server.address() as { port: number }
  let cut = 0
  const slow = Array.from({ length: slowCount }, () =>
    connect(port, '127.0.0.1')
      .on('error', () => {})
      .on('close', () => (cut += 1))
      .resume(),
  )
  const drip = setInterval(() => {
    for (const one of slow) if (one.writable) one.write('a')
  }, 200)
  for (const one of slow) one.write('GET /api/v1/health HTTP/1.1\r\nX-Slow: ')
  let answered = 0
  while (cut < slowCount) {
    const { status } = await fetch(`http://127.0.0.1:${port}/api/v1/health`)
    expect(status).toBe(200)
    answered += 1
  }
  clearInterval(drip)
  expect(answered).toBeGreaterThan(20)
}, 30_000)

test('a body that arrived and was not read cuts nothing off', async () => {
  await using server = await createTestApp({ config: { request_timeout: 1 } })
  await server.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.app.server.address() as { port: number }
  const socket = connect(port, '127.0.0.1')
  let answered = ''
  socket.on('data', (chunk) => (answered += chunk))
  const statuses = () => [...answered.matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => status)
  socket.write('POST /api/v1/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}')
  await waitFor(() => statuses().length === 1)
  await sleep(1_500)
  socket.write('GET /api/v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await waitFor(() => statuses().length === 2)
  expect(statuses()).toEqual(['401', '200'])
  socket.destroy()
})

test('a connection that is gone is let go', () => {
  const handler = createClientErrorHandler(createTestLog().log)
  const socket = connect(1, '127.0.0.1').on('error', () => {})
  handler(Object.assign(new Error('gone'), { code: 'ECONNRESET' }), socket)
  expect(socket.destroyed).toBe(true)
})
