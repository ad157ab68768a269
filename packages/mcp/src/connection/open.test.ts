import { describe, expect, test } from 'vitest'
import { McpError } from '../errors.ts'
import { createConnection } from './connection.ts'
import { createTestConnection } from './test-connection.ts'
import { createTestServer } from './test-server.ts'

describe('opening', () => {
  test('tells what it does, and the tools once it is ready', async () => {
    const { connection, events, states, toldTools } = createTestConnection(createTestServer('read'))
    await connection.open()
    expect(connection.state).toMatchObject({
      status: 'ready',
      server: { era: 'legacy', serverInfo: { name: 'test' } },
    })
    expect(connection.tools.map(({ name }) => name)).toEqual(['read'])
    expect(events.map(({ kind }) => kind)).toEqual(['state', 'state', 'verdict', 'tools'])
    expect(states()).toEqual(['connecting 1', 'ready'])
    expect(toldTools()).toEqual([['read']])
    await connection.close()
  })

  test('opens once, however often it is asked to', async () => {
    const server = createTestServer()
    const { connection } = createTestConnection(server)
    await Promise.all([connection.open(), connection.open()])
    await connection.open()
    expect(server.made).toBe(1)
    await connection.close()
  })

  test('an option that is undefined is an option that is not given', async () => {
    const server = createTestServer('read')
    const connection = createConnection({
      ...{ name: 'files', createTransport: server.createTransport },
      ...{ remembered: undefined, verdictMaxAgeMs: undefined, backoff: undefined },
      ...{ healthEveryMs: undefined, onEvent: undefined, clock: undefined, random: undefined },
      ...{ clientInfo: undefined, timeoutMs: undefined, questions: undefined },
      listLimits: undefined,
    })
    const options = { signal: undefined }
    await connection.open(options)
    await connection.reconnect(options)
    expect(await connection.refreshTools(options)).toMatchObject([{ name: 'read' }])
    await connection.close()
  })

  test('is refused once it was closed, also where it was open before', async () => {
    const closed = { kind: 'closed', retryable: false }
    const { connection } = createTestConnection(createTestServer())
    await connection.open()
    await connection.close()
    await expect(connection.open()).rejects.toMatchObject(closed)
    const unopened = createTestConnection(createTestServer()).connection
    await unopened.close()
    await expect(unopened.open()).rejects.toMatchObject(closed)
  })

  test('a call before it is told that nothing was opened', async () => {
    const { connection } = createTestConnection(createTestServer('read'))
    await expect(connection.callTool('read')).rejects.toMatchObject({
      kind: 'unavailable',
      message: 'mcp: server "files" was not opened: call open() first',
      retryable: false,
    })
  })

  const failure = new McpError({ kind: 'http', code: 'upstream_failed', message: 'mcp: no' })
  const fail = () => {
    throw failure
  }
  const breakers: [string, (server: ReturnType<typeof createTestServer>) => void][] = [
    ['start', (server) => Object.assign(server, { startFails: failure })],
    ['initialize', (server) => server.answers.set('initialize', fail)],
    ['list tools', (server) => server.answers.set('tools/list', fail)],
  ]

  test.each(breakers)(
    'a failure to %s names step and server, and all is closed',
    async (step, breakIt) => {
      const server = createTestServer('read')
      breakIt(server)
      const { connection, clock, states, toldTools } = createTestConnection(server)
      await expect(connection.open()).rejects.toMatchObject({
        kind: 'http',
        message: `mcp: ${step} "files": no`,
        data: { step, server: 'files' },
        cause: failure,
      })
      expect(states()).toEqual(['connecting 1', 'closed'])
      expect(toldTools()).toEqual([])
      expect([server.open, clock.pending()]).toEqual([0, 0])
      expect(() => connection.client()).toThrow(expect.objectContaining({ kind: 'closed' }))
    },
  )

  test('a transport that throws something of its own is a failure to start', async () => {
    const { connection } = createTestConnection(createTestServer(), {
      createTransport() {
        throw new TypeError('no such thing')
      },
    })
    await expect(connection.open()).rejects.toMatchObject({
      kind: 'start',
      message: 'mcp: start "files": no such thing',
      data: { step: 'start' },
    })
  })

  test('a server that knows nothing of tools has none', async () => {
    const server = createTestServer()
    server.answers.delete('tools/list')
    server.answers.set('initialize', ({ params }) => ({
      ...params,
      serverInfo: {},
      capabilities: {},
    }))
    const { connection } = createTestConnection(server)
    await connection.open()
    expect(connection.tools).toEqual([])
    await connection.close()
  })

  test('a server that says it has tools, and does not list them, is not opened', async () => {
    const server = createTestServer()
    server.answers.delete('tools/list')
    const { connection } = createTestConnection(server)
    await expect(connection.open()).rejects.toMatchObject({
      kind: 'rpc',
      data: { step: 'list tools' },
    })
    expect(server.open).toBe(0)
  })

  const methods = ['initialize', 'tools/list']
  const never = () => new Promise(() => undefined)

  test.each(methods)(
    'an abort during %s rejects with cancelled and leaves nothing',
    async (method) => {
      const server = createTestServer()
      server.answers.set(method, never)
      const { connection, clock } = createTestConnection(server)
      const controller = new AbortController()
      const opened = connection.open({ signal: controller.signal })
      await expect.poll(() => server.asked).toContain(method)
      controller.abort()
      await expect(opened).rejects.toMatchObject({ kind: 'cancelled' })
      expect(connection.state.status).toBe('closed')
      expect([server.open, clock.pending()]).toEqual([0, 0])
    },
  )

  test.each(methods)('a close during %s rejects the opening and leaves nothing', async (method) => {
    const server = createTestServer()
    server.answers.set(method, never)
    const { connection, clock } = createTestConnection(server)
    const opened = connection.open()
    const outcome = expect(opened).rejects.toMatchObject({ kind: 'closed', retryable: false })
    await expect.poll(() => server.asked).toContain(method)
    await connection.close()
    expect([server.open, clock.pending()]).toEqual([0, 0])
    await outcome
  })

  test('a signal that was aborted before starts nothing', async () => {
    const server = createTestServer()
    const { connection } = createTestConnection(server)
    await expect(connection.open({ signal: AbortSignal.abort() })).rejects.toMatchObject({
      kind: 'cancelled',
    })
    expect(server.made).toBe(0)
  })

  test('a server that goes between its answer and the end of the opening is not opened', async () => {
    const server = createTestServer()
    server.answers.set('tools/list', () => {
      queueMicrotask(() => server.die())
      return { tools: [] }
    })
    const { connection, clock, states } = createTestConnection(server)
    await expect(connection.open()).rejects.toMatchObject({
      kind: 'closed',
      data: { step: 'list tools' },
    })
    expect(states()).toEqual(['connecting 1', 'closed'])
    expect([connection.state.status, server.open, clock.pending()]).toEqual(['closed', 0, 0])
  })
})
