import { describe, expect, test } from 'vitest'
import { createTestServer } from '../connection/test-server.ts'
import { McpError } from '../errors.ts'
import { createToolRegistry } from '../tools/registry.ts'
import type { CallEnd, CallSpan, McpManagerOptions } from './contract.ts'
import { createTestManager, failureOf, idempotent } from './test-manager.ts'

function record(options: McpManagerOptions = {}) {
  const spans: { call: CallSpan; end?: CallEnd }[] = []
  const host = createTestManager({
    ...options,
    onCall(call) {
      const span: { call: CallSpan; end?: CallEnd } = { call }
      spans.push(span)
      return (end) => {
        span.end = end
      }
    },
  })
  return { host, spans }
}

describe('arguments and results in spans of calls [C6.2]', () => {
  test('are not there unless asked for', async () => {
    const { host, spans } = record()
    await host.add('fs', createTestServer('run'))
    await host.manager.callTool('mcp.fs.run', { secret: 1 })
    expect(spans).toEqual([
      { call: { server: 'fs', tool: 'run' }, end: { status: 'ok', durationMs: 0, retries: 0 } },
    ])
    await host.manager.disconnectAll()
  })

  test('are there with traceArgs', async () => {
    const { host, spans } = record({ traceArgs: true })
    await host.add('fs', createTestServer('run'))
    const registry = createToolRegistry()
    host.manager.injectTools(registry)
    await registry.execute('mcp.fs.run', { path: '/a' })
    expect(spans).toMatchObject([
      {
        call: { server: 'fs', tool: 'run', args: { path: '/a' } },
        end: { status: 'ok', result: { content: [{ type: 'text', text: 'run' }] } },
      },
    ])
    await host.manager.disconnectAll()
  })
})

describe('spans of calls', () => {
  test('say how long a call took, how often it was tried again and why it failed', async () => {
    const { host, spans } = record()
    const server = createTestServer()
    server.tools = [idempotent('run')]
    server.answers.set('tools/call', () => {
      const details = { kind: 'network', code: 'upstream_failed', message: 'mcp: cut' } as const
      throw new McpError({ ...details, retryable: true, mayHaveRun: true })
    })
    await host.add('fs', server, { maxRetries: 2 })
    const ended = failureOf(host.manager.callTool('mcp.fs.run'))
    await host.clock.advanceAsync(1_000)
    const error = await ended
    expect(spans[0]?.end).toEqual({ status: 'error', durationMs: 300, retries: 2, error })
    await host.manager.disconnectAll()
  })

  test('a tool that says it failed is an error', async () => {
    const { host, spans } = record()
    const server = createTestServer('run')
    server.answers.set('tools/call', () => ({
      content: [{ type: 'text', text: 'no' }],
      isError: true,
    }))
    await host.add('fs', server)
    expect(await host.manager.callTool('mcp.fs.run')).toBe('Error: no')
    expect(spans[0]?.end).toEqual({ status: 'error', durationMs: 0, retries: 0 })
    await host.manager.disconnectAll()
  })
})

describe('the signal of a tool context reaches the server [C1.2]', () => {
  test('a cancel of the agent loop ends the call there', async () => {
    await using host = createTestManager()
    const server = createTestServer('run')
    const arrived = Promise.withResolvers<AbortSignal | undefined>()
    server.answers.set('tools/call', (_request, { signal }) => {
      arrived.resolve(signal)
      return new Promise(() => undefined)
    })
    await host.add('fs', server)
    const registry = createToolRegistry()
    host.manager.injectTools(registry)
    const loop = new AbortController()
    const context = { callId: 'c1', extra: { turn: 1 }, signal: loop.signal }
    const ended = failureOf(registry.execute('mcp.fs.run', {}, context))
    const signal = await arrived.promise
    expect(signal?.aborted).toBe(false)
    loop.abort()
    expect(await ended).toMatchObject({ kind: 'cancelled' })
    expect(signal?.aborted).toBe(true)
  })

  test('without a signal the call has the time of the server', async () => {
    await using host = createTestManager()
    const server = createTestServer('run')
    server.answers.set('tools/call', () => new Promise(() => undefined))
    await host.add('fs', server, { timeout: 7 })
    const registry = createToolRegistry()
    host.manager.injectTools(registry)
    const ended = failureOf(registry.execute('mcp.fs.run', {}))
    await host.clock.advanceAsync(6_999)
    const early = await Promise.race([ended, 'waiting'])
    expect(early).toBe('waiting')
    await host.clock.advanceAsync(1)
    expect(await ended).toMatchObject({ kind: 'timeout' })
  })
})
