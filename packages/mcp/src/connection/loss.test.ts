import { describe, expect, test } from 'vitest'
import { createTestConnection, openTestConnection } from './test-connection.ts'
import { failing, toFailure } from './test-failures.ts'
import { createTestServer } from './test-server.ts'

describe('a server that dies', () => {
  test('has its tools withdrawn at once, and given back when it has returned', async () => {
    const server = createTestServer('read')
    const { connection, clock, states, toldTools } = await openTestConnection(server)
    server.die()
    expect(states()).toEqual(['backing_off 1'])
    expect(toldTools()).toEqual([undefined])
    expect(connection.tools).toEqual([])
    await clock.advanceAsync(250)
    expect(states()).toEqual(['connecting 1', 'ready'])
    expect(toldTools()).toEqual([['read']])
    expect(await connection.callTool('read')).toMatchObject({ content: [{ text: 'read' }] })
    await connection.close()
  })

  test('fails calls at once with an error that says when to come again', async () => {
    const server = createTestServer()
    const { connection, clock } = await openTestConnection(server)
    server.die()
    const retry_at = clock.now() + 250
    await expect(connection.callTool('read')).rejects.toMatchObject({
      kind: 'unavailable',
      retryable: true,
      mayHaveRun: false,
      message:
        'mcp: server "files" is away and will be tried again: mcp: the process ended with exit code 1',
      data: { server: 'files', status: 'backing_off', retry_at },
    })
    await expect(connection.refreshTools()).rejects.toMatchObject({ kind: 'unavailable' })
    expect(() => connection.client()).toThrow(expect.objectContaining({ kind: 'unavailable' }))
    expect(server.asked.filter((method) => method === 'tools/call')).toEqual([])
    await connection.close()
  })

  test('is tried at growing distances, at most a minute, until it is back [A1.4] [F1]', async () => {
    const server = createTestServer()
    const { connection, clock } = await openTestConnection(server)
    server.startFails = toFailure('start')
    server.die()
    const begun = clock.monotonic()
    const tries: number[] = []
    while (tries.length < 11) {
      const { made } = server
      while (server.made === made) await clock.advanceAsync(250)
      tries.push(clock.monotonic() - begun)
    }
    const gaps = tries.map((at, index) => at - (tries[index - 1] ?? 0))
    expect(gaps).toEqual([
      250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000,
    ])
    server.startFails = undefined
    await clock.advanceAsync(60_000)
    expect(connection.state.status).toBe('ready')
    await connection.close()
  })

  test('right after each start is not started in a tight loop', async () => {
    const server = createTestServer()
    const { connection, clock } = await openTestConnection(server)
    const hour = 3_600_000
    const until = clock.monotonic() + hour
    while (clock.monotonic() < until) {
      server.die()
      await clock.advanceAsync(1_000)
    }
    // 9 starts while the wait doubles up to a minute, then one a minute.
    expect(server.made).toBeLessThanOrEqual(9 + 60)
    await connection.close()
  })

  test('leaves the error of the last attempt in the state', async () => {
    const server = createTestServer()
    const { connection, clock } = await openTestConnection(server)
    server.startFails = toFailure('start')
    server.die()
    await clock.advanceAsync(250)
    expect(connection.state).toMatchObject({
      status: 'backing_off',
      attempt: 2,
      retryAt: clock.now() + 500,
      error: { kind: 'start', data: { step: 'start', server: 'files' } },
    })
    await connection.close()
  })

  test('is let go of whole before the next one is started', async () => {
    const server = createTestServer()
    const closing = Promise.withResolvers<void>()
    const { connection, clock } = await openTestConnection(server, {
      createTransport() {
        const transport = server.createTransport()
        return { ...transport, close: () => transport.close().then(() => closing.promise) }
      },
    })
    server.die()
    await clock.advanceAsync(10_000)
    expect([connection.state.status, server.made]).toEqual(['connecting', 1])
    closing.resolve()
    await clock.advanceAsync(0)
    expect([connection.state.status, server.made]).toEqual(['ready', 2])
    await connection.close()
  })
})

describe('a server that has forgotten the session', () => {
  test('is initialised again at once, and the call that met it is told', async () => {
    const server = createTestServer('read')
    const { connection, clock, states, toldTools } = await openTestConnection(server)
    const good = server.answers.get('tools/call')
    server.answers.set('tools/call', failing(toFailure('session_lost')))
    await expect(connection.callTool('read')).rejects.toMatchObject({
      kind: 'session_lost',
      retryable: true,
      mayHaveRun: false,
    })
    server.answers.set('tools/call', good ?? failing(toFailure('protocol')))
    await clock.advanceAsync(0)
    expect(states()).toEqual(['connecting 1', 'ready'])
    expect(toldTools()).toEqual([undefined, ['read']])
    expect(server.asked.filter((method) => method === 'tools/call')).toHaveLength(1)
    await connection.close()
  })

  test('is initialised again at once when the transport is the one to tell', async () => {
    const server = createTestServer('read')
    const { connection, clock, states } = await openTestConnection(server)
    server.die(toFailure('session_lost'))
    await clock.advanceAsync(0)
    expect(states()).toEqual(['connecting 1', 'ready'])
    await connection.close()
  })

  test('is waited for when it forgets again', async () => {
    const server = createTestServer()
    const { connection, clock, states } = await openTestConnection(server)
    server.answers.set('tools/call', failing(toFailure('session_lost')))
    for (const _ of [1, 2]) {
      await connection.callTool('read').catch(() => undefined)
      await clock.advanceAsync(0)
    }
    expect(states()).toEqual(['connecting 1', 'ready', 'backing_off 2'])
    await connection.close()
  })
})

describe('a client of the connection', () => {
  test('that outlives the loss harms nothing', async () => {
    const server = createTestServer()
    const { connection, clock } = await openTestConnection(server)
    const stale = connection.client()
    server.die()
    await clock.advanceAsync(250)
    await expect(stale.callTool('read')).rejects.toMatchObject({ kind: 'closed' })
    expect(connection.state.status).toBe('ready')
    expect(connection.client()).not.toBe(stale)
    await connection.close()
  })

  test('tells of a loss by whatever it was asked', async () => {
    const server = createTestServer()
    const { connection, states } = await openTestConnection(server)
    server.answers.set('prompts/list', failing(toFailure('network')))
    await expect(connection.client().listPrompts()).rejects.toMatchObject({ kind: 'network' })
    expect(states()).toEqual(['backing_off 1'])
    await connection.close()
  })

  test('that the host closes is opened anew', async () => {
    const server = createTestServer()
    const { connection, clock } = await openTestConnection(server)
    await connection.client().close()
    expect(connection.state.status).toBe('backing_off')
    await clock.advanceAsync(250)
    expect([connection.state.status, server.open]).toEqual(['ready', 1])
    await connection.close()
  })
})

test('a listener may close the connection whatever it is told, and hears all in order', async () => {
  for (const kind of ['state', 'verdict', 'tools'] as const) {
    const server = createTestServer('read')
    const told: string[] = []
    const test = createTestConnection(server, {
      onEvent(event) {
        told.push(event.kind === 'state' ? event.state.status : event.kind)
        if (event.kind === kind && test.connection.state.status === 'ready') {
          void test.connection.close()
        }
      },
    })
    await test.connection.open()
    await test.connection.close()
    expect(told).toEqual(['connecting', 'ready', 'verdict', 'tools', 'tools', 'closed'])
    expect([server.open, test.clock.pending()]).toEqual([0, 0])
  }
})
