import { expect, test } from 'vitest'
import { createClient } from '../client.ts'
import { sendJson, startHttpServer } from '../http/test-http-server.ts'
import { type ChatServerHooks, startChatServer } from '../socket/test-chat-server.ts'
import { toRows } from '../socket/test-session.ts'

const message = { event_type: 'user_message', message_id: 'm1', content: 'hi' } as const
const done = { event_type: 'done', cancelled: false } as const
const place = { session_id: 's1', timestamp: 1 }
const half = { ...place, seq: 2, offset: 0, event_type: 'text', content: 'he', is_final: false }

/** A session whose stream over HTTP ends after half a word. */
async function startBreakingServer(hooks: ChatServerHooks = {}) {
  const sockets = await startChatServer(hooks)
  sockets.append(message)
  const http = await startHttpServer((response, { method, url }) => {
    const { log } = sockets
    if (method === 'GET') {
      const after = Number(new URL(url, 'http://a').searchParams.get('after_seq'))
      const [next] = log.slice(after)
      const page = { events: next ? [next] : [], head: log.length, more: after + 1 < log.length }
      return sendJson(response, 200, page)
    }
    if (!url.endsWith('stream=true'))
      return sendJson(response, 200, { session_id: 's1', events: log.slice(0, 1) })
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const event of [log[0], half]) response.write(`data: ${JSON.stringify(event)}\n\n`)
    response.end()
  })
  const toHttp = (url: string) => url.replace(sockets.baseUrl, http.baseUrl)
  const client = createClient({
    ...{ baseUrl: sockets.baseUrl, fetch: (url, init) => fetch(toHttp(`${url}`), init) },
  })
  const read = async (options?: { signal: AbortSignal }) => {
    const events = []
    for await (const event of client.chat.stream({ message: 'hi' }, options)) events.push(event)
    return events
  }
  const disposable = new AsyncDisposableStack()
  disposable.use(sockets)
  disposable.use(http)
  return { sockets, client, read, [Symbol.asyncDispose]: () => disposable.disposeAsync() }
}

/** Goes on with the turn once somebody reads it. */
async function startResumingServer() {
  const server = await startBreakingServer({
    onMessage(_connection, { type }) {
      if (type === 'resume') setImmediate(goOn)
      return false
    },
  })
  const goOn = async () => {
    await server.sockets.say(['hello', ' there'], true)
    server.sockets.append(done)
    server.sockets.append(message)
  }
  return server
}

test('an answer without the end of its turn is completed from the log', async () => {
  await using server = await startResumingServer()
  const { events } = await server.client.chat.send({ message: 'hi' })
  expect(events).toEqual(server.sockets.log.slice(0, 3))
})

test('a stream that breaks off goes on at the letter where it was', async () => {
  await using server = await startResumingServer()
  expect(toRows(await server.read())).toEqual(server.sockets.log.slice(0, 3))
  expect(server.sockets.connections[0]?.received[0]).toEqual({
    ...{ type: 'resume', payload: { seq: 2, offset: 2 } },
  })
})

test('a turn that its session does not go on with throws', async () => {
  await using server = await startBreakingServer({
    onOpen({ tell }) {
      tell({ event_type: 'connected', session_id: 's1', seq: 1, status: 'idle' })
      return true
    },
  })
  await expect(server.read()).rejects.toMatchObject({ error_code: 'network_failed' })
})

test('a signal ends the reading on', async () => {
  const leaving = new AbortController()
  await using server = await startBreakingServer({
    onOpen() {
      leaving.abort(new Error('left'))
      return true
    },
  })
  await expect(server.read({ signal: leaving.signal })).rejects.toThrow('left')
})
