import { longCount, waitFor } from '@dataagent/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { startChatServer, type TestChatServer } from './test-chat-server.ts'
import { follow, toRows } from './test-session.ts'

/** Where a connection ends: after so many frames, or at a message, which is read or is lost. */
const cut = fc.record({
  afterFrames: fc.option(fc.nat(12), { nil: undefined }),
  atMessage: fc.option(fc.nat(4), { nil: undefined }),
  isRead: fc.boolean(),
})
const turns = fc.array(fc.array(fc.string({ maxLength: 4 }), { minLength: 1, maxLength: 4 }), {
  ...{ minLength: 1, maxLength: 4 },
})

type Cut = typeof cut extends fc.Arbitrary<infer C> ? C : never

/** Answers each message with a turn, frame by frame, while connections break as planned. */
async function startBrittleServer(cuts: readonly Cut[], answers: readonly string[][]) {
  let turn = 0
  let answering = Promise.resolve()
  const counts: number[] = []
  const server: TestChatServer = await startChatServer({
    onSent({ number, socket }, count) {
      if (cuts[number]?.afterFrames === count) socket.terminate()
    },
    onMessage({ number, socket }, message) {
      const at = counts[number] ?? 0
      counts[number] = at + 1
      const isCut = cuts[number]?.atMessage === at
      if (isCut) setImmediate(() => socket.terminate())
      const isLost = isCut && !cuts[number]?.isRead
      if (!isLost && message.type === 'chat') answering = answering.then(answerNext)
      return isLost
    },
  })
  async function answerNext() {
    await new Promise(setImmediate)
    const pieces = answers[turn] ?? []
    turn += 1
    const call = { tool_name: 't', tool_args: {}, tool_call_id: 'c1' }
    server.append({ event_type: 'tool_call', ...call })
    await server.say(pieces, true)
    server.append({ event_type: 'done', cancelled: false })
  }
  return server
}

test('cut anywhere, a client has every event once and in order, and sends nothing twice', async () => {
  const exact = fc.asyncProperty(fc.array(cut, { maxLength: 6 }), turns, async (cuts, answers) => {
    await using server = await startBrittleServer(cuts, answers)
    const { socket, events } = follow(server)
    using _ = socket
    const sent = answers.map((_pieces, at) => socket.send(`message ${at}`))
    await Promise.all(sent.map(({ accepted }) => accepted))
    const ends = () => events.filter(({ event_type }) => event_type === 'done')
    await waitFor(() => ends().length === answers.length)

    expect(toRows(events)).toEqual(server.log)
    const heard = server.connections.flatMap(({ received }) => received)
    const chats = heard.flatMap((message) => (message.type === 'chat' ? [message.payload] : []))
    expect(chats.map(({ message_id }) => message_id)).toEqual(
      sent.map(({ message_id }) => message_id),
    )
  })
  await fc.assert(exact, { numRuns: longCount(40, 3_000) })
})

test('a client goes on where another was', async () => {
  await using server = await startChatServer()
  server.append({ event_type: 'user_message', message_id: 'm1', content: 'hi' })
  await server.say(['hello ', 'there'], true)
  const { socket, events, reach } = follow(server, { after: { seq: 2, offset: 6 } })
  using _ = socket
  await reach('live')
  expect(events).toMatchObject([{ seq: 2, offset: 6, content: 'there', is_final: true }])
  expect(socket.point).toEqual({ seq: 2, offset: 11 })
})

test('a client that is cut off within a text asks for the rest of it', async () => {
  await using server = await startChatServer()
  const { socket, events, reach } = follow(server, {
    onState({ status }) {
      if (status === 'waiting') said = server.say(['hello', ' there'], true)
    },
  })
  using _ = socket
  await reach('live')
  let said = Promise.resolve()
  const first = { event_type: 'text', content: 'he', is_final: false, timestamp: 1 } as const
  server.connections[0]?.sendEvent({ ...first, session_id: 's1', seq: 1, offset: 0 })
  await waitFor(() => events.length === 1)
  server.connections[0]?.socket.terminate()
  await reach('live')
  await said
  await waitFor(() => socket.point.offset === 11)
  const resumed = { type: 'resume', payload: { seq: 1, offset: 2 } }
  expect(server.connections[1]?.received[0]).toEqual(resumed)
  expect(toRows(events)).toEqual(server.log)
})

test('a gap is noticed, and what is missing asked for', async () => {
  await using server = await startChatServer()
  const { socket, events, reach } = follow(server)
  using _ = socket
  await reach('live')
  server.append({ event_type: 'user_message', message_id: 'm1', content: 'hi' })
  const [row] = server.log
  for (const seq of [2, 3, 4]) server.log.push({ ...row, seq } as (typeof server.log)[number])
  server.append({ event_type: 'done', cancelled: false })
  await reach('live')
  expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5])
  expect(server.connections[1]?.received[0]).toEqual({
    ...{ type: 'resume', payload: { seq: 1, offset: 0 } },
  })
})
