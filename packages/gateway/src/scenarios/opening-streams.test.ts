import { expect, test } from 'vitest'
import { openSession } from './test-clients.ts'
import { startTestGateway } from './test-gateway.ts'
import { send } from './test-wire.ts'

/** Milliseconds from the request to the end of the `endpoint` event. */
async function timeToEndpoint(url: string, token: string): Promise<number> {
  const leaving = new AbortController()
  const headers = { accept: 'text/event-stream', authorization: `Bearer ${token}` }
  const begun = performance.now()
  const { body } = await fetch(url, { headers, signal: leaving.signal })
  let text = ''
  for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk
    if (text.includes('\n\n')) break
  }
  const ms = performance.now() - begun
  leaving.abort()
  expect(text).toMatch(/^event: endpoint\ndata: \/\S+\?sessionId=\S+\n\n/)
  return ms
}

test.each(['/mcp/v1/sse', '/api/v1/mcp/jsonrpc'])(
  'the first event of %s names the address to post to, within 200 ms [E1.1]',
  async (path) => {
    const { workers, key } = await startTestGateway()
    const times: number[] = []
    for (let i = 0; i < 10; i += 1) times.push(await timeToEndpoint(workers[0].url + path, key))
    // The best of ten: a busy machine may hold up any one of them.
    expect(Math.min(...times)).toBeLessThan(200)
  },
)

test('a GET that does not accept events opens no stream [E1.1]', async () => {
  const { workers, key: token } = await startTestGateway({ settings: { open_discovery: true } })
  const [{ url }] = workers
  const session = await openSession(url, token)
  for (const [path, headers] of [
    ['/api/v1/mcp/jsonrpc', {}],
    ['/mcp', session.headers],
  ] as const) {
    const accept = 'application/json'
    const wire = await send(url + path, { method: 'GET', token, headers: { ...headers, accept } })
    expect([path, wire.status]).toEqual([path, 405])
    expect(wire.headers.get('content-type')).not.toBe('text/event-stream')
  }
})
