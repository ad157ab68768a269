import { execFile } from 'node:child_process'
import { getEventListeners } from 'node:events'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { longCount } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../connection/test-server.ts'
import { McpError, type McpErrorDetails } from '../errors.ts'
import type { McpServerConfig } from './contract.ts'
import { createTestManager, failureOf, idempotent, type TestManager } from './test-manager.ts'

const failures = {
  500: {
    kind: 'http',
    code: 'upstream_failed',
    retryable: true,
    mayHaveRun: true,
    statusCode: 500,
  },
  429: { kind: 'http', code: 'rate_limited', retryable: true, mayHaveRun: true, statusCode: 429 },
  refused429: { kind: 'http', code: 'rate_limited', retryable: true, statusCode: 429 },
  refused: { kind: 'network', code: 'upstream_failed', retryable: true, mayHaveRun: false },
  cut: { kind: 'network', code: 'upstream_failed', retryable: true, mayHaveRun: true },
  404: { kind: 'http', code: 'upstream_failed', mayHaveRun: true, statusCode: 404 },
  protocol: { kind: 'protocol', code: 'upstream_failed', mayHaveRun: true },
} satisfies Record<string, Omit<McpErrorDetails, 'message'>>
type FailureName = `${keyof typeof failures}`

interface FailingServer {
  server: TestServer
  /** When each try came, in milliseconds since the first. */
  tries: number[]
}

/** A server whose tool `run` fails `times` times before it answers. */
function createFailingServer(
  host: TestManager,
  { failure, times }: { failure: FailureName; times: number },
): FailingServer {
  const server = createTestServer('run')
  const tries: number[] = []
  const began = host.clock.monotonic()
  server.answers.set('tools/call', () => {
    tries.push(host.clock.monotonic() - began)
    if (tries.length > times) return { content: [{ type: 'text', text: 'ran' }] }
    throw new McpError({ ...failures[failure], message: `mcp: ${failure}` })
  })
  return { server, tries }
}

/** How a call of the tool ends, with all the time in the world. */
async function call(host: TestManager, signal?: AbortSignal): Promise<unknown> {
  const ended = host.manager.callTool('mcp.s.run', {}, { signal }).catch((error) => error)
  await host.clock.advanceAsync(60_000)
  return await ended
}

