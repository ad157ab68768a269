import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createEgress } from '@dataagent/guard'
import { longCount } from '@dataagent/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHttpTransport } from '../transports/http/http-transport.ts'
import { createMcpClient } from './client.ts'

// All clients use the same ids: an answer that went astray would be taken for another's.
const clients = 200
const callsEach = longCount(10, 5_000)
const timeout = longCount(30_000, 3_600_000)

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString())
  const discovered = { supportedVersions: ['2026-07-28'], capabilities: {} }
  const content = [{ type: 'text', text: `${request.headers['x-tenant']} ${params.arguments?.n}` }]
  const result = method === 'server/discover' ? discovered : { resultType: 'complete', content }
  setTimeout(() => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
  }, Math.random() * 3)
})
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => new Promise((resolve) => server.close(resolve)))

const title = `of ${clients * callsEach} calls of ${clients} tenants, no answer goes astray [T12]`

test(title, { timeout }, async () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
  const egress = createEgress({ policy: { mode: 'any' } })
  const strays = await Promise.all(Array.from({ length: clients }, (_, n) => countStrays(n)))
  expect(strays.reduce((sum, count) => sum + count, 0)).toBe(0)
  await egress.close()

  async function countStrays(tenant: number): Promise<number> {
    const headers = { 'x-tenant': `tenant-${tenant}` }
    await using client = createMcpClient({
      transport: createHttpTransport({ url, headers, egress }),
      timeoutMs: 60_000,
    })
    await client.connect({ era: 'modern' })
    let count = 0
    for (let n = 0; n < callsEach; n += 5) {
      const some = [0, 1, 2, 3, 4].map(async (k) => {
        const { content } = await client.callTool('whoami', { n: n + k })
        const [part] = content
        if (part?.type !== 'text' || part.text !== `tenant-${tenant} ${n + k}`) count += 1
      })
      await Promise.all(some)
    }
    return count
  }
})
