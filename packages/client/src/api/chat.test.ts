import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { createClient } from '../client.ts'
import { sendJson, startHttpServer } from '../http/test-http-server.ts'

const place = { session_id: 's1', timestamp: 1 }
const text = { ...place, seq: 2, offset: 0, event_type: 'text', content: '订单 😀', is_final: true }
const done = { ...place, seq: 3, event_type: 'done', cancelled: false }
const newer = { ...place, seq: 4, event_type: 'from_tomorrow' }

const toFrame = (message: object) => `id: 1\r\ndata: ${JSON.stringify(message)}\r\n\r\n`

/** Every byte by itself. */
async function sendBytes(response: ServerResponse, body: string): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const byte of Buffer.from(body)) {
    response.write(Buffer.of(byte))
    await new Promise(setImmediate)
  }
  response.end()
}

async function collect(stream: AsyncIterable<unknown>): Promise<unknown[]> {
  const events: unknown[] = []
  for await (const event of stream) events.push(event)
  return events
}

test('the events of a turn come one by one up to its end, however they are cut', async () => {
  const pong = { event_type: 'pong', timestamp: 1 }
  const frames = [newer, pong, text, done, text].map(toFrame).join(': still there\n\n')
  await using server = await startHttpServer((response) => sendBytes(response, frames))
  const stream = createClient(server).chat.stream({ message: 'hi' })
  expect(await collect(stream)).toEqual([newer, text, done])
  expect(JSON.parse(`${server.requests[0]?.body}`)).toEqual({
    ...{ message: 'hi', message_id: expect.stringMatching(/^[0-9a-f]{32}$/) },
  })
})

test('a stream that breaks off before its first event, and one that was refused, throw', async () => {
  await using server = await startHttpServer(async (response, _request, at) => {
    if (at === 0) return sendBytes(response, '')
    if (at === 1) sendJson(response, 409, { error_code: 'conflict', message: 'It runs.' })
    const refused = { event_type: 'refused', timestamp: 1, error_code: 'forbidden', message: 'No.' }
    if (at === 2) await sendBytes(response, toFrame(refused))
  })
  const { chat } = createClient(server)
  const codes = ['network_failed', 'conflict', 'forbidden']
  for (const error_code of codes)
    await expect(collect(chat.stream({ message: 'hi' }))).rejects.toMatchObject({ error_code })
})

test('a turn that is under way, here or there, is waited for under the same key', async () => {
  await using server = await startHttpServer((response, _request, at) => {
    if (at === 0) return void response.socket?.destroy()
    if (at > 8) return sendJson(response, 200, { session_id: 's1', events: [text, done] })
    response.setHeader('retry-after', '0')
    sendJson(response, 409, { error_code: 'conflict', message: 'It runs.' })
  })
  const { events } = await createClient(server).chat.send({ message: 'hi' })
  expect(events).toEqual([text, done])
  const keys = server.requests.map(({ headers }) => headers['idempotency-key'])
  expect(new Set(keys).size).toBe(1)
  expect(new Set(server.requests.map(({ body }) => body)).size).toBe(1)
})

test('a message that the session had already is not waited for', async () => {
  await using server = await startHttpServer((response) => {
    response.setHeader('retry-after', '0')
    const told = { error_code: 'conflict', message: 'Had.', details: { received: true } }
    sendJson(response, 409, told)
  })
  const sent = createClient(server).chat.send({ message: 'hi' })
  await expect(sent).rejects.toMatchObject({ status: 409, details: { received: true } })
})

test('a signal ends the wait for a busy session', async () => {
  const leaving = new AbortController()
  await using server = await startHttpServer((response, _request, at) => {
    if (at === 5) leaving.abort(new Error('left'))
    response.setHeader('retry-after', '0')
    sendJson(response, 409, { error_code: 'conflict', message: 'It runs.' })
  })
  const sent = createClient(server).chat.send({ message: 'hi' }, { signal: leaving.signal })
  await expect(sent).rejects.toThrow('left')
})

test('whoever leaves the stream closes it', async () => {
  const closed = Promise.withResolvers<void>()
  await using server = await startHttpServer(async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(toFrame(text))
    await once(response, 'close')
    closed.resolve()
  })
  for await (const event of createClient(server).chat.stream({ message: 'hi' })) {
    expect(event).toEqual(text)
    break
  }
  await closed.promise
})

test('a signal ends the stream with its reason', async () => {
  const leaving = new AbortController()
  await using server = await startHttpServer((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(toFrame(text))
  })
  const stream = createClient(server).chat.stream({ message: 'hi' }, { signal: leaving.signal })
  const read = async () => {
    for await (const _event of stream) leaving.abort(new Error('left'))
  }
  await expect(read()).rejects.toThrow('left')
})