describe('a call that fails [C5.4]', () => {
  test('TestMCPManager_CallTool_Retry: is tried again after 100, 200 and 400 ms', async () => {
    await using host = createTestManager()
    const { server, tries } = createFailingServer(host, { failure: '500', times: 3 })
    server.tools = [idempotent('run')]
    await host.add('s', server)
    expect(await call(host)).toBe('ran')
    expect(tries).toEqual([0, 100, 300, 700])
  })

  test('at most maxRetries times, then the error says so and why', async () => {
    await using host = createTestManager()
    const { server, tries } = createFailingServer(host, { failure: '500', times: 99 })
    server.tools = [idempotent('run')]
    await host.add('s', server)
    const error = await call(host)
    expect(error).toMatchObject({
      kind: 'http',
      statusCode: 500,
      message: 'mcp: call s.run failed after 3 retries: 500',
      cause: { message: 'mcp: 500' },
    })
    expect(tries).toEqual([0, 100, 300, 700])
  })

  test.each([
    [1, [0, 100]],
    [5, [0, 100, 300, 700, 1_500, 3_100]],
  ])('with maxRetries %i at %j', async (maxRetries, expected) => {
    await using host = createTestManager()
    const { server, tries } = createFailingServer(host, { failure: '429', times: 99 })
    await host.add('s', server, { maxRetries })
    expect(String(await call(host))).toContain(`s.run failed after ${maxRetries} retries`)
    expect(tries).toEqual(expected)
  })

  test('with maxRetries 0 not at all, and the error is the error itself', async () => {
    await using host = createTestManager()
    const { server, tries } = createFailingServer(host, { failure: 'refused', times: 1 })
    await host.add('s', server, { maxRetries: 0 })
    expect(await call(host)).toMatchObject({ message: 'mcp: refused' })
    expect(tries).toHaveLength(1)
  })

  test.each<[FailureName, twice: boolean, tries: number]>([
    ['500', false, 1],
    ['500', true, 2],
    ['cut', false, 1],
    ['cut', true, 2],
    ['429', false, 2],
    ['429', true, 2],
    ['refused', false, 2],
    ['refused', true, 2],
    ['404', true, 1],
    ['protocol', true, 1],
  ])('%s, where the tool may run twice: %s, is tried %i times', async (failure, twice, count) => {
    await using host = createTestManager()
    const { server, tries } = createFailingServer(host, { failure, times: 1 })
    if (twice) server.tools = [idempotent('run')]
    await host.add('s', server)
    const ended = await call(host)
    expect(tries).toHaveLength(count)
    if (count === 1) expect(ended).toMatchObject({ message: `mcp: ${failure}` })
    else expect(ended).toBe('ran')
  })

  test.each<[string, object | undefined, Partial<McpServerConfig>, tries: number]>([
    ['nothing says so', undefined, {}, 1],
    ['a hint says so', { idempotentHint: true }, {}, 2],
    ['it only reads', { readOnlyHint: true }, {}, 2],
    ['the hint says no', { idempotentHint: false, destructiveHint: false }, {}, 1],
    ['a hint is no boolean', { idempotentHint: 'true', readOnlyHint: 1 }, {}, 1],
    ['the configuration says so', undefined, { idempotentTools: ['r*'] }, 2],
    ['the configuration says it of others', undefined, { idempotentTools: ['mcp.s.run'] }, 1],
  ])('whether a tool may run twice: %s', async (_what, annotations, config, count) => {
    await using host = createTestManager()
    const { server, tries } = createFailingServer(host, { failure: '500', times: 1 })
    server.tools = [{ ...idempotent('run'), annotations: annotations as never }]
    await host.add('s', server, config)
    await call(host)
    expect(tries).toHaveLength(count)
  })

  test('a failure that does not pass ends the retries and is told as it is', async () => {
    await using host = createTestManager()
    const { server, tries } = createFailingServer(host, { failure: '429', times: 99 })
    const failing = server.answers.get('tools/call')
    server.answers.set('tools/call', (request, context) => {
      if (tries.length < 2) return failing?.(request, context)
      tries.push(host.clock.monotonic())
      throw new McpError({ ...failures[404], message: 'mcp: 404' })
    })
    await host.add('s', server)
    expect(await call(host)).toMatchObject({ message: 'mcp: 404' })
    expect(tries).toHaveLength(3)
  })

  test('a server that is being reached again is waited for', async () => {
    await using host = createTestManager()
    const server = createTestServer('run')
    await host.add('s', server)
    server.die()
    const ended = host.manager.callTool('mcp.s.run')
    await host.clock.advanceAsync(1_000)
    expect(await ended).toBe('run')
  })

  test('TestMCPManager_CallTool_Cancel: a cancel ends the wait for a retry at once', async () => {
    await using host = createTestManager()
    const { server, tries } = createFailingServer(host, { failure: '429', times: 99 })
    await host.add('s', server)
    const cancel = new AbortController()
    const ended = failureOf(host.manager.callTool('mcp.s.run', {}, cancel))
    await host.clock.advanceAsync(150)
    const timers = host.clock.pending()
    cancel.abort()
    expect(await ended).toMatchObject({ kind: 'cancelled', code: 'cancelled' })
    expect(host.clock.pending()).toBe(timers - 1)
    await host.clock.advanceAsync(60_000)
    expect(tries).toHaveLength(2)
  })

  test('a cancel between two tries tells whether the call may have run', async () => {
    for (const [failure, mayHaveRun] of [
      ['cut', true],
      ['refused429', false],
    ] as const) {
      await using host = createTestManager()
      const { server } = createFailingServer(host, { failure, times: 99 })
      server.tools = [idempotent('run')]
      await host.add('s', server)
      const cancel = new AbortController()
      const ended = failureOf(host.manager.callTool('mcp.s.run', {}, cancel))
      await host.clock.advanceAsync(50)
      cancel.abort()
      expect(await ended).toMatchObject({ kind: 'cancelled', mayHaveRun })
    }
  })

  test('a cancel ends a try at once, and there is no other', async () => {
    await using host = createTestManager()
    const server = createTestServer()
    server.tools = [idempotent('run')]
    let signal: AbortSignal | undefined
    server.answers.set('tools/call', (_request, context) => {
      signal = context.signal
      return new Promise(() => undefined)
    })
    await host.add('s', server)
    const cancel = new AbortController()
    const ended = failureOf(host.manager.callTool('mcp.s.run', {}, cancel))
    await host.clock.advanceAsync(10)
    cancel.abort()
    expect(await ended).toMatchObject({ kind: 'cancelled', mayHaveRun: true })
    expect(signal?.aborted).toBe(true)
    expect(server.asked.filter((method) => method === 'tools/call')).toHaveLength(1)
  })

  test('a call that is cancelled already is not sent', async () => {
    await using host = createTestManager()
    const { server, tries } = createFailingServer(host, { failure: 'refused', times: 0 })
    await host.add('s', server)
    expect(await call(host, AbortSignal.abort())).toMatchObject({ kind: 'cancelled' })
    expect(tries).toEqual([])
  })

  test('a server that is removed ends the retries', async () => {
    await using host = createTestManager()
    const { server, tries } = createFailingServer(host, { failure: 'refused', times: 99 })
    await host.add('s', server)
    const ended = failureOf(host.manager.callTool('mcp.s.run'))
    await host.clock.advanceAsync(50)
    await host.manager.removeServer('s')
    await host.clock.advanceAsync(100)
    expect(await ended).toMatchObject({ kind: 'closed' })
    expect(tries).toHaveLength(1)
  })
})

