import { expect, test } from 'vitest'
import { createUnderWay } from '../entries/index.ts'
import { openSse } from './test-clients.ts'
import { startTestGateway } from './test-gateway.ts'
import { ask, request, send } from './test-wire.ts'

/** JSON that no text can be made of. */
const textless = { toString: 1, valueOf: 1 }

test('values of the wrong kind are refused on a stream, and the process lives [E5.2]', async () => {
  const { workers, key } = await startTestGateway()
  const [{ url }] = workers
  const sse = await openSse(url, key)
  for (const [id, method] of ['resources/subscribe', 'resources/unsubscribe'].entries()) {
    const { error } = await sse.ask(url, id + 1, method, { uri: textless })
    expect(error?.code).toBe(-32602)
  }
  const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled' }
  const posted = await sse.post(url, { ...cancel, params: { requestId: textless } })
  expect(posted.status).toBe(202)
  expect((await sse.ask(url, 9, 'ping')).result).toEqual({})
})

test.each([
  ['tools/call', { name: textless }],
  ['prompts/get', { name: textless }],
  ['resources/read', { uri: textless }],
  ['logging/setLevel', { level: textless }],
])('%s with a value of the wrong kind is refused as such [E5.2]', async (method, params) => {
  const { workers, key: token, logs } = await startTestGateway()
  const answer = await ask(`${workers[0].url}/mcp`, { token, body: request(1, method, params) })
  expect(answer.error?.code).toBe(-32602)
  expect(logs.filter(({ level }) => level === 'error')).toEqual([])
})

test('a version that is no text is a fault of the envelope [E5.2]', async () => {
  const { workers, key: token } = await startTestGateway()
  const params = { _meta: { 'io.modelcontextprotocol/protocolVersion': textless } }
  const body = { jsonrpc: '2.0', method: 'notifications/x', params }
  const wire = await send(`${workers[0].url}/mcp`, { token, body })
  await wire.ended
  expect([wire.status, wire.messages[0]?.error?.code]).toEqual([400, -32602])
})

test('a cancel of what is no id is nobody’s [E5.2]', async () => {
  const told: unknown[] = []
  const underWay = createUnderWay({
    on: () => {},
    tell: async (message) => void told.push(message),
  })
  const { signal } = underWay.begin('s', 1, new AbortController().signal)
  const mayTell = async () => ({ status: 'ok' }) as const
  for (const id of [textless, 'x'.repeat(1_025)]) await underWay.cancel('s', id, mayTell)
  expect([told, signal.aborted]).toEqual([[], false])
})
