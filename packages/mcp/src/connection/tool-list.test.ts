import { describe, expect, test } from 'vitest'
import { openTestConnection } from './test-connection.ts'
import { failing, toFailure } from './test-failures.ts'
import { createTestServer, type TestServer, toTool } from './test-server.ts'

const changed = 'notifications/tools/list_changed'

function lists({ asked }: TestServer): number {
  return asked.filter((method) => method === 'tools/list').length
}

describe('a server that says that its tools have changed', () => {
  test('is asked for them, and they are told', async () => {
    const server = createTestServer('read')
    const { connection, clock, events, toldTools } = await openTestConnection(server)
    server.tools = [toTool('read'), toTool('write')]
    server.notify(changed)
    await clock.advanceAsync(0)
    expect(toldTools()).toEqual([['read', 'write']])
    expect(connection.tools).toHaveLength(2)
    expect(events).toContainEqual({ kind: 'notice', notice: { kind: 'tools_changed' } })
    await connection.close()
  })

  test('and has the same as before, however its keys are sorted, changes nothing', async () => {
    const server = createTestServer()
    server.tools = [{ name: 'a', description: 'A', inputSchema: { type: 'object', required: [] } }]
    const { connection, clock, toldTools } = await openTestConnection(server)
    server.tools = [{ inputSchema: { required: [], type: 'object' }, description: 'A', name: 'a' }]
    server.notify(changed)
    await clock.advanceAsync(0)
    expect([lists(server), toldTools()]).toEqual([2, []])
    await connection.close()
  })

  test.each<[string, Partial<ReturnType<typeof toTool>>]>([
    ['description', { description: 'Now it deletes.' }],
    ['schema', { inputSchema: { type: 'object', properties: { path: { type: 'string' } } } }],
    ['annotations', { annotations: { destructiveHint: true } }],
  ])('and has changed no more than a %s is heard', async (_, change) => {
    const server = createTestServer('read')
    const { connection, clock, toldTools } = await openTestConnection(server)
    server.tools = [{ ...toTool('read'), ...change }]
    server.notify(changed)
    await clock.advanceAsync(0)
    expect(toldTools()).toEqual([['read']])
    expect(connection.tools[0]).toMatchObject(change)
    await connection.close()
  })

  test('a thousand times is asked twice', async () => {
    const server = createTestServer('read')
    const { connection, clock } = await openTestConnection(server)
    for (let notice = 0; notice < 1_000; notice += 1) server.notify(changed)
    await clock.advanceAsync(10_000)
    expect(lists(server)).toBe(2)
    await connection.close()
  })

  test('without end is asked once a second', async () => {
    const server = createTestServer('read')
    const { connection, clock } = await openTestConnection(server)
    for (let ms = 0; ms < 10_000; ms += 10) {
      server.notify(changed)
      await clock.advanceAsync(10)
    }
    expect(lists(server)).toBeLessThanOrEqual(1 + 11)
    expect(lists(server)).toBeGreaterThanOrEqual(1 + 9)
    await connection.close()
  })

  test('with each list that it gives is not asked in a tight loop', async () => {
    const server = createTestServer('read')
    const { connection, clock } = await openTestConnection(server)
    server.answers.set('tools/list', () => {
      server.notify(changed)
      return { tools: server.tools }
    })
    server.notify(changed)
    await clock.advanceAsync(10_000)
    expect(lists(server)).toBeLessThanOrEqual(1 + 11)
    await connection.close()
  })

  test('while a list is under way is asked once more, for that list may be the old one', async () => {
    const server = createTestServer('read')
    const { connection, clock, toldTools } = await openTestConnection(server)
    const slow = Promise.withResolvers<unknown>()
    server.answers.set('tools/list', () => slow.promise)
    server.notify(changed)
    await clock.advanceAsync(0)
    for (const _ of [1, 2, 3]) server.notify(changed)
    server.answers.set('tools/list', () => ({ tools: [toTool('new')] }))
    slow.resolve({ tools: [toTool('old')] })
    await clock.advanceAsync(1_000)
    expect([lists(server), toldTools()]).toEqual([3, [['old'], ['new']]])
    await connection.close()
  })

  test('and does not give them is asked again until it does', async () => {
    const server = createTestServer('read')
    const { connection, clock, events, toldTools } = await openTestConnection(server)
    server.answers.set('tools/list', failing(toFailure('http', { statusCode: 500 })))
    server.notify(changed)
    await clock.advanceAsync(250 + 500)
    expect(lists(server)).toBe(1 + 3)
    expect(events.filter(({ kind }) => kind === 'warning')).toHaveLength(3)
    expect(connection.tools).toHaveLength(1)
    server.answers.set('tools/list', () => ({ tools: [] }))
    await clock.advanceAsync(1_000)
    expect(toldTools()).toEqual([[]])
    await connection.close()
  })

  test('in the middle of a call lets the call end as it was [F12]', async () => {
    const server = createTestServer('read')
    const { connection, clock } = await openTestConnection(server)
    const answer = Promise.withResolvers<unknown>()
    server.answers.set('tools/call', () => answer.promise)
    const result = connection.callTool('read')
    server.tools = []
    server.notify(changed)
    await clock.advanceAsync(0)
    expect(connection.tools).toEqual([])
    answer.resolve({ content: [{ type: 'text', text: 'as it was' }] })
    expect(await result).toMatchObject({ content: [{ text: 'as it was' }] })
    await connection.close()
  })

  test.each([
    ['before it gives them', () => new Promise(() => undefined)],
    ['between two tries', failing(toFailure('timeout'))],
  ])('and is closed %s leaves nothing waiting', async (_, answer) => {
    const server = createTestServer('read')
    const { connection, clock } = await openTestConnection(server)
    server.answers.set('tools/list', answer)
    server.notify(changed)
    await clock.advanceAsync(0)
    expect(lists(server)).toBe(2)
    await connection.close()
    await clock.advanceAsync(100_000)
    expect([lists(server), clock.pending()]).toEqual([2, 0])
  })
})

