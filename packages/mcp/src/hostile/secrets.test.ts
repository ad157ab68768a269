import { inspect } from 'node:util'
import { createCanary, expectNoCanary, type HostileMode, modesOn } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { createMcpManager } from '../manager/manager.ts'
import {
  sendJson,
  sendStream,
  startHttpServer,
  toEvent,
} from '../transports/http/test-http-server.ts'
import { createHostileInn } from './test-hostile.ts'
import { failureOf } from './test-outcomes.ts'

const failing: HostileMode[] = [
  'unauthorized',
  'server_errors',
  'redirect_loop',
  'huge_header',
  'wrong_content_type',
  'crash_mid_call',
  'wrong_shape',
  'reflects_headers',
]

describe.each(['http', 'sse'] as const)('what is told of a failure over %s', (transport) => {
  test('never holds the headers that we sent, not even where the server says them back', async () => {
    await using inn = await createHostileInn(transport)
    const canary = createCanary()
    for (const mode of failing.filter((each) => modesOn(transport).includes(each))) {
      const told: unknown[] = []
      await using hostile = await inn.invite(mode)
      await using manager = createMcpManager({ onEvent: (event) => told.push(event) })
      const headers = { authorization: canary.header, 'x-api-key': canary.apiKey }
      await manager.addServer({ ...hostile.config('bad'), headers })
      const error = await failureOf(manager.callTool('mcp.bad.count'))
      expect(error.message).toMatch(/^mcp: /)
      const text = inspect([error, told], { depth: 12, showHidden: true })
      await expectNoCanary([canary], [{ name: mode, text }])
    }
  })
})

/** A server that says its key on stdout, on stderr and in errors, and leaves at the second call. */
const chatterbox = `
  const key = process.env.API_KEY
  const tools = [{ name: 'count', inputSchema: { type: 'object' } }]
  const info = { serverInfo: { name: 'x', version: '1' }, capabilities: { tools: {} } }
  const results = { 'tools/list': { tools }, initialize: { protocolVersion: '2025-11-25', ...info } }
  const error = { code: -32000, message: 'refused: ' + key, data: { key } }
  let calls = 0
  console.log('starting with ' + key)
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line)
    if (id === undefined) return
    if (method === 'tools/call' && ++calls === 2)
      return process.stderr.write('fatal: ' + key, () => process.exit(3))
    const result = results[method]
    console.error('asked: ' + method + ' with ' + key)
    console.log(JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) }))
  })`

test('what is told of a failure over stdio never holds the environment that we gave', async () => {
  const canary = createCanary()
  const told: { kind: string }[] = []
  await using manager = createMcpManager({ onEvent: (event) => told.push(event) })
  const env = { API_KEY: canary.apiKey }
  const args = ['-e', chatterbox]
  await manager.addServer({ name: 'bad', transport: 'stdio', command: process.execPath, args, env })
  const answered = await failureOf(manager.callTool('mcp.bad.count'))
  expect(answered.rpc).toMatchObject({ message: 'refused: ***', data: { key: '***' } })
  const left = await failureOf(manager.callTool('mcp.bad.count'))
  expect(left.message).toMatch(/fatal: \*\*\*$/)
  expect(told.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['warning', 'stderr']))
  const text = inspect([answered, left, told], { depth: 12, showHidden: true })
  await expectNoCanary([canary], [{ name: 'stdio', text }])
})

test.each(['JSON', 'SSE'])('nor does a JSON-RPC error over HTTP in %s', async (form) => {
  const canary = createCanary()
  const results: Record<string, unknown> = {
    'tools/list': { tools: [{ name: 'count', inputSchema: { type: 'object' } }] },
    initialize: {
      protocolVersion: '2025-11-25',
      serverInfo: { name: 'x', version: '1' },
      capabilities: { tools: {} },
    },
  }
  await using server = await startHttpServer(({ method, message, headers, response }) => {
    if (method !== 'POST') return response.writeHead(405).end()
    if (message.id === undefined) return response.writeHead(202).end()
    const { id } = message
    const result = results[message.method]
    const error = { code: -32000, message: `refused: ${headers.authorization}`, data: { headers } }
    const answer = { jsonrpc: '2.0', id, ...(result ? { result } : { error }) }
    if (form === 'JSON') return sendJson(response, answer)
    sendStream(response, toEvent(answer))
    return response.end()
  })
  const told: unknown[] = []
  await using manager = createMcpManager({ onEvent: (event) => told.push(event) })
  const headers = { authorization: canary.header, 'x-api-key': canary.apiKey }
  await manager.addServer({ name: 'bad', transport: 'http', url: server.url, headers })
  const error = await failureOf(manager.callTool('mcp.bad.count'))
  expect(error.rpc).toMatchObject({ message: 'refused: ***', data: { headers: {} } })
  const text = inspect([error, told], { depth: 12, showHidden: true })
  await expectNoCanary([canary], [{ name: form, text }])
})
