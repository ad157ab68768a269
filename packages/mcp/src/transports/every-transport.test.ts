import { getEventListeners } from 'node:events'
import { describe, expect, test } from 'vitest'
import { createMcpManager } from '../manager/manager.ts'
import type { JsonRpcMessage } from '../rpc/messages.ts'
import { createInProcessTransport } from './in-process.ts'
import { ways } from './test-ways.ts'
import type { TransportEvents } from './transport.ts'

const events: TransportEvents = { onMessage() {}, onClose() {}, onWarning() {} }

const hang = { jsonrpc: '2.0', id: 1, method: 'hang' } as const
const answer = { jsonrpc: '2.0', id: 2, result: { n: 2 } } as const
const say = {
  jsonrpc: '2.0',
  id: 2,
  method: 'say',
  params: { text: JSON.stringify(answer) },
} as const

describe('a transport is started, called with a signal, and closed [C3.1]', () => {
  test.each(ways)('over $name', async ({ kind, open }) => {
    await using way = await open()
    const { transport } = way
    expect(transport.kind).toBe(kind)
    await transport.start(events)
    const aborter = new AbortController()
    const { signal } = aborter
    const hanging = transport.call(hang, { signal }).catch((error: unknown) => error)
    expect(await transport.call(say, { signal })).toEqual(answer)
    aborter.abort()
    expect(await hanging).toMatchObject({ kind: 'cancelled' })
    expect(getEventListeners(signal, 'abort')).toEqual([])
    const refusal = { kind: 'cancelled', mayHaveRun: false }
    await expect(transport.call(say, { signal })).rejects.toMatchObject(refusal)
    const under = transport.call(hang).catch((error: unknown) => error)
    await transport.close()
    expect(await under).toMatchObject({ kind: 'closed' })
    await expect(transport.call(say)).rejects.toMatchObject({ kind: 'closed', mayHaveRun: false })
  })

  test('the handler of one in this process does not hear of a call that is already cancelled', async () => {
    const heard: JsonRpcMessage[] = []
    const transport = createInProcessTransport((message) => heard.push(message))
    await transport.start(events)
    const call = transport.call(say, { signal: AbortSignal.abort() })
    await expect(call).rejects.toMatchObject({ kind: 'cancelled', mayHaveRun: false })
    expect(heard).toEqual([])
  })

  test('the manager takes one that is ready-made', async () => {
    const manager = createMcpManager()
    const config = { name: 'here', transport: 'stdio', command: 'unused' } as const
    const createTransport = () => createInProcessTransport(toolServer)
    await manager.addServer(config, { createTransport })
    expect(await manager.callTool('mcp.here.add', { a: 1 })).toBe('{"a":1}')
    await manager.disconnectAll()
  })
})

describe('a second start is refused', () => {
  test.each(ways)('over $name, and the first goes on', async ({ open }) => {
    await using way = await open()
    await way.transport.start(events)
    await expect(way.transport.start(events)).rejects.toMatchObject({ kind: 'config' })
    expect(await way.transport.call(say)).toEqual(answer)
  })
})

describe('arguments that JSON cannot hold are refused', () => {
  const wire = ways.filter(({ kind }) => kind !== 'in-process')
  const circular: Record<string, unknown> = {}
  circular.self = circular

  test.each(wire)('over $name, and nothing is sent', async ({ open }) => {
    await using way = await open()
    await way.transport.start(events)
    for (const params of [circular, { n: 1n }]) {
      await expect(way.transport.call({ ...hang, params })).rejects.toMatchObject({
        kind: 'config',
        code: 'invalid_request',
        mayHaveRun: false,
        message: expect.stringContaining('arguments cannot be written as JSON'),
      })
    }
    expect(await way.transport.call(say)).toEqual(answer)
  })
})

/** A server of the handshake era with one tool, that gives its arguments back. */
function toolServer(message: JsonRpcMessage) {
  if (!('id' in message && 'method' in message)) return undefined
  const { id, method, params } = message
  const text = JSON.stringify(params?.arguments)
  const results: Record<string, unknown> = {
    initialize: {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'here', version: '1' },
    },
    'tools/list': { tools: [{ name: 'add', inputSchema: { type: 'object' } }] },
    'tools/call': { content: [{ type: 'text', text }] },
  }
  const result = results[method]
  if (result !== undefined) return { jsonrpc: '2.0', id, result }
  return { jsonrpc: '2.0', id, error: { code: -32601, message: 'no such method' } }
}
