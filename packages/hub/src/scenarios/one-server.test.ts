import { randomUUID } from 'node:crypto'
import { createInProcessTransport, type JsonRpcMessage } from '@dataagent/mcp'
import type { ServerConfigInput } from '@dataagent/schema'
import { waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { everything, startTestHub, tenant_id, toContext } from './test-hub.ts'

const config: ServerConfigInput = { name: 'x', command: 'in-process' }

interface ServerOptions {
  /** How many more it lists. */
  tools?: number
  /** Begins their names: asked for at each list. */
  prefix?(): string
  onHang?(): void
}

/** Answers `say`, and never `hang`. */
function createServer({ tools = 0, prefix = () => 'tool', onHang = () => {} }: ServerOptions) {
  const results: Record<string, object> = {
    initialize: {
      ...{ protocolVersion: '2025-11-25', serverInfo: { name: 'a', version: '1' } },
      capabilities: { tools: {} },
    },
    'tools/call': { content: [{ type: 'text', text: 'said' }] },
  }
  return createInProcessTransport(async (message: JsonRpcMessage, { signal }) => {
    if (!('method' in message) || !('id' in message)) return undefined
    if (message.params?.name === 'hang') {
      onHang()
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
    }
    const result = message.method === 'tools/list' ? list() : (results[message.method] ?? {})
    return { jsonrpc: '2.0', id: message.id, result }
  })

  function list() {
    const start = prefix()
    const more = Array.from({ length: tools }, (_, n) => `${start}_${n}`)
    const names = ['say', 'hang', ...more]
    return { tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })) }
  }
}

test('a server that does not answer holds half of its tenant’s calls, and the rest fail fast [A6.2]', async () => {
  let hanging = 0
  const onHang = () => (hanging += 1)
  await using rig = await startTestHub({
    settings: { defaultAllow: everything, runningCallsPerTenant: 6 },
    createTransport: () => createServer({ onHang }),
  })
  for (const name of ['a', 'b']) await rig.connect({ ...config, name }, name)
  const leaving = new AbortController()
  const { signal } = leaving
  const call = (tool: string) => rig.hub.callTool(toContext({}, { signal }), { tool })
  const held = Array.from({ length: 3 }, () => call('a.hang'))
  await waitFor(() => hanging === 3)
  const refused = await Promise.all(Array.from({ length: 9 }, () => call('a.hang')))
  for (const outcome of refused) {
    expect(outcome).toMatchObject({ error: { code: 'quota_exceeded' } })
    expect(outcome).toMatchObject({ error: { message: expect.stringContaining('callsPerServer') } })
  }
  expect(await call('b.say')).toMatchObject({ status: 'ok', result: { text: 'said' } })
  leaving.abort()
  const ended = await Promise.all(held)
  expect(ended.map(({ status }) => status)).toEqual(['cancelled', 'cancelled', 'cancelled'])
})

test('a server that lists more tools than it may have has the first of them, and the others theirs [A6.2]', async () => {
  await using rig = await startTestHub({
    settings: { defaultAllow: everything },
    createTransport: ({ server_id }) =>
      createServer({ tools: server_id === 'many' ? 2_000 : 1_000 }),
  })
  await rig.connect({ ...config, name: 'many' }, 'many')
  await rig.connect({ ...config, name: 'some' }, 'some')
  const [health] = rig.hub.upstreams.health(tenant_id, 'many')
  expect(health?.message).toContain('more than 2000 tools')
  expect(rig.hub.catalogue.ofServer(tenant_id, 'many')).toHaveLength(2_000)
  expect(rig.hub.catalogue.ofServer(tenant_id, 'some')).toHaveLength(1_002)
})

test('a server that has new names at every look has no more of them than it may, and is told of once [A6.2]', async () => {
  await using rig = await startTestHub({
    settings: { defaultAllow: everything, upstreams: { toolsPerServer: 20 } },
    createTransport: () => createServer({ tools: 10, prefix: randomUUID }),
  })
  const { tenant_id, server_id } = await rig.connect({ ...config, name: 'busy' }, 'busy')
  const key = { tenant_id, server_id, user_id: null }
  for (let n = 0; n < 4; n += 1) await rig.hub.upstreams.refresh(key)
  const named = () => rig.hub.catalogue.ofServer(tenant_id, server_id).length
  await waitFor(() => named() === 20)
  const told = rig.logs.filter(({ message }) => message.includes('toolsPerServer'))
  expect(told).toMatchObject([{ level: 'warn', tenant_id, server_id }])
  expect(await rig.hub.callTool(toContext(), { tool: 'busy.say' })).toMatchObject({ status: 'ok' })
})
