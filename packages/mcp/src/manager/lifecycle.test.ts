import { describe, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../connection/test-server.ts'
import type { ManagerEvent } from './contract.ts'
import { createTestManager, failureOf, type TestManager } from './test-manager.ts'

const slowSteps = ['initialize', 'tools/list']

/** A server that takes its time over `step`. */
function createSlowServer(step: string) {
  const server = createTestServer('run')
  const usual = server.answers.get(step)
  const gate = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  server.answers.set(step, async (request, context) => {
    asked.resolve()
    await gate.promise
    return usual?.(request, context)
  })
  return { server, asked: asked.promise, goOn: gate.resolve }
}

function expectNothingLeft({ manager, clock }: TestManager, ...servers: TestServer[]): void {
  expect(servers.map(({ open }) => open)).toEqual(servers.map(() => 0))
  expect(manager.serverNames()).toEqual([])
  expect(manager.listTools()).toEqual([])
  expect(clock.pending()).toBe(0)
}

describe('a server that is being added', () => {
  test('does not keep others waiting', async () => {
    await using host = createTestManager()
    const slow = createSlowServer('initialize')
    const adding = host.add('slow', slow.server)
    await slow.asked
    await host.add('quick', createTestServer('run'))
    expect(host.manager.serverNames()).toEqual(['quick'])
    expect(await host.manager.callTool('mcp.quick.run')).toBe('run')
    expect(() => host.manager.listTools('slow')).toThrow('"slow" not found')
    slow.goOn()
    await adding
    expect(host.manager.serverNames()).toEqual(['slow', 'quick'])
  })

  test.each(slowSteps)('can be removed during %s and leaves nothing', async (step) => {
    const host = createTestManager()
    const slow = createSlowServer(step)
    const adding = failureOf(host.add('slow', slow.server))
    await slow.asked
    await host.manager.removeServer('slow')
    expect(await adding).toMatchObject({
      kind: 'cancelled',
      message: 'mcp: server "slow" was removed while it was being added',
    })
    slow.goOn()
    await host.clock.advanceAsync(60_000)
    expectNothingLeft(host, slow.server)
    await host.add('slow', createTestServer('run'))
    expect(host.manager.serverNames()).toEqual(['slow'])
    await host.manager.disconnectAll()
  })

  test('can be removed where the adding has a signal of its own', async () => {
    const host = createTestManager()
    const slow = createSlowServer('initialize')
    const { signal } = new AbortController()
    const config = { name: 'slow', transport: 'http' } as const
    const adding = failureOf(host.manager.addServer(config, { ...slow.server, signal }))
    await slow.asked
    await host.manager.removeServer('slow')
    expect(await adding).toMatchObject({ kind: 'cancelled' })
    expectNothingLeft(host, slow.server)
  })

  test('can be added again by who hears first that it was removed', async () => {
    await using host = createTestManager()
    const slow = createSlowServer('initialize')
    const again = host.add('fs', slow.server).catch(() => host.add('fs', createTestServer('new')))
    await slow.asked
    await host.manager.removeServer('fs')
    await again
    expect(host.manager.serverNames()).toEqual(['fs'])
    expect(await host.manager.callTool('mcp.fs.new')).toBe('new')
  })

  test.each(slowSteps)('is ended by disconnectAll during %s', async (step) => {
    const host = createTestManager()
    const slow = createSlowServer(step)
    const ready = createTestServer('run')
    await host.add('ready', ready)
    const adding = failureOf(host.add('slow', slow.server))
    await slow.asked
    await host.manager.disconnectAll()
    expectNothingLeft(host, ready, slow.server)
    expect(await adding).toMatchObject({ kind: 'cancelled' })
  })

  test.each(slowSteps)('can be cancelled during %s', async (step) => {
    const host = createTestManager()
    const slow = createSlowServer(step)
    const cancel = new AbortController()
    const adding = failureOf(
      host.manager.addServer(
        { name: 'slow', transport: 'http' },
        { ...slow.server, signal: cancel.signal },
      ),
    )
    await slow.asked
    cancel.abort()
    expect(await adding).toMatchObject({ kind: 'cancelled', data: { server: 'slow' } })
    expectNothingLeft(host, slow.server)
  })

  test('that is removed in the moment it is there leaves nothing', async () => {
    const host = createTestManager()
    const server = createTestServer('run')
    const adding = host.add('fs', server).then(
      () => 'added',
      () => 'failed',
    )
    for (let turn = 0; server.asked.at(-1) !== 'tools/list' && turn < 1_000; turn++) await null
    const removed = host.manager.removeServer('fs')
    await Promise.all([adding, removed])
    expectNothingLeft(host, server)
  })

  test('removing at any moment leaves nothing, whoever wins', async () => {
    for (let turns = 0; turns < 200; turns++) {
      const host = createTestManager()
      const server = createTestServer('run')
      const adding = host.add('fs', server).catch(() => undefined)
      for (let turn = 0; turn < turns; turn++) await null
      await Promise.all([adding, host.manager.removeServer('fs').catch(() => undefined)])
      expectNothingLeft(host, server)
    }
  })
})

describe('a server that is being removed', () => {
  test('keeps its name until it is gone, and is removed once', async () => {
    await using host = createTestManager()
    const server = createTestServer('run')
    const gate = Promise.withResolvers<void>()
    let closes = 0
    const createTransport = () => {
      const transport = server.createTransport()
      const close = async () => {
        closes += 1
        await gate.promise
        await transport.close()
      }
      return { ...transport, close }
    }
    await host.add('fs', { ...server, createTransport })
    const removing = [host.manager.removeServer('fs'), host.manager.removeServer('fs')]
    expect(host.manager.serverNames()).toEqual([])
    expect(await failureOf(host.add('fs', createTestServer()))).toMatchObject({ kind: 'conflict' })
    gate.resolve()
    await Promise.all(removing)
    expect(closes).toBe(1)
    expect(host.events.filter((event) => event.kind === 'tools')).toHaveLength(2)
    await host.add('fs', createTestServer('new'))
    expect(await host.manager.callTool('mcp.fs.new')).toBe('new')
  })

  test('fails the calls under way', async () => {
    await using host = createTestManager()
    const server = createTestServer('run')
    server.answers.set('tools/call', () => new Promise(() => undefined))
    await host.add('fs', server)
    const ended = failureOf(host.manager.callTool('mcp.fs.run'))
    await host.manager.removeServer('fs')
    expect(await ended).toMatchObject({ kind: 'closed' })
  })
})

describe('a server whose connection is closed', () => {
  test('is removed: nothing is left, and its names are free', async () => {
    const host = createTestManager()
    const server = createTestServer('run')
    await host.add('fs', server)
    const connection = host.manager.connection('fs')
    expect(host.manager.connection('fs')).toBe(connection)
    const closing = connection.close()
    expect(host.manager.listTools()).toEqual([])
    await closing
    expectNothingLeft(host, server)
    expect(host.events.slice(-2)).toEqual([
      { kind: 'tools', server: 'fs' },
      { kind: 'state', server: 'fs', state: { status: 'closed' } },
    ])
    expect(() => host.manager.connection('fs')).toThrow('server "fs" not found')
    await host.add('fs', createTestServer('new'))
    await connection.close()
    await expect(connection.open()).rejects.toMatchObject({ kind: 'closed' })
    expect(await host.manager.callTool('mcp.fs.new')).toBe('new')
    await host.manager.disconnectAll()
  })

  test('can be disposed of as well, and shows what the connection is until then', async () => {
    const host = createTestManager()
    const server = createTestServer('run')
    await host.add('fs', server)
    {
      await using connection = host.manager.connection('fs')
      expect(connection.name).toBe('fs')
      expect(connection.state.status).toBe('ready')
      expect(connection.tools).toMatchObject([{ name: 'run' }])
      expect(await connection.refreshTools()).toMatchObject([{ name: 'run' }])
      expect(await connection.callTool('run')).toMatchObject({ content: [{ text: 'run' }] })
      expect(connection.client().server).toMatchObject({ serverInfo: { name: 'test' } })
      const before = server.made
      await connection.reconnect()
      expect(server.made).toBe(before + 1)
    }
    expectNothingLeft(host, server)
  })
})

describe('what is told', () => {
  const told = (events: readonly ManagerEvent[]) =>
    events.map((event) =>
      event.kind === 'state'
        ? `${event.server} ${event.state.status}`
        : `${event.server} ${event.kind}`,
    )

  test('the life of a server, with its tools only when they can be had', async () => {
    await using host = createTestManager()
    const server = createTestServer('run')
    await host.add('fs', server)
    server.die()
    await host.clock.advanceAsync(1_000)
    await host.manager.removeServer('fs')
    expect(told(host.events)).toEqual([
      ...['fs connecting', 'fs ready', 'fs verdict', 'fs tools'],
      ...['fs tools', 'fs backing_off', 'fs connecting', 'fs ready', 'fs tools'],
      ...['fs tools', 'fs closed'],
    ])
  })

  test('who injects on every event has the tools of the moment', async () => {
    const seen: string[][] = []
    const host = createTestManager({
      onEvent(event) {
        if (event.kind === 'tools') seen.push(host.manager.listTools().map(({ name }) => name))
      },
    })
    const server = createTestServer('run')
    await host.add('fs', server)
    server.die()
    await host.clock.advanceAsync(1_000)
    await host.manager.disconnectAll()
    expect(seen).toEqual([['mcp.fs.run'], [], ['mcp.fs.run'], []])
  })
})
