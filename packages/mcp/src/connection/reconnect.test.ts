import { describe, expect, test } from 'vitest'
import type { EraVerdict } from '../client/contract.ts'
import { createTestConnection, openTestConnection } from './test-connection.ts'
import { toFailure } from './test-failures.ts'
import { createTestServer } from './test-server.ts'

describe('reconnect', () => {
  test('replaces a client that is there; a call under way is told', async () => {
    const server = createTestServer('read')
    const { connection, states, toldTools } = await openTestConnection(server)
    server.answers.set('tools/call', () => new Promise(() => undefined))
    const call = expect(connection.callTool('read')).rejects.toMatchObject({ kind: 'closed' })
    await connection.reconnect()
    await call
    expect(states()).toEqual(['connecting 1', 'ready'])
    expect(toldTools()).toEqual([undefined, ['read']])
    expect([server.open, server.made]).toEqual([1, 2])
    await connection.close()
  })

  test('does not wait for the next attempt, and counts anew', async () => {
    const server = createTestServer()
    const { connection, clock, states } = await openTestConnection(server)
    server.startFails = toFailure('network')
    server.die()
    await clock.advanceAsync(10_000)
    states()
    server.startFails = undefined
    await connection.reconnect()
    expect(states()).toEqual(['connecting 1', 'ready'])
    expect(clock.pending()).toBeLessThanOrEqual(2)
    server.die()
    expect(states()).toEqual(['backing_off 1'])
    await connection.close()
  })

  test('joins an attempt that is under way', async () => {
    const server = createTestServer()
    const { connection } = await openTestConnection(server)
    await Promise.all([connection.reconnect(), connection.reconnect(), connection.reconnect()])
    expect(server.made).toBe(2)
    await connection.close()
  })

  test('leaves a state that nothing else leaves', async () => {
    const server = createTestServer()
    const { connection, clock } = await openTestConnection(server)
    server.startFails = toFailure('http', { statusCode: 401 })
    server.die()
    await clock.advanceAsync(3_600_000)
    expect([connection.state.status, server.made]).toEqual(['failed', 2])
    await expect(connection.callTool('read')).rejects.toMatchObject({
      kind: 'unavailable',
      retryable: false,
    })
    await expect(connection.reconnect()).rejects.toMatchObject({ statusCode: 401 })
    expect(connection.state.status).toBe('failed')
    server.startFails = undefined
    await connection.reconnect()
    expect(connection.state.status).toBe('ready')
    await connection.close()
  })

  test('that fails is told, and the connection goes on trying', async () => {
    const server = createTestServer()
    const { connection, clock } = await openTestConnection(server)
    server.startFails = toFailure('network')
    await expect(connection.reconnect()).rejects.toMatchObject({ kind: 'network' })
    server.startFails = undefined
    await clock.advanceAsync(500)
    expect(connection.state.status).toBe('ready')
    await connection.close()
  })

  test('whose caller waits no longer goes on', async () => {
    const server = createTestServer()
    const { connection } = await openTestConnection(server)
    const impatient = connection.reconnect({ signal: AbortSignal.abort() })
    await expect(impatient).rejects.toMatchObject({ kind: 'cancelled' })
    await expect.poll(() => connection.state.status).toBe('ready')
    await connection.close()
  })

  test('in place of open waits for a server that comes later', async () => {
    const server = createTestServer('read')
    server.startFails = toFailure('network')
    const { connection, clock, states } = createTestConnection(server)
    await expect(connection.reconnect()).rejects.toMatchObject({ kind: 'network' })
    server.startFails = undefined
    await clock.advanceAsync(500)
    expect(states()).toEqual(['connecting 1', 'backing_off 2', 'connecting 2', 'ready'])
    await connection.close()
  })

  test('that joins the first opening is closed with it', async () => {
    const server = createTestServer()
    server.startFails = toFailure('network')
    const { connection } = createTestConnection(server)
    const outcomes = await Promise.allSettled([connection.open(), connection.reconnect()])
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(connection.state.status).toBe('closed')
  })

  test('of a closed connection is refused', async () => {
    const { connection } = await openTestConnection(createTestServer())
    await connection.close()
    await expect(connection.reconnect()).rejects.toMatchObject({ kind: 'closed', retryable: false })
    await expect(connection.callTool('read')).rejects.toMatchObject({ kind: 'closed' })
  })
})

describe('close', () => {
  test('while backing off leaves no timer', async () => {
    const server = createTestServer()
    const { connection, clock, states } = await openTestConnection(server)
    server.die()
    await connection.close()
    await clock.advanceAsync(100_000)
    expect(states()).toEqual(['backing_off 1', 'closed'])
    expect([server.open, server.made, clock.pending()]).toEqual([0, 1, 0])
  })

  test.each(['initialize', 'tools/list'])(
    'while opening again, in %s, leaves nothing',
    async (method) => {
      const server = createTestServer()
      const { connection, clock, states } = await openTestConnection(server)
      server.answers.set(method, () => new Promise(() => undefined))
      server.die()
      await clock.advanceAsync(250)
      expect(connection.state.status).toBe('connecting')
      await connection.close()
      expect(states()).toEqual(['backing_off 1', 'connecting 1', 'closed'])
      expect([server.open, clock.pending()]).toEqual([0, 0])
    },
  )

  test('twice is once, and withdraws the tools', async () => {
    const server = createTestServer('read')
    const { connection, states, toldTools } = await openTestConnection(server)
    await Promise.all([connection.close(), connection.close()])
    expect([states(), toldTools()]).toEqual([['closed'], [undefined]])
    expect(server.open).toBe(0)
  })

  test('of one that was never opened is nothing', async () => {
    const server = createTestServer()
    const { connection } = createTestConnection(server)
    await connection.close()
    expect([connection.state.status, server.made]).toEqual(['closed', 0])
    await expect(connection.open()).rejects.toMatchObject({ kind: 'closed' })
  })

  test('rejects when the client could not be closed, and is closed all the same', async () => {
    const server = createTestServer()
    const { connection } = await openTestConnection(server, {
      createTransport: () => ({
        ...server.createTransport(),
        close: () => Promise.reject(toFailure('protocol')),
      }),
    })
    await expect(connection.close()).rejects.toMatchObject({ kind: 'protocol' })
    expect(connection.state.status).toBe('closed')
  })
})

describe('what is known of the era', () => {
  const day = 86_400_000

  test('is told when it is found out, and not again', async () => {
    const server = createTestServer()
    const { connection, clock, events } = await openTestConnection(server)
    const verdicts = () => events.filter(({ kind }) => kind === 'verdict')
    expect(verdicts()).toHaveLength(1)
    server.die()
    await clock.advanceAsync(250)
    expect(connection.state.status).toBe('ready')
    expect(verdicts()).toHaveLength(1)
    await connection.close()
  })

  test.each<[string, number, boolean]>([
    ['is used while it is young', day - 1, true],
    ['is found out anew when it is old', day, false],
    ['is not believed when it comes from the future', -1, false],
  ])('%s', async (_, age, isUsed) => {
    const server = createTestServer()
    const { connection, clock, events } = createTestConnection(server, {
      remembered: { era: 'legacy', version: '2025-11-25', decided_at: Date.UTC(2030, 0, 1) - age },
    })
    await connection.open()
    expect(server.asked.includes('server/discover')).toBe(!isUsed)
    const found = events.find((event) => event.kind === 'verdict')
    const fresh: EraVerdict = { era: 'legacy', version: '2025-11-25', decided_at: clock.now() }
    expect(found).toEqual(isUsed ? undefined : { kind: 'verdict', verdict: fresh })
    await connection.close()
  })
})
