import { waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import type { ManagerEvent, McpServerConfig } from './contract.ts'
import { createMcpManager } from './manager.ts'
import { failureOf } from './test-manager.ts'
import { everythingOverStdio, startOfficialServer } from './test-official-server.ts'

/** Adds a server of the official SDK, calls its tool, and takes it away again. */
async function addAndCall(config: McpServerConfig): Promise<ManagerEvent[]> {
  const events: ManagerEvent[] = []
  const manager = createMcpManager({ onEvent: (event) => events.push(event) })
  await manager.addServer(config)
  const { name } = config
  const echo = manager.listTools().find((tool) => tool.originalName === 'echo')
  expect(echo).toMatchObject({ name: `mcp.${name}.echo`, server: name })
  expect(echo?.parameters).toMatchObject([{ name: 'message', type: 'string', required: true }])
  const texts = ['one', 'two', 'три'].map((message) =>
    manager.callTool(`mcp--${name}--echo`, { message }),
  )
  expect(await Promise.all(texts)).toEqual(['Echo: one', 'Echo: two', 'Echo: три'])
  await manager.disconnectAll()
  expect(manager.serverNames()).toEqual([])
  return events
}

test('a server over stdio, with what it writes to stderr', async () => {
  const events = await addAndCall(everythingOverStdio('everything'))
  expect(events).toContainEqual(expect.objectContaining({ kind: 'stderr', server: 'everything' }))
})

test.each(['http', 'sse'] as const)('a server over %s, with headers of ours', async (transport) => {
  await using server = await startOfficialServer(transport)
  const headers = { 'X-Canary': 'c4nary' }
  await addAndCall({ name: 'web', transport, url: server.url, headers })
  expect(server.canaries.length).toBeGreaterThan(3)
  expect(new Set(server.canaries)).toEqual(new Set(['c4nary']))
  await waitFor(async () => (await server.connections()) === 0, { timeoutMs: 25_000 })
})

test('a server configured as http that only speaks HTTP+SSE is found, and that is told', async () => {
  await using server = await startOfficialServer('sse')
  const events = await addAndCall({ name: 'old', transport: 'http', url: server.url })
  const verdict = events.find((event) => event.kind === 'verdict')
  expect(verdict).toMatchObject({ server: 'old', verdict: { era: 'legacy', sse: true } })
})

test('what is remembered of a server by its older address does not mislead', async () => {
  await using server = await startOfficialServer('sse')
  await using manager = createMcpManager()
  const remembered = {
    era: 'legacy' as const,
    version: '2024-11-05',
    sse: true,
    decided_at: Date.now(),
  }
  await manager.addServer({ name: 'a', transport: 'http', url: server.url }, { remembered })
  await manager.addServer({ name: 'b', transport: 'sse', url: server.url }, { remembered })
  await manager.addServer(everythingOverStdio('c'), { remembered })
  for (const name of ['a', 'b', 'c']) {
    expect(await manager.callTool(`mcp.${name}.echo`, { message: name })).toBe(`Echo: ${name}`)
  }
})

test('servers over all transports at once, each routed to its own', async () => {
  await using http = await startOfficialServer('http')
  await using sse = await startOfficialServer('sse')
  await using manager = createMcpManager()
  await Promise.all([
    manager.addServer({ name: 'http', transport: 'http', url: http.url }),
    manager.addServer({ name: 'sse', transport: 'sse', url: sse.url }),
    manager.addServer(everythingOverStdio('stdio')),
  ])
  const names = ['http', 'sse', 'stdio']
  const texts = names.map((name) => manager.callTool(`mcp.${name}.echo`, { message: name }))
  expect(await Promise.all(texts)).toEqual(names.map((name) => `Echo: ${name}`))
})

test.each<[string, McpServerConfig, string]>([
  [
    'a program that is not there',
    { name: 'x', transport: 'stdio', command: '/no/such/program' },
    'mcp: start "x": ',
  ],
  [
    'a program that ends at once',
    { name: 'x', transport: 'stdio', command: process.execPath, args: ['-e', 'process.exit(3)'] },
    'mcp: initialize "x": ',
  ],
  [
    'an address where nothing listens',
    { name: 'x', transport: 'http', url: 'http://127.0.0.1:1/mcp' },
    'mcp: initialize "x": ',
  ],
])('%s fails the adding and leaves nothing', async (_what, config, told) => {
  await using manager = createMcpManager()
  const error = await failureOf(manager.addServer(config))
  expect(String(error)).toContain(told)
  expect(error).toMatchObject({ data: { server: 'x' } })
  expect(manager.serverNames()).toEqual([])
})
