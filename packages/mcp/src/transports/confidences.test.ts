import { createCanary, expectNoCanary } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import {
  type SeenRequest,
  sendJson,
  sendStream,
  startHttpServer,
  toEvent,
} from './http/test-http-server.ts'
import { openHttp, toRequest } from './http/test-http-transport.ts'
import { accept, openSse, startSseServer } from './sse/test-sse-server.ts'

/** An error that says back all that came with the request. */
function toEcho({ message, headers, path }: SeenRequest) {
  const base64 = Buffer.from(`as ${headers.authorization}`).toString('base64')
  const data = { headers, path: [path], base64, [`${headers['x-api-key']}`]: 1 }
  const text = `Bearer token refused: ${headers.authorization} (${message.method})`
  return { jsonrpc: '2.0', id: message.id, error: { code: -32000, message: text, data } }
}

const ways = {
  'HTTP with a JSON reply': async () => {
    const server = await startHttpServer((request) => sendJson(request.response, toEcho(request)))
    return { server, open: openHttp }
  },
  'HTTP with an SSE reply': async () => {
    const server = await startHttpServer((request) => {
      sendStream(request.response, toEvent(toEcho(request)))
      request.response.end()
    })
    return { server, open: openHttp }
  },
  'HTTP+SSE': async () => {
    const server = await startSseServer({
      onPost(request, { say }) {
        accept(request)
        say(toEcho(request))
      },
    })
    return { server, open: openSse }
  },
}

describe.each(Object.entries(ways))('a JSON-RPC error over %s', (_, start) => {
  test('does not say back what was sent in confidence', async () => {
    const { server, open } = await start()
    await using _server = server
    const [configured, credential, ofCall] = [createCanary(), createCanary(), createCanary()]
    const authorizer = {
      headers: async () => ({ authorization: credential.header }),
      challenged: async () => {},
    }
    const headers = { 'x-api-key': configured.apiKey }
    await using client = await open({ url: server.url, headers, authorizer })
    const callHeaders = { 'x-user-token': ofCall.apiKey }
    const answer = await client.transport.call(toRequest('ask'), { headers: callHeaders })
    expect(answer).toMatchObject({
      id: 1,
      error: {
        code: -32000,
        message: 'Bearer token refused: *** (ask)',
        data: { headers: { 'x-api-key': '***', 'x-user-token': '***' }, '***': 1 },
      },
    })
    const text = JSON.stringify([answer, client.warnings])
    await expectNoCanary([configured, credential, ofCall], [{ name: 'answer', text }])
  })
})
