import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { startLegacyFixture } from '../../conformance/fixture-legacy.ts'
import { startTestGateway } from './test-gateway.ts'
import { ask, request } from './test-wire.ts'

/** Has resources, and never says which. */
async function startSilentServer(): Promise<string> {
  const server = createServer(async (incoming, response) => {
    const { id, method } = JSON.parse((await text(incoming)) || '{}')
    if (id === undefined) return response.writeHead(202).end()
    if (String(method).startsWith('resources/')) return
    const result =
      method === 'initialize'
        ? {
            protocolVersion: '2025-06-18',
            capabilities: { resources: {}, tools: {} },
            serverInfo: { name: 'silent', version: '1' },
          }
        : { tools: [{ name: 'nothing', inputSchema: { type: 'object' } }] }
    const error = { code: -32601, message: 'unknown' }
    const known = method === 'initialize' || method === 'tools/list'
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...(known ? { result } : { error }) }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
}

test('a server that does not say what it has delays the resources of others once, and hides its own [E5.2]', async () => {
  const fixture = await startLegacyFixture()
  onTestFinished(() => fixture[Symbol.asyncDispose]())
  const { workers, key: token, connect } = await startTestGateway()
  await connect({ name: 'fixture', url: fixture.url })
  await connect({ name: 'silent', url: await startSilentServer() })
  const [{ url }] = workers
  const read = async () => {
    const body = request(1, 'resources/read', { uri: 'test://static-text' })
    const start = performance.now()
    const { result } = await ask(`${url}/mcp`, { token, body })
    expect(result.contents).toHaveLength(1)
    return performance.now() - start
  }
  expect(await read()).toBeLessThan(15_000)
  expect(await read()).toBeLessThan(2_000)
  const body = request(1, 'resources/read', { uri: 'test://perhaps-of-the-silent' })
  const { error } = await ask(`${url}/mcp`, { token, body })
  expect(error?.data).toMatchObject({ error_code: 'unavailable' })
}, 60_000)