test('a program stays alive for the wait before a retry, and no longer', async () => {
  const script = join(import.meta.dirname, 'test-lonely-call.ts')
  const args = ['--conditions=dataagent-source', script]
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 25_000 })
  expect(stdout).toBe('ran at try 3\n')
})

test('many calls and cancels under one signal leave no listener and no timer', async () => {
  await using host = createTestManager()
  const { server } = createFailingServer(host, { failure: '429', times: 99_999 })
  await host.add('s', server)
  const timers = host.clock.pending()
  const { signal } = new AbortController()
  const cancel = new AbortController()
  const count = longCount(200, 2_000)
  const endings = Array.from({ length: count }, (_, index) =>
    failureOf(
      host.manager.callTool('mcp.s.run', {}, { signal: index % 2 ? signal : cancel.signal }),
    ),
  )
  await host.clock.advanceAsync(150)
  cancel.abort()
  await host.clock.advanceAsync(10_000)
  const kinds = (await Promise.all(endings)).map((error) => (error as McpError).kind)
  expect(kinds.filter((kind) => kind === 'cancelled')).toHaveLength(count / 2)
  expect(getEventListeners(signal, 'abort')).toEqual([])
  expect(host.clock.pending()).toBeLessThanOrEqual(timers)
})

describe('TestMCPManager_CallTool_Timeout', () => {
  const silent = () => new Promise(() => undefined)

  test('each try has the time of the server', async () => {
    await using host = createTestManager()
    const server = createTestServer()
    server.tools = [idempotent('run')]
    server.answers.set('tools/call', silent)
    await host.add('s', server, { timeout: 2, maxRetries: 2 })
    const ended = failureOf(host.manager.callTool('mcp.s.run'))
    await host.clock.advanceAsync(6_299)
    expect(server.asked.filter((method) => method === 'tools/call')).toHaveLength(3)
    await host.clock.advanceAsync(1)
    expect(await ended).toMatchObject({
      kind: 'timeout',
      code: 'timeout',
      message: expect.stringContaining('s.run failed after 2 retries'),
    })
  })

  test('a call that may have run is not tried again', async () => {
    await using host = createTestManager()
    const server = createTestServer('run')
    server.answers.set('tools/call', silent)
    await host.add('s', server, { timeout: 2 })
    const ended = failureOf(host.manager.callTool('mcp.s.run'))
    await host.clock.advanceAsync(2_000)
    expect(await ended).toMatchObject({ kind: 'timeout', mayHaveRun: true })
    expect(server.asked.filter((method) => method === 'tools/call')).toHaveLength(1)
  })
})