describe('refreshTools', () => {
  test('gives what the server has now, and tells it when it is new', async () => {
    const server = createTestServer('read')
    const { connection, toldTools } = await openTestConnection(server)
    expect(await connection.refreshTools()).toHaveLength(1)
    expect(toldTools()).toEqual([])
    server.tools = []
    expect(await connection.refreshTools()).toEqual([])
    expect(toldTools()).toEqual([[]])
    await connection.close()
  })

  test('by many at once asks at most twice', async () => {
    const server = createTestServer('read')
    const { connection } = await openTestConnection(server)
    await Promise.all(Array.from({ length: 50 }, () => connection.refreshTools()))
    expect(lists(server)).toBe(1 + 2)
    await connection.close()
  })

  test('rejects when the server does, and leaves the tools as they were', async () => {
    const server = createTestServer('read')
    const { connection } = await openTestConnection(server)
    server.answers.set('tools/list', failing(toFailure('http', { statusCode: 500 })))
    await expect(connection.refreshTools()).rejects.toMatchObject({ kind: 'http', statusCode: 500 })
    expect(connection.tools).toHaveLength(1)
    await connection.close()
  })

  test('whose caller waits no longer ends for that caller alone', async () => {
    const server = createTestServer('read')
    const { connection } = await openTestConnection(server)
    const slow = Promise.withResolvers<unknown>()
    server.answers.set('tools/list', () => slow.promise)
    const impatient = connection.refreshTools({ signal: AbortSignal.abort() })
    await expect(impatient).rejects.toMatchObject({ kind: 'cancelled' })
    slow.resolve({ tools: [] })
    await expect.poll(() => connection.tools).toEqual([])
    await connection.close()
  })
})
