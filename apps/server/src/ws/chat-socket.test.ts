import type { SentEvent } from '@dataagent/schema'
import { waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import {
  keyOf,
  type Person,
  startTestPlatform,
  type TestPlatform,
} from '../testing/test-platform.ts'
import { openTestSocket } from '../testing/test-socket.ts'

async function newSession(server: TestPlatform, as: Person = 'ada'): Promise<string> {
  const { body } = await server.ask<{ session_id: string }>('POST', '/sessions', { as, json: {} })
  return body.session_id
}

function open(server: TestPlatform, session_id: string, as: Person | null = 'ada') {
  const headers: Record<string, string> = as === null ? {} : { 'x-api-key': keyOf(as) }
  return openTestSocket({ url: server.url, session_id, headers })
}

const text = (events: readonly object[]) =>
  (events as SentEvent[])
    .filter(({ event_type }) => event_type === 'text')
    .map((event) => (event as { content: string }).content)
    .join('')

test('a turn goes out live, in order, and ends with done [D17.1] [D17.3] [D17.4] [D17.5]', async () => {
  await using server = await startTestPlatform({ script: [{ text: 'Good morning, Ada.' }] })
  using socket = open(server, await newSession(server))
  await socket.next('connected')
  socket.send('chat', { message: 'Hello' })
  await socket.next('done')
  const events = socket.messages.filter((message) => 'seq' in message && 'run_id' in message)
  expect(events[0]).toMatchObject({ event_type: 'user_message', content: 'Hello', seq: 1 })
  expect(events.at(-1)).toMatchObject({ event_type: 'done', cancelled: false })
  expect(text(events)).toBe('Good morning, Ada.')
  const places = events.map((event) => (event as SentEvent).seq)
  expect(places).toEqual([...places].sort((a, b) => a - b))
})

test("an unknown or another user's session is refused on connect [D17.2] [D32.1]", async () => {
  await using server = await startTestPlatform()
  const adas = await newSession(server)
  for (const [session_id, as] of [
    ['no-such-session', 'ada'],
    [adas, 'bob'],
    [adas, 'boss'],
    [adas, 'zoe'],
  ] as const) {
    using socket = open(server, session_id, as)
    expect(await socket.closed).toMatchObject({ code: 4404 })
    expect(socket.messages).toMatchObject([{ event_type: 'refused', error_code: 'not_found' }])
  }
})

test('the first message may sign in; nothing is said before [D17.2]', async () => {
  await using server = await startTestPlatform()
  const session_id = await newSession(server)
  using socket = open(server, session_id, null)
  await waitFor(() => socket.socket.readyState === socket.socket.OPEN)
  expect(socket.messages).toEqual([])
  socket.send('authenticate', { api_key: keyOf('ada') })
  expect(await socket.next('connected')).toMatchObject({ session_id, seq: 0, status: 'idle' })
})

test.each([
  ['a wrong key', { api_key: 'wrong-key-0123456789abcdef' }],
  ['no key', undefined],
])('%s in the first message closes the socket', async (_, payload) => {
  await using server = await startTestPlatform()
  using socket = open(server, await newSession(server), null)
  await waitFor(() => socket.socket.readyState === socket.socket.OPEN)
  socket.send(payload ? 'authenticate' : 'ping', payload)
  expect(await socket.closed).toMatchObject({ code: 4401 })
})

test('a key in the address is refused, and not logged [T44]', async () => {
  await using server = await startTestPlatform()
  const session_id = await newSession(server)
  using socket = openTestSocket({
    url: server.url,
    session_id: `${session_id}?api_key=${keyOf('ada')}`,
  })
  await socket.closed
  expect(socket.messages).toEqual([])
  expect(JSON.stringify(server.records)).not.toContain(keyOf('ada'))
})

test('an auditor does not chat', async () => {
  await using server = await startTestPlatform()
  using socket = open(server, 'any', 'eve')
  expect(await socket.closed).toMatchObject({ code: 4403 })
})

test('a page of another origin cannot open a socket [T28, T44]', async () => {
  await using server = await startTestPlatform()
  const headers = { origin: 'https://evil.example', 'x-api-key': keyOf('ada') }
  using socket = openTestSocket({ url: server.url, session_id: 'any', headers })
  await socket.closed
  expect(socket.messages).toEqual([])
})

test.each(['{', '[]', '{"type":"dance"}', '{"type":"chat","payload":{"message":""}}'])(
  'the message %s is refused and the socket stays',
  async (frame) => {
    await using server = await startTestPlatform()
    using socket = open(server, await newSession(server))
    await socket.next('connected')
    socket.sendRaw(frame)
    expect(await socket.next('refused')).toHaveProperty('error_code')
    socket.send('ping')
    await socket.next('pong')
  },
)

test('a reconnect with its point gets the rest, once and in order [D17.4]', async () => {
  await using server = await startTestPlatform({ script: [{ text: 'One two three.' }] })
  const session_id = await newSession(server)
  using first = open(server, session_id)
  await first.next('connected')
  first.send('chat', { message: 'Count' })
  await first.next('done')
  first.cut()
  using second = open(server, session_id)
  await second.next('connected')
  second.send('resume', { seq: 1, offset: 0 })
  expect(await second.next('caught_up')).toHaveProperty('seq')
  const rest = second.messages.filter((message) => 'run_id' in message) as SentEvent[]
  expect(rest[0]?.seq).toBe(2)
  expect(text(rest)).toBe('One two three.')
  expect(rest.at(-1)?.event_type).toBe('done')
})

test('a second socket follows the same run from the middle', async () => {
  const words = 'A long answer, told slowly. '.repeat(20)
  await using server = await startTestPlatform({
    script: [{ text: words, itl: 5 }],
  })
  const session_id = await newSession(server)
  using first = open(server, session_id)
  await first.next('connected')
  first.send('chat', { message: 'Tell' })
  await first.next('text')
  using second = open(server, session_id)
  await second.next('connected')
  second.send('resume', { seq: 0, offset: 0 })
  await second.next('done')
  await first.next('done')
  expect(text(second.messages)).toBe(words)
  expect(text(first.messages)).toBe(words)
})

test('a message that is sent again counts once', async () => {
  await using server = await startTestPlatform({ script: [{ text: 'Once.' }] })
  using socket = open(server, await newSession(server))
  await socket.next('connected')
  const payload = { message: 'Hello', message_id: 'message-1' }
  socket.send('chat', payload)
  await socket.next('done')
  socket.send('chat', payload)
  expect(await socket.next('refused')).toMatchObject({
    error_code: 'conflict',
    in_reply_to: 'chat',
  })
  expect(server.model.requests).toHaveLength(1)
})
