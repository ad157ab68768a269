import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createHttpTransport } from '../transports/http/http-transport.ts'
import { createSseTransport } from '../transports/sse/sse-transport.ts'
import { createConnection } from './connection.ts'

/** Opens a server that answers every request with the status that `judge` gives. */
async function failureOf(judge: (request: IncomingMessage) => number): Promise<unknown> {
  const server = createServer((request, response) => {
    response.writeHead(judge(request)).end()
  })
  onTestFinished(() => void server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
  const createTransport = (way: 'usual' | 'sse') =>
    way === 'sse' ? createSseTransport({ url }) : createHttpTransport({ url })
  await using connection = createConnection({ name: 'web', createTransport })
  return await connection.open().catch((error: unknown) => error)
}

test('an address that knows neither HTTP transport has refused to initialize', async () => {
  expect(await failureOf(() => 404)).toMatchObject({
    kind: 'http',
    statusCode: 404,
    message: expect.stringMatching(/^mcp: initialize "web": /),
    data: { step: 'initialize', server: 'web' },
  })
})

test('a stream of HTTP+SSE that cannot be opened is a failure to start', async () => {
  expect(await failureOf(({ method }) => (method === 'POST' ? 404 : 503))).toMatchObject({
    statusCode: 503,
    data: { step: 'start' },
  })
})
