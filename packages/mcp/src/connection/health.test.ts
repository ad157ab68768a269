import { createFakeClock } from '@dataagent/testkit'
import { describe, expect, test, vi } from 'vitest'
import { createHealth } from './health.ts'
import { openTestConnection } from './test-connection.ts'
import { failing, toFailure } from './test-failures.ts'
import { createTestServer, type TestServer } from './test-server.ts'

const never = () => new Promise(() => undefined)

function pings({ asked }: TestServer): number {
  return asked.filter((method) => method === 'ping').length
}

describe('a connection on which nothing is said', () => {
  test('is asked every 20 s, and no more often', async () => {
    const server = createTestServer()
    const { connection, clock } = await openTestConnection(server)
    await clock.advanceAsync(19_999)
    expect(pings(server)).toBe(0)
    await clock.advanceAsync(1)
    expect(pings(server)).toBe(1)
    await clock.advanceAsync(600_000)
    expect(pings(server)).toBe(31)
    await connection.close()
  })

  test('is not asked at all where the host wants it so', async () => {
    const server = createTestServer()
    const { connection, clock } = await openTestConnection(server, { healthEveryMs: 0 })
    await clock.advanceAsync(3_600_000)
    expect(pings(server)).toBe(0)
    await connection.close()
  })

  test('and that is open on our side alone is found out within twice the time', async () => {
    const server = createTestServer()
    const { connection, clock, states } = await openTestConnection(server)
    server.answers.set('ping', never)
    await clock.advanceAsync(29_999)
    expect(states()).toEqual([])
    await clock.advanceAsync(1)
    expect(states()).toEqual(['backing_off 1'])
    await connection.close()
  })
})

describe('a connection that is used', () => {
  test('is not asked: an answer is a sign of life', async () => {
    const server = createTestServer()
    const { connection, clock } = await openTestConnection(server)
    for (let call = 0; call < 30; call += 1) {
      await clock.advanceAsync(10_000)
      await connection.callTool('read')
    }
    expect(pings(server)).toBe(0)
    await connection.close()
  })

  test('is not asked while it works on something long', async () => {
    const server = createTestServer()
    const { connection, clock } = await openTestConnection(server)
    const answer = Promise.withResolvers<unknown>()
    server.answers.set('tools/call', () => answer.promise)
    const result = connection.callTool('long', {}, { timeoutMs: 600_000 })
    await clock.advanceAsync(300_000)
    expect(pings(server)).toBe(0)
    answer.resolve({ content: [] })
    expect(await result).toEqual({ content: [] })
    await clock.advanceAsync(19_999)
    expect(pings(server)).toBe(0)
    await clock.advanceAsync(1)
    expect(pings(server)).toBe(1)
    await connection.close()
  })

  test('is not asked either when an earlier call failed and a later one was answered', async () => {
    const server = createTestServer()
    const { connection, clock } = await openTestConnection(server)
    const good = server.answers.get('tools/call') ?? never
    server.answers.set('tools/call', failing(toFailure('http', { statusCode: 500 })))
    await connection.callTool('read').catch(() => undefined)
    server.answers.set('tools/call', good)
    await connection.callTool('read')
    server.answers.set('tools/call', never)
    const long = connection.callTool('long', {}, { timeoutMs: 600_000 }).catch(() => undefined)
    await clock.advanceAsync(300_000)
    expect(pings(server)).toBe(0)
    await connection.close()
    await long
  })

  test('is asked once a call was not answered, and lost when that is not answered either', async () => {
    const server = createTestServer()
    const { connection, clock, states } = await openTestConnection(server)
    server.answers.set('tools/call', never)
    server.answers.set('ping', never)
    const result = expect(connection.callTool('read')).rejects.toMatchObject({ kind: 'timeout' })
    await clock.advanceAsync(30_000)
    await result
    expect([pings(server), states()]).toEqual([1, []])
    await clock.advanceAsync(10_000)
    expect(states()).toEqual(['backing_off 1'])
    await connection.close()
  })

  test('is not lost by silence while it works on something else', async () => {
    const server = createTestServer()
    const { connection, clock, states } = await openTestConnection(server)
    server.answers.set('tools/call', never)
    server.answers.set('ping', never)
    const long = connection.callTool('long', {}, { timeoutMs: 100_000 })
    const outcome = expect(long).rejects.toMatchObject({ kind: 'timeout' })
    const short = connection.callTool('short', {}, { timeoutMs: 1_000 }).catch(() => undefined)
    await clock.advanceAsync(99_000)
    await short
    expect([pings(server), states()]).toEqual([3, []])
    await clock.advanceAsync(21_000)
    await outcome
    expect(states()).toEqual(['backing_off 1'])
    await connection.close()
  })

  test('and answers every call with 503 is asked, and lost when that is 503 too', async () => {
    const server = createTestServer()
    const { connection, clock, states } = await openTestConnection(server)
    const away = failing(toFailure('http', { statusCode: 503 }))
    server.answers.set('tools/call', away)
    for (let call = 0; call < 12; call += 1) {
      await connection.callTool('read').catch(() => undefined)
      await clock.advanceAsync(5_000)
    }
    expect([pings(server), states()]).toEqual([3, []])
    server.answers.set('ping', away)
    await clock.advanceAsync(20_000)
    expect(states()).toEqual(['backing_off 1'])
    await connection.close()
  })
})

describe('a doubt', () => {
  test('raised by many calls at once asks once, and again only a second later', async () => {
    const server = createTestServer()
    const { connection, clock } = await openTestConnection(server)
    server.answers.set('tools/call', failing(toFailure('network', { mayHaveRun: true })))
    const storm = () =>
      Promise.allSettled(Array.from({ length: 100 }, () => connection.callTool('read')))
    await storm()
    await clock.advanceAsync(0)
    expect(pings(server)).toBe(1)
    await storm()
    await clock.advanceAsync(999)
    expect(pings(server)).toBe(1)
    await clock.advanceAsync(1)
    expect(pings(server)).toBe(2)
    await connection.close()
  })

  test('asks even where the host wants no regular questions', async () => {
    const server = createTestServer()
    const { connection, clock, states } = await openTestConnection(server, { healthEveryMs: 0 })
    server.answers.set('tools/call', failing(toFailure('network', { mayHaveRun: true })))
    server.answers.set('ping', failing(toFailure('network')))
    await connection.callTool('read').catch(() => undefined)
    await clock.advanceAsync(0)
    expect(states()).toEqual(['backing_off 1'])
    await connection.close()
  })
})

test('a close in the middle of a probe ends it and leaves no timer', async () => {
  const server = createTestServer()
  const { connection, clock, states } = await openTestConnection(server)
  server.answers.set('ping', never)
  await clock.advanceAsync(20_000)
  expect(pings(server)).toBe(1)
  await connection.close()
  await clock.advanceAsync(100_000)
  expect(states()).toEqual(['closed'])
  expect([server.open, clock.pending()]).toEqual([0, 0])
})

test('a watch that was stopped asks nothing and plans nothing, whatever ends after it', async () => {
  const clock = createFakeClock()
  const probe = vi.fn(async () => undefined)
  const health = createHealth({ everyMs: 20_000, clock, probe })
  health.began()
  await clock.advanceAsync(30_000)
  health.stop()
  health.ended()
  health.doubt()
  await clock.advanceAsync(60_000)
  expect([probe.mock.calls.length, clock.pending()]).toEqual([0, 0])
})
