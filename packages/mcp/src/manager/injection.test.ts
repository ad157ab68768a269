import { describe, expect, test } from 'vitest'
import { createTestServer, toTool } from '../connection/test-server.ts'
import type { ToolRegistry } from '../tools/contract.ts'
import { createToolRegistry } from '../tools/registry.ts'
import { createTool } from '../tools/tool.ts'
import { createTestManager, failureOf } from './test-manager.ts'

const local = (name: string) => createTool({ name, description: 'own', handler: () => 'own' })
const namesIn = (registry: ToolRegistry) => registry.list().map(({ name }) => name)

describe('injection is the choice of the host [C5.3]', () => {
  test('TestMCPManager_InjectTools', async () => {
    await using host = createTestManager()
    const registry = createToolRegistry()
    registry.register(local('mine'))
    await host.add('fs', createTestServer('read', 'write'))
    await host.add('web', createTestServer('get'))
    expect(namesIn(registry)).toEqual(['mine'])
    expect(host.manager.injectTools(registry)).toEqual({
      injected: ['mcp.fs.read', 'mcp.fs.write', 'mcp.web.get'],
      taken: [],
    })
    expect(namesIn(registry)).toEqual(['mine', 'mcp.fs.read', 'mcp.fs.write', 'mcp.web.get'])
    expect(await registry.execute('mcp.web.get', {})).toBe('get')
  })

  test('TestMCPManager_InjectTools_Idempotent: again gives what is offered now, once', async () => {
    await using host = createTestManager()
    const server = createTestServer('read', 'write')
    const registry = createToolRegistry()
    registry.register(local('mine'))
    await host.add('fs', server)
    const report = host.manager.injectTools(registry)
    expect(host.manager.injectTools(registry)).toEqual(report)
    expect(namesIn(registry)).toEqual(['mine', 'mcp.fs.read', 'mcp.fs.write'])
    server.tools = [toTool('write'), toTool('move')]
    await host.manager.refreshTools()
    host.manager.injectTools(registry)
    expect(namesIn(registry)).toEqual(['mine', 'mcp.fs.write', 'mcp.fs.move'])
    await host.manager.removeServer('fs')
    expect(host.manager.injectTools(registry)).toEqual({ injected: [], taken: [] })
    expect(namesIn(registry)).toEqual(['mine'])
  })

  test("TestMCPManager_RemoveTools_Precise: a user's tool of the same name stays", async () => {
    await using host = createTestManager()
    await host.add('fs', createTestServer('read', 'write', 'move'))
    const registry = createToolRegistry()
    const mine = [local('mcp.fs.read'), local('mcp--fs--write'), local('other')]
    for (const tool of mine) registry.register(tool)
    expect(host.manager.injectTools(registry)).toEqual({
      injected: ['mcp.fs.move'],
      taken: ['mcp.fs.read', 'mcp.fs.write'],
    })
    expect(await registry.execute('mcp.fs.read', {})).toBe('own')
    host.manager.removeTools(registry)
    expect(registry.list()).toEqual(mine)
    host.manager.removeTools(registry)
    expect(registry.list()).toEqual(mine)
  })

  test('a tool that the user puts in the place of an injected one stays', async () => {
    await using host = createTestManager()
    await host.add('fs', createTestServer('read', 'write'))
    const registry = createToolRegistry()
    host.manager.injectTools(registry)
    registry.remove('mcp.fs.read')
    const mine = local('mcp.fs.read')
    registry.register(mine)
    host.manager.removeTools(registry)
    expect(registry.list()).toEqual([mine])
    expect(host.manager.injectTools(registry).taken).toEqual(['mcp.fs.read'])
  })

  test('each registry is on its own', async () => {
    await using host = createTestManager()
    await host.add('fs', createTestServer('read'))
    const [one, two] = [createToolRegistry(), createToolRegistry()]
    host.manager.injectTools(one)
    host.manager.injectTools(two)
    host.manager.removeTools(one)
    expect([namesIn(one), namesIn(two)]).toEqual([[], ['mcp.fs.read']])
  })

  test('nothing is injected or taken out unless asked for', async () => {
    await using host = createTestManager()
    const registry = createToolRegistry()
    await host.add('fs', createTestServer('read'))
    host.manager.injectTools(registry)
    await host.manager.disconnectAll()
    expect(namesIn(registry)).toEqual(['mcp.fs.read'])
    expect(await failureOf(registry.execute('mcp.fs.read', {}))).toMatchObject({
      kind: 'not_found',
    })
    host.manager.removeTools(registry)
    expect(namesIn(registry)).toEqual([])
  })

  test('a registry that fails is not left with tools that nobody would remove', async () => {
    await using host = createTestManager()
    await host.add('fs', createTestServer('read', 'write'))
    const registry = createToolRegistry()
    const failing: ToolRegistry = {
      ...registry,
      register(tool) {
        if (tool.name === 'mcp.fs.write') throw new Error('full')
        registry.register(tool)
      },
    }
    expect(() => host.manager.injectTools(failing)).toThrow('full')
    host.manager.removeTools(failing)
    expect(namesIn(registry)).toEqual([])
  })
})

test('tools of a server that is away are neither listed nor injected, and come back', async () => {
  await using host = createTestManager()
  const server = createTestServer('read')
  const registry = createToolRegistry()
  await host.add('fs', server, { maxRetries: 0 })
  host.manager.injectTools(registry)
  server.die()
  expect(host.manager.listTools('fs')).toEqual([])
  expect(host.manager.serverNames()).toEqual(['fs'])
  expect(await failureOf(registry.execute('mcp.fs.read', {}))).toMatchObject({
    kind: 'unavailable',
  })
  expect(host.manager.injectTools(registry)).toEqual({ injected: [], taken: [] })
  await host.clock.advanceAsync(1_000)
  expect(host.manager.injectTools(registry).injected).toEqual(['mcp.fs.read'])
  expect(await registry.execute('mcp.fs.read', {})).toBe('read')
  const told = host.events.filter((event) => event.kind === 'tools')
  expect(told).toHaveLength(3)
})
