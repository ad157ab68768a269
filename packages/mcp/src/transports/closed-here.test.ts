import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createHttpTransport } from './http/http-transport.ts'
import { createInProcessTransport } from './in-process.ts'
import { createSseTransport } from './sse/sse-transport.ts'
import { createStdioTransport } from './stdio/stdio-transport.ts'
import type { Transport } from './transport.ts'

/** Takes everything and answers no request. */
async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

const listenToSse: RequestListener = ({ method }, response) => {
  if (method === 'POST') return response.writeHead(202).end()
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  return response.write('event: endpoint\ndata: /messages\n\n')
}

const silent: [string, () => Promise<Transport>][] = [
  ['in-process', async () => createInProcessTransport(() => new Promise(() => undefined))],
  [
    'stdio',
    async () =>
      createStdioTransport({ command: process.execPath, args: ['-e', 'process.stdin.resume()'] }),
  ],
  ['http', async () => createHttpTransport({ url: await listen(() => undefined) })],
  ['sse', async () => createSseTransport({ url: await listen(listenToSse) })],
]

test.each(silent)('%s: what this end closed is not worth another try', async (_, create) => {
  const transport = await create()
  const ignore = () => undefined
  await transport.start({ onMessage: ignore, onClose: ignore, onWarning: ignore })
  const ask = (id: number) => transport.call({ jsonrpc: '2.0', id, method: 'ping' })
  const pending = expect(ask(1)).rejects.toMatchObject({ kind: 'closed', retryable: false })
  await transport.close()
  await pending
  await expect(ask(2)).rejects.toMatchObject({
    kind: 'closed',
    retryable: false,
    mayHaveRun: false,
    message: 'mcp: the transport is closed',
  })
})
