import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { waitFor } from '../wait-for.ts'
import { hostileServerCommand } from './command.ts'
import { startHostileHttpApart } from './http-apart.ts'
import { type HostileHttp, startHostileHttp } from './http-server.ts'
import { modesOn } from './modes/table.ts'
import { type OpenChannel, openers } from './test-channels.ts'

const { stdio, http, sse } = openers

test.each(Object.entries(openers))('behaves well over %s when it has no mode', async (_, open) => {
  await using channel = await open('none')
  const started = await channel.ask('initialize', { protocolVersion: '2025-06-18' })
  expect(started.result).toMatchObject({
    protocolVersion: '2025-06-18',
    serverInfo: { name: 'hostile' },
  })
  await channel.tell('notifications/initialized')
  const names = (await listTools(channel)).map(({ name }) => name)
  expect(names).toEqual(['echo', 'count', 'touch', 'slow'])
  expect(await channel.ask('ping')).toMatchObject({ result: {} })
  expect(await callTool(channel, 'echo', { message: 'hi' })).toBe('hi')
  expect(await callTool(channel, 'count')).toBe('1')
  expect(channel.notes('effect')).toEqual(['count'])
  expect(await channel.ask('server/discover')).toMatchObject({ error: { code: -32601 } })
})

test.each(Object.entries(openers))(
  'reports progress and sees a cancel over %s',
  async (_, open) => {
    await using channel = await open('none')
    await channel.ask('initialize', { protocolVersion: '2025-11-25' })
    const _meta = { progressToken: 'p' }
    await channel.ask('tools/call', { name: 'slow', arguments: { ms: 20 }, _meta })
    expect(channel.heard.map(({ params }) => params?.progress)).toEqual([1, 2, 3, 4, 5])
    void channel.ask('tools/call', { name: 'slow', arguments: { ms: 60_000 } }).catch(() => {})
    await waitFor(() => channel.notes('received').filter((it) => it === 'tools/call').length === 2)
    await channel.tell('notifications/cancelled', { requestId: channel.lastId() })
    await waitFor(() => channel.notes('cancelled').includes('notification'))
  },
)

test.each([
  ['stdio', stdio],
  ['http', http],
] as const)('speaks the modern era over %s', async (_, open) => {
  await using channel = await open('none', { era: 'modern' })
  expect(await channel.ask('server/discover')).toMatchObject({
    result: { resultType: 'complete', supportedVersions: ['2026-07-28'] },
  })
  expect(await callTool(channel, 'echo', { message: 'hi' })).toBe('hi')
  expect(await channel.ask('initialize')).toMatchObject({ error: { code: -32601 } })
})

test('a mode begins after the calls that go well', async () => {
  await using channel = await sse('wrong_id', { after: 1 })
  await channel.ask('initialize')
  expect(await callTool(channel, 'echo', { message: 'well' })).toBe('well')
  void channel.ask('tools/call', { name: 'echo', arguments: { message: 'ill' } }).catch(() => {})
  await waitFor(() => channel.heard.some(({ id }) => id === 987_654_321))
})

test('a server over HTTP answers as JSON where told, and takes another mode while it runs', async () => {
  await using server = await startHostileHttp('none', { reply: 'json' })
  const answer = await post(server, 'initialize')
  expect(answer.headers.get('content-type')).toBe('application/json')
  await server.set('crash_at_start')
  await expect(fetch(server.url)).rejects.toThrow()
})

test('a server on a thread of its own is told and asked as any other', async () => {
  await using server = await startHostileHttpApart('hang')
  await server.set('none')
  expect((await post(server, 'initialize')).status).toBe(200)
  expect(server.notes('received')).toEqual(['initialize'])
  expect(server.connections()).toBe(1)
})

test('a command misbehaves for as many lives as it is told', async () => {
  await using server = await hostileServerCommand('crash_at_start', { lives: 1 })
  const run = () => spawn(server.command, server.args, { stdio: ['pipe', 'pipe', 'ignore'] })
  expect(await once(run(), 'exit')).toEqual([3, null])
  const second = run()
  second.stdin.end('{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
  const [line] = await once(createInterface(second.stdout), 'line')
  expect(JSON.parse(line)).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
  expect(server.notes('start')).toHaveLength(2)
})

test('tells which modes a transport can have', () => {
  expect(modesOn('stdio')).toContain('ignores_term')
  expect(modesOn('http')).not.toContain('ignores_term')
  expect(modesOn('http')).toContain('half_open')
})

async function listTools(channel: OpenChannel): Promise<{ name: string }[]> {
  return (await channel.ask('tools/list')).result?.tools as { name: string }[]
}

async function callTool(channel: OpenChannel, name: string, args = {}): Promise<string> {
  const { result } = await channel.ask('tools/call', { name, arguments: args })
  const [part] = (result?.content ?? []) as { text: string }[]
  return part?.text ?? ''
}

function post({ url }: HostileHttp, method: string) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method })
  return fetch(url, { method: 'POST', body })
}
