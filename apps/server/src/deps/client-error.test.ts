import { connect } from 'node:net'
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

test('headers over 16 KiB are refused', async () => {
  const answer = await answerTo(
    `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
  )
  expect(answer).toMatch(/^HTTP\/1.1 431 /)
  expect(answer).toContain('"error_code":"too_large"')
})

test.each([
  ['headers', { headers_timeout: 1 }, 'GET / HTTP/1.1\r\nHost: localhost\r\nX: drip'],
  [
    'a body',
    { headers_timeout: 1, request_timeout: 1 },
    'POST /api/v1/me HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{',
  ],
])('%s that never end are cut off in time', async (_name, config, bytes) => {
  const begun = performance.now()
  const answer = await answerTo(bytes, config)
  expect(answer).toMatch(/^HTTP\/1.1 40[058] /)
  expect(performance.now() - begun).toBeLessThan(15_000)
})

test('a connection that is gone is let go', () => {
  const handler = createClientErrorHandler(createTestLog().log)
  const socket = connect(1, '127.0.0.1').on('error', () => {})
  handler(Object.assign(new Error('gone'), { code: 'ECONNRESET' }), socket)
  expect(socket.destroyed).toBe(true)
})
