import { describe, expect, test } from 'vitest'
import { createTestServer, toTool } from '../connection/test-server.ts'
import { McpError } from '../errors.ts'
import { createToolRegistry } from '../tools/registry.ts'
import { createTestManager, failureOf } from './test-manager.ts'

const namesOf = (tools: readonly { name: string }[]) => tools.map(({ name }) => name)

describe('servers of a manager [C5.2]', () => {
  test('TestMCPManager_AddServer: started, initialised, listed and converted', async () => {
    await using host = createTestManager()
    const server = createTestServer('read', 'write')
    await host.add('fs', server, { blockedTools: ['write'] })
    expect(host.manager.serverNames()).toEqual(['fs'])
    expect(host.manager.listTools()).toMatchObject([{ name: 'mcp.fs.read', server: 'fs' }])
    expect(server.asked.slice(-2)).toEqual(['initialize', 'tools/list'])
    expect(host.manager.connection('fs').state.status).toBe('ready')
  })

  test.each([
    ['start', 'mcp: start "fs": no such program'],
    ['initialize', 'mcp: initialize "fs": no'],
    ['list tools', 'mcp: list tools "fs": no'],
  ])('a failure to %s is told, closes the transport and registers nothing', async (step, told) => {
    await using host = createTestManager()
    const server = createTestServer('read')
    const failure = new McpError({ kind: 'start', code: 'process_failed', message: 'mcp: no' })
    const fail = () => Promise.reject(failure)
    if (step === 'initialize') server.answers.set('initialize', fail)
    if (step === 'list tools') server.answers.set('tools/list', fail)
    if (step === 'start') {
      const message = 'mcp: no such program'
      server.startFails = new McpError({ kind: 'start', code: 'process_failed', message })
    }
    const error = await failureOf(host.add('fs', server))
    expect(error).toMatchObject({ message: told, data: { server: 'fs', step } })
    expect(server.open).toBe(0)
    expect(host.manager.serverNames()).toEqual([])
    expect(host.manager.listTools()).toEqual([])
    server.answers.set('initialize', createTestServer().answers.get('initialize') ?? fail)
    server.answers.set('tools/list', () => ({ tools: [toTool('read')] }))
    server.startFails = undefined
    await host.add('fs', server)
    expect(host.manager.serverNames()).toEqual(['fs'])
  })

  test('a name in use is a conflict, also while it is being added', async () => {
    await using host = createTestManager()
    const [first, second] = [createTestServer('a'), createTestServer('b')]
    const adding = host.add('fs', first)
    expect(await failureOf(host.add('fs', second))).toMatchObject({ kind: 'conflict' })
    await adding
    const error = await failureOf(host.add('fs', second))
    expect(error).toMatchObject({ message: 'mcp: server "fs" is there already' })
    expect(second.made).toBe(0)
    expect(await host.manager.callTool('mcp.fs.a')).toBe('a')
  })

  test('TestMCPManager_RemoveServer', async () => {
    await using host = createTestManager()
    const [fs, web] = [createTestServer('read'), createTestServer('get')]
    await Promise.all([host.add('fs', fs), host.add('web', web)])
    const [held] = host.manager.listTools('fs')
    await host.manager.removeServer('fs')
    expect(fs.open).toBe(0)
    expect(host.manager.serverNames()).toEqual(['web'])
    expect(namesOf(host.manager.listTools())).toEqual(['mcp.web.get'])
    expect(await failureOf(host.manager.callTool('mcp.fs.read'))).toMatchObject({
      kind: 'not_found',
    })
    await host.add('fs', createTestServer('read'))
    const error = await failureOf(held?.callRaw() ?? Promise.resolve())
    expect(error).toMatchObject({ kind: 'not_found', message: 'mcp: server "fs" not found' })
    expect(await host.manager.callTool('mcp.fs.read')).toBe('read')
  })

  test('TestMCPManager_MultiServer: each call goes to its own server', async () => {
    await using host = createTestManager()
    const servers = ['one', 'two', 'three'].map((name) => {
      const server = createTestServer('whoami', `only_${name}`)
      server.answers.set('tools/call', ({ params }) => ({
        content: [{ type: 'text', text: `${name}: ${params?.name} ${params?.arguments}` }],
      }))
      return { name, server }
    })
    await Promise.all(servers.map(({ name, server }) => host.add(name, server)))
    expect(host.manager.serverNames()).toEqual(['one', 'two', 'three'])
    for (const { name } of servers) {
      for (const tool of ['whoami', `only_${name}`]) {
        expect(await host.manager.callTool(`mcp.${name}.${tool}`)).toContain(`${name}: ${tool}`)
        expect(await host.manager.callTool(`mcp--${name}--${tool}`)).toContain(`${name}: ${tool}`)
      }
    }
    expect(namesOf(host.manager.listTools('three', 'one'))).toEqual([
      'mcp.three.whoami',
      'mcp.three.only_three',
      'mcp.one.whoami',
      'mcp.one.only_one',
    ])
  })

  test('TestMCPManager_RefreshTools: one, several or all', async () => {
    await using host = createTestManager()
    const [fs, web, db] = [createTestServer('a'), createTestServer('b'), createTestServer('c')]
    await Promise.all([host.add('fs', fs), host.add('web', web), host.add('db', db)])
    for (const server of [fs, web, db]) server.tools = [...server.tools, toTool('more')]
    await host.manager.refreshTools('fs')
    expect(namesOf(host.manager.listTools())).toEqual([
      ...['mcp.fs.a', 'mcp.fs.more', 'mcp.web.b', 'mcp.db.c'],
    ])
    expect(await host.manager.callTool('mcp.fs.more')).toBe('more')
    await host.manager.refreshTools('web', 'fs')
    expect(host.manager.listTools('db')).toHaveLength(1)
    fs.tools = []
    await host.manager.refreshTools()
    expect(namesOf(host.manager.listTools())).toEqual([
      ...['mcp.web.b', 'mcp.web.more', 'mcp.db.c', 'mcp.db.more'],
    ])
    expect(await failureOf(host.manager.callTool('mcp.fs.a'))).toMatchObject({ kind: 'not_found' })
  })

  test('a refresh that fails names its servers; the others are refreshed', async () => {
    await using host = createTestManager()
    const [fs, web, db] = [createTestServer('a'), createTestServer('b'), createTestServer('c')]
    await Promise.all([host.add('fs', fs), host.add('web', web), host.add('db', db)])
    fs.answers.set('tools/list', () => 'nonsense')
    web.tools = [toTool('new')]
    const one = await failureOf(host.manager.refreshTools())
    expect(one).toMatchObject({ kind: 'protocol', data: { servers: ['fs'] } })
    expect(String(one)).toMatch(/mcp: refresh "fs": .*tools\/list/)
    expect(namesOf(host.manager.listTools())).toEqual(['mcp.fs.a', 'mcp.web.new', 'mcp.db.c'])
    db.answers.set('tools/list', () => ({}))
    const two = await failureOf(host.manager.refreshTools('fs', 'web', 'db'))
    expect(two).toMatchObject({ data: { servers: ['fs', 'db'] } })
    expect(String(two)).toMatch(/refresh "fs": .*; "db": /)
  })

  test('TestMCPManager_DisconnectAll: all are closed, then all failures are told', async () => {
    const { manager, add } = createTestManager()
    const servers = ['a', 'b', 'c'].map((name) => ({ name, server: createTestServer('x') }))
    for (const { name, server } of servers) await add(name, failingClose(server, name))
    const error = await failureOf(manager.disconnectAll())
    expect(servers.map(({ server }) => server.open)).toEqual([0, 0, 0])
    expect(error).toMatchObject({ data: { servers: ['a', 'c'] } })
    expect(String(error)).toMatch(/disconnect "a": .*stuck a.*; "c": .*stuck c/)
    expect(manager.serverNames()).toEqual([])
    expect(manager.listTools()).toEqual([])
    await manager.disconnectAll()
  })

  test('TestMCPManager_ServerNotFound: an unknown server or tool is named', async () => {
    await using host = createTestManager()
    await host.add('fs', createTestServer('read'))
    const { manager } = host
    const none = { kind: 'not_found', code: 'not_found', message: 'mcp: server "no" not found' }
    expect(await failureOf(manager.removeServer('no'))).toMatchObject(none)
    expect(await failureOf(manager.refreshTools('fs', 'no'))).toMatchObject(none)
    expect(() => manager.listTools('fs', 'no')).toThrow(none.message)
    expect(() => manager.connection('no')).toThrow(none.message)
    expect(() => manager.listTools('toString')).toThrow('mcp: server "toString" not found')
    expect(await failureOf(manager.callTool('mcp.fs.no'))).toMatchObject({
      kind: 'not_found',
      message: 'mcp: tool "mcp.fs.no" not found',
    })
    expect(await failureOf(manager.callToolRaw('read'))).toMatchObject({ kind: 'not_found' })
  })

  test('a call by the own name of a tool is told what the tool is called here', async () => {
    await using host = createTestManager()
    const servers = ['one', 'two', 'three', 'four']
    for (const name of servers.slice(0, 2)) await host.add(name, createTestServer('echo'))
    expect(await failureOf(host.manager.callTool('echo'))).toMatchObject({
      kind: 'not_found',
      message: 'mcp: tool "echo" not found, did you mean "mcp.one.echo" or "mcp.two.echo"?',
      data: { tool: 'echo' },
    })
    for (const name of servers.slice(2)) await host.add(name, createTestServer('echo'))
    expect(await failureOf(host.manager.callTool('echo'))).toMatchObject({
      message:
        'mcp: tool "echo" not found, did you mean "mcp.one.echo", "mcp.two.echo" or "mcp.three.echo"?',
    })
  })

  test('a server with a transport of the host needs no more than a name', async () => {
    await using host = createTestManager()
    await host.manager.addServer({ name: 'own' }, createTestServer('read'))
    expect(await host.manager.callTool('mcp.own.read')).toBe('read')
  })

  test('TestMCPManager_CallTool_E2E: from a registry to the server and back', async () => {
    await using host = createTestManager()
    const server = createTestServer('sum')
    const image = { type: 'image', data: 'aGk=', mimeType: 'image/png' }
    server.answers.set('tools/call', ({ params }) => {
      const { a, b } = Object(params?.arguments)
      return { content: [{ type: 'text', text: String(a + b) }, image], structuredContent: { a } }
    })
    await host.add('calc', server)
    const registry = createToolRegistry()
    host.manager.injectTools(registry)
    expect(await registry.execute('mcp.calc.sum', { a: 1, b: 2 })).toBe('3')
    expect(await host.manager.callTool('mcp.calc.sum', { a: 2, b: 2 })).toBe('4')
    expect(await host.manager.callToolRaw('mcp--calc--sum', { a: 3, b: 2 })).toMatchObject({
      text: '5',
      raw: { content: [{ text: '5' }, image], structuredContent: { a: 3 } },
    })
  })

  test('the failures of one server leave the others alone', async () => {
    await using host = createTestManager()
    const [bad, good] = [createTestServer('x'), createTestServer('y')]
    await Promise.all([host.add('bad', bad), host.add('good', good)])
    bad.startFails = new McpError({ kind: 'start', code: 'process_failed', message: 'mcp: no' })
    bad.die()
    expect(namesOf(host.manager.listTools())).toEqual(['mcp.good.y'])
    expect(await host.manager.callTool('mcp.good.y')).toBe('y')
    expect(host.manager.serverNames()).toEqual(['bad', 'good'])
  })
})

/** The server, whose transports close but say they do not, unless it is `b`. */
function failingClose(server: ReturnType<typeof createTestServer>, name: string) {
  return {
    ...server,
    createTransport() {
      const transport = server.createTransport()
      return {
        ...transport,
        async close() {
          await transport.close()
          if (name !== 'b') throw new Error(`stuck ${name}`)
        },
      }
    },
  }
}
