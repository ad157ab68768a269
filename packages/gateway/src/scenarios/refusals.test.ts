import { defineTool } from '@dataagent/hub'
import { waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { openSse } from './test-clients.ts'
import { startTestGateway } from './test-gateway.ts'
import { createMovingClock } from './test-moving-clock.ts'
import { signIn } from './test-sign-in.ts'
import { request, send, type Wire } from './test-wire.ts'

const input = z.object({})
const writes = defineTool({
  ...{ name: 'writes', description: 'Writes.', input, annotations: { readOnlyHint: false } },
  run: () => 'written',
})
const throws = defineTool({
  ...{ name: 'throws', description: 'Throws.', input, annotations: { readOnlyHint: true } },
  run: () => {
    throw new Error('secret of the inside')
  },
})

const posts = ['/mcp', '/mcp/g/all', '/api/v1/mcp/jsonrpc']
const invalid = 'Invalid API Key or OAuth Token'
const call = (name: string) => request(1, 'tools/call', { name, arguments: {} })

/** What one who is refused sees: the status, the words, the code and the challenge. */
async function seen(wire: Wire, publicUrl: string) {
  await wire.ended
  const { error } = wire.messages[0] ?? {}
  const challenge = wire.headers.get('www-authenticate')?.replaceAll(publicUrl, '') ?? null
  return [wire.status, error?.code, error?.message, challenge]
}

function challengeAt(path: string, error?: string): string {
  const metadata = `resource_metadata="/.well-known/oauth-protected-resource${path}"`
  return `Bearer ${error ? `error="${error}", ` : ''}${metadata}, scope="mcp:read mcp:call"`
}

async function setUp() {
  const clock = createMovingClock()
  const settings = { session_ttl_seconds: 60 }
  const { workers, key } = await startTestGateway({ clock, settings, tools: [writes, throws] })
  const [{ url }] = workers
  const { access_token: expired } = await signIn(url, { key })
  clock.advance(61_000)
  const { access_token: reads } = await signIn(url, { key, scope: 'mcp:read' })
  return { url, key, expired, reads }
}

test('who is not let in gets a 401 with the same words at every address [E5.2]', async () => {
  const { url, key, expired } = await setUp()
  const { endpoint } = await openSse(url, key)
  const addresses = [
    ...posts.map((path) => ({ path, at: path, sent: { body: request(1, 'tools/list') } })),
    { path: '/mcp/v1/sse', at: '/mcp/v1/sse', sent: { method: 'GET' } },
    { path: '/mcp/v1/sse', at: endpoint, sent: { body: request(1, 'tools/list') } },
    { path: '/api/v1/mcp/jsonrpc', at: '/api/v1/mcp/jsonrpc', sent: { method: 'GET' } },
  ]
  for (const { path, at, sent } of addresses) {
    const told = async (token?: string) => seen(await send(url + at, { token, ...sent }), url)
    // The profile of the source has words of its own for both.
    const isProfile = path.endsWith('jsonrpc') && 'body' in sent
    const words = (text: string) => (isProfile ? 'Authentication required' : text)
    const missing = words('Missing Authorization header')
    expect([at, ...(await told())]).toEqual([at, 401, -32602, missing, challengeAt(path)])
    for (const token of ['mk_wrong', 'st_wrong', 'neither', expired]) {
      const refused = [401, -32602, words(invalid), challengeAt(path, 'invalid_token')]
      expect([at, token, ...(await told(token))]).toEqual([at, token, ...refused])
    }
  }
})

test('whether a stream is gone only those learn who are let in [E5.2]', async () => {
  const { url, key, expired } = await setUp()
  const { stream, post } = await openSse(url, key)
  stream.leave()
  await waitFor(async () => (await post(url, request(1, 'ping'))).status === 404)
  expect((await post(url, request(1, 'ping'), expired)).status).toBe(401)
})

test('a token without the right gets a 403, on a live stream an answer there [E5.2] [T33]', async () => {
  const { url, key, reads: token } = await setUp()
  const data = { error_code: 'forbidden', required_scope: 'mcp:call', detail: expect.any(String) }
  for (const path of posts) {
    const wire = await send(url + path, { token, body: call('writes') })
    const refused = [403, -32602, invalid, challengeAt(path, 'insufficient_scope')]
    expect([path, ...(await seen(wire, url))]).toEqual([path, ...refused])
    expect(wire.messages[0]?.error?.data).toEqual(data)
  }
  for (const path of ['/mcp/v1/sse', '/api/v1/mcp/jsonrpc']) {
    const own = await openSse(url, token, { path })
    expect((await own.post(url, call('writes'))).status).toBe(202)
    const { error } = await own.stream.until(({ id }) => id === 1)
    expect(error).toEqual({ code: -32602, message: invalid, data })
    const foreign = await openSse(url, key, { path })
    const [status, ...words] = await seen(await foreign.post(url, call('writes'), token), url)
    expect([status, ...words]).toEqual([403, -32602, invalid, null])
  }
})

test('what breaks inside is told by its code alone, at every address [E5.2]', async () => {
  const { url, key: token } = await setUp()
  const broken = { code: -32603, message: expect.not.stringContaining('secret') }
  for (const path of posts) {
    const wire = await send(url + path, { token, body: call('throws') })
    await wire.ended
    expect([path, wire.status]).toEqual([path, 200])
    expect(wire.messages[0]?.error).toMatchObject(broken)
  }
  const { post, stream } = await openSse(url, token)
  expect((await post(url, call('throws'))).status).toBe(202)
  expect((await stream.until(({ id }) => id === 1)).error).toMatchObject(broken)
})
