import { createMemoryKv } from '@dataagent/store/kv'
import { expect, onTestFinished, test } from 'vitest'
import { admin, startTestGateway } from './test-gateway.ts'
import { createMovingClock } from './test-moving-clock.ts'
import { ask, request } from './test-wire.ts'

const settings = { rate_limits: { enabled: false } }

async function setUp() {
  const clock = createMovingClock()
  const kv = createMemoryKv({ clock })
  onTestFinished(() => kv[Symbol.asyncDispose]())
  const { workers, key } = await startTestGateway({ clock, kvs: [kv, kv], settings })
  const [{ url, gateway }] = workers
  const open = async (apiKey: string, name?: string) => {
    const params = { apiKey, ...(name !== undefined && { clientInfo: { name, version: '1' } }) }
    const body = request(1, 'initialize', params)
    return String((await ask(`${url}/api/v1/mcp/jsonrpc`, { body })).result.sessionToken)
  }
  const list = (token: string) =>
    ask(`${url}/api/v1/mcp/jsonrpc`, { token, body: request(2, 'tools/list') })
  return { clock, gateway, key, open, list }
}

test('a key that is shown again and again has no more than some tokens [E3.1][E5.2]', async () => {
  const { key, open, list, clock, gateway } = await setUp()
  const times = Array.from({ length: 300 }, (_, i) => i)
  const tokens = await Promise.all(times.map((i) => open(key, i % 2 ? 'Dify' : `n${i}`)))
  expect(new Set(tokens).size).toBeLessThanOrEqual(101)
  expect(new Set(tokens).size).toBeGreaterThanOrEqual(100)
  // The first as well as the last: none has ended.
  for (const token of [tokens[0], tokens.at(-1)]) {
    expect((await list(String(token))).result.tools).not.toHaveLength(0)
  }
  // One that was given again has half its life before it.
  clock.advance(1_801_000)
  const later = await open(key, 'Dify')
  expect(tokens).not.toContain(later)
  clock.advance(1_790_000)
  expect((await list(later)).result.tools).not.toHaveLength(0)
  const { key: other } = await gateway.groups.rotateKey(admin, 'all')
  expect((await list(await open(other, 'Dify'))).result.tools).not.toHaveLength(0)
})
