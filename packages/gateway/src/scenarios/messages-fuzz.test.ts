import { longCount, playMutated } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { startTestGateway } from './test-gateway.ts'
import { request } from './test-wire.ts'

const version = '2025-11-25'
const client = { name: 'c', version: '1' }
const samples = [
  request(1, 'tools/call', {
    name: 'echo',
    arguments: { text: 'hi' },
    _meta: { progressToken: 7 },
  }),
  request('a', 'tools/list', { cursor: 'none' }),
  request(2, 'initialize', { protocolVersion: version, capabilities: {}, clientInfo: client }),
  request(3, 'resources/read', { uri: 'file:///a' }),
  request(4, 'prompts/get', { name: 'none', arguments: {} }),
  request(5, 'logging/setLevel', { level: 'info' }),
  request(6, 'completion/complete', {
    ref: { type: 'ref/prompt', name: 'p' },
    argument: { name: 'a' },
  }),
  { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1, reason: 'r' } },
  { jsonrpc: '2.0', id: 9, result: { content: [] } },
  [request(1, 'ping'), request(2, 'tools/list')],
].map((message) => JSON.stringify(message))

const count = longCount(300, 200_000)

test.each(['/mcp', '/api/v1/mcp/jsonrpc'])(
  `each of ${count} mutated messages to %s is answered, and the next good one well [T16, T17]`,
  async (path) => {
    const settings = { rate_limits: { enabled: false } }
    const { workers, key, logs } = await startTestGateway({ settings })
    const url = workers[0].url + path
    const seen = { results: 0, errors: 0 }
    await playMutated({ samples, count, caseMs: 10_000 }, async (input) => {
      const { status, text } = await post(url, key, input)
      expect(status, text).toBeLessThan(500)
      expect(text).not.toContain('-32603')
      if (text.includes('"error":')) seen.errors += 1
      else seen.results += 1
      const good = await post(url, key, samples[0] ?? '')
      expect(good.text).toContain('"text":"hi"')
    })
    // Those that fail in the same way for all prove little.
    expect(seen.results).toBeGreaterThan(count / 50)
    expect(seen.errors).toBeGreaterThan(count / 20)
    expect(logs.filter(({ level }) => level === 'error')).toEqual([])
  },
  3_600_000,
)

async function post(url: string, key: string, body: string | Buffer) {
  const response = await fetch(url, {
    ...{ method: 'POST', body, signal: AbortSignal.timeout(10_000) },
    headers: {
      ...{ authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      accept: 'application/json, text/event-stream',
    },
  })
  return { status: response.status, text: await response.text() }
}
