import { once } from 'node:events'
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { waitFor } from '@dataagent/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { startTestGateway } from './test-gateway.ts'
import { ask, request } from './test-wire.ts'

const kibi = 1024
const path = '/api/v1/mcp/jsonrpc'
const initialize = (params: object = {}) => request(0, 'initialize', params)
const say = (length: number, more: object = {}) =>
  request(1, 'tools/call', { name: 'echo', arguments: { text: 'x'.repeat(length) }, ...more })

/** A POST whose body is still to come. */
function startPost(url: string, headers: Record<string, string> = {}): ClientRequest {
  const asked = httpRequest(url, {
    ...{ method: 'POST', agent: false },
    headers: { 'content-type': 'application/json', ...headers },
  })
  asked.on('error', () => {})
  onTestFinished(() => void asked.destroy())
  return asked
}

async function statusOf(asked: ClientRequest): Promise<number | undefined> {
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  return answer.statusCode
}

test('who shows a credential in the parameters has 64 KiB, and with the header all that fits [E4.2][E5.2]', async () => {
  const { workers, key } = await startTestGateway()
  const at = workers[0].url + path
  const { result } = await ask(at, { body: initialize({ apiKey: key }) })
  const { sessionToken } = result
  const small = await ask(at, { body: say(60 * kibi, { sessionToken }) })
  expect(small.result.content[0].text).toHaveLength(60 * kibi)

  const large = await ask(at, { body: say(64 * kibi, { sessionToken }) })
  expect(large).toMatchObject({ status: 413, error: { code: -32600 } })
  expect(large.error?.message).toContain('Authorization')
  const chunked = startPost(at, { 'transfer-encoding': 'chunked' })
  chunked.write(JSON.stringify(say(64 * kibi, { sessionToken })))
  expect(await statusOf(chunked)).toBe(413)

  const shown = await ask(at, { token: sessionToken, body: say(64 * kibi) })
  expect(shown.result.content[0].text).toHaveLength(64 * kibi)
  const wrong = await ask(at, { token: 'st_wrong', body: say(64 * kibi) })
  expect(wrong).toMatchObject({ status: 401, error: { code: -32602 } })
})

test('a body that says that it is too large is refused before it comes [E5.2]', async () => {
  const { workers, key } = await startTestGateway()
  const [{ url }] = workers
  const authorization = `Bearer ${key}`
  for (const [to, headers, size] of [
    [path, {}, 64 * kibi + 1],
    [path, { authorization }, 4 * kibi * kibi + 1],
    ['/mcp', { authorization }, 4 * kibi * kibi + 1],
    ['/mcp/oauth/token', {}, 64 * kibi + 1],
  ] as const) {
    const asked = startPost(url + to, { ...headers, 'content-length': String(size) })
    asked.flushHeaders()
    expect([to, await statusOf(asked)]).toEqual([to, 413])
  }
})

test('of a network that shows nothing a few bodies are read at once, and others when those end [E5.2]', async () => {
  const { workers, key: token } = await startTestGateway()
  const at = workers[0].url + path
  const slow = Array.from({ length: 80 }, () => startPost(at))
  const refused: ClientRequest[] = []
  for (const asked of slow) {
    asked.once('response', ({ statusCode }: IncomingMessage) => {
      if (statusCode === 429) refused.push(asked)
    })
    asked.write('{')
  }
  await waitFor(() => refused.length === 16)
  const stranger = () => ask(at, { body: initialize() })
  expect(await stranger()).toMatchObject({ status: 429, error: { code: -32000 } })
  expect((await ask(at, { token, body: initialize() })).result.status).toBe('success')
  for (const asked of slow) asked.destroy()
  await waitFor(async () => (await stranger()).status === 401)
})
