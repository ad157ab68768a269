import { describe, expect, test } from 'vitest'
import { createTestServer, type TestServer, toTool } from '../connection/test-server.ts'
import { createToolRegistry } from '../tools/registry.ts'
import { createMcpManager } from './manager.ts'
import { createTestManager, failureOf, type TestManager } from './test-manager.ts'

/** A server whose tools say which they are. */
function createSayingServer(server: string, ...tools: string[]): TestServer {
  const saying = createTestServer(...tools)
  saying.answers.set('tools/call', ({ params }) => ({
    content: [{ type: 'text', text: `${server}|${params?.name}` }],
  }))
  return saying
}

const warnings = ({ events }: TestManager) =>
  events.flatMap((event) => (event.kind === 'warning' ? [`${event.server}: ${event.text}`] : []))

describe('names of tools [C5.1]', () => {
  test('come from the default template, with the original beside and the server in front', async () => {
    await using host = createTestManager()
    const server = createTestServer()
    server.tools = [{ ...toTool('read.file'), description: 'Reads' }]
    await host.add('fs', server)
    expect(host.manager.listTools()[0]).toMatchObject({
      name: 'mcp.fs.read.file',
      originalName: 'read.file',
      description: '[MCP:fs] Reads',
    })
  })

  test('come from the template of the manager', async () => {
    await using host = createTestManager({ toolPrefix: '{server}/{tool}' })
    await host.add('fs', createTestServer('read'))
    expect(host.manager.listTools()[0]).toMatchObject({ name: 'fs/read', originalName: 'read' })
    expect(await host.manager.callTool('fs/read')).toBe('read')
  })

  test('a template that would give all tools of a server one name is refused', () => {
    expect(() => createMcpManager({ toolPrefix: 'mcp.{server}' })).toThrow(
      'mcp: toolPrefix: expected a template with {tool}',
    )
  })

  test('are what models accept, never shared, and lead back to their tool', async () => {
    const servers = ['fs', 'f-s', 'f.s', '文件', 'x'.repeat(64), 'mcp--fs']
    const tools = ['read', 'Read', 'rеad', 'a.b', 'a--b', 'a-b', 'a b', '', '读', 'y'.repeat(100)]
    await using host = createTestManager()
    for (const name of servers) await host.add(name, createSayingServer(name, ...tools))
    const registry = createToolRegistry()
    const listed = host.manager.listTools()
    const report = host.manager.injectTools(registry)
    expect(report).toEqual({ injected: listed.map(({ name }) => name), taken: [] })
    expect(listed).toHaveLength(servers.length * (tools.length - 1))
    const schemas = registry.toJsonSchemas()
    expect(new Set(schemas.map(({ name }) => name)).size).toBe(listed.length)
    for (const [index, tool] of listed.entries()) {
      const expected = `${tool.server}|${tool.originalName}`
      const { name = '' } = schemas[index] ?? {}
      expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
      expect(name).toBe(tool.wireName)
      expect(await registry.execute(name, {})).toBe(expected)
      expect(await host.manager.callTool(name)).toBe(expected)
      expect(await host.manager.callTool(tool.name)).toBe(expected)
    }
  })
})

describe('TestMCPManager_ToolNameConflict', () => {
  test('equal tool names on two servers both work, each routed to its own', async () => {
    await using host = createTestManager()
    await host.add('one', createSayingServer('one', 'search'))
    await host.add('two', createSayingServer('two', 'search'))
    const registry = createToolRegistry()
    expect(host.manager.injectTools(registry).injected).toHaveLength(2)
    expect(await registry.execute('mcp.one.search', {})).toBe('one|search')
    expect(await registry.execute('mcp.two.search', {})).toBe('two|search')
  })

  test('a server one of whose tools would have the name of another is refused', async () => {
    await using host = createTestManager()
    await host.add('a.b', createSayingServer('a.b', 'c'))
    const late = createSayingServer('a', 'x', 'b.c')
    const error = await failureOf(host.add('a', late))
    expect(error).toMatchObject({
      kind: 'conflict',
      message:
        'mcp: convert "a": tool "b.c" would be called "mcp.a.b.c", as tool "c" of server "a.b" is',
      data: { server: 'a', step: 'convert', holder: 'a.b' },
    })
    expect(late.open).toBe(0)
    expect(host.manager.serverNames()).toEqual(['a.b'])
    expect(await failureOf(host.manager.callTool('mcp.a.x'))).toMatchObject({ kind: 'not_found' })
    expect(await host.manager.callTool('mcp.a.b.c')).toBe('a.b|c')
    await host.add('a', late, { blockedTools: ['b.c'] })
    expect(await host.manager.callTool('mcp.a.x')).toBe('a|x')
  })

  test('a tool that turns up with a name in use is left out and told of, until it is free', async () => {
    await using host = createTestManager()
    const [a, ab] = [createSayingServer('a', 'x'), createSayingServer('a.b', 'c')]
    await host.add('a', a)
    await host.add('a.b', ab)
    a.tools = [toTool('b.c'), toTool('x')]
    await host.manager.refreshTools('a')
    expect(host.manager.listTools('a').map(({ name }) => name)).toEqual(['mcp.a.x'])
    expect(await host.manager.callTool('mcp.a.b.c')).toBe('a.b|c')
    expect(warnings(host)).toEqual([
      'a: left out: tool "b.c" would be called "mcp.a.b.c", as tool "c" of server "a.b" is',
    ])
    await host.manager.removeServer('a.b')
    await host.manager.refreshTools('a')
    expect(await host.manager.callTool('mcp.a.b.c')).toBe('a|b.c')
  })

  test('a name is kept while its server is away', async () => {
    await using host = createTestManager()
    const [a, ab] = [createSayingServer('a', 'x'), createSayingServer('a.b', 'c')]
    await host.add('a', a)
    await host.add('a.b', ab, { maxRetries: 0 })
    ab.die()
    a.tools = [toTool('b.c')]
    await host.manager.refreshTools('a')
    expect(host.manager.listTools()).toEqual([])
    expect(await failureOf(host.manager.callTool('mcp.a.b.c'))).toMatchObject({
      kind: 'unavailable',
    })
    await host.manager.removeServer('a')
    expect(warnings(host).filter((text) => text.includes('left out'))).toHaveLength(1)
  })
})
