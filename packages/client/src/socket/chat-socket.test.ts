import { waitFor } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { createClient } from '../client.ts'
import { startChatServer, type TestChatServer } from './test-chat-server.ts'
import { follow } from './test-session.ts'

const done = { event_type: 'done', cancelled: false } as const

test('a key is the first message; a wrong one closes for good', async () => {
  await using server = await startChatServer({}, 'k1')
  const { socket, reach } = follow({ baseUrl: server.baseUrl, apiKey: 'k1' })
  await reach('live')
  socket.close()
  expect(server.connections[0]?.received.map(({ type }) => type)).toEqual([
    ...['authenticate', 'resume'],
  ])

  const told: string[] = []
  const client = createClient({
    ...{ baseUrl: server.baseUrl, apiKey: 'wrong' },
    onUnauthenticated: ({ message }) => told.push(message),
  })
  const other = client.connect('s1')
  const read = async () => {
    for await (const _event of other) expect.unreachable()
  }
  await expect(read()).rejects.toMatchObject({ error_code: 'closed' })
  expect(other.state).toEqual({ status: 'closed', reason: 'unauthenticated' })
  expect(told).toHaveLength(1)
})

test.each([
  [4401, 'unauthenticated'],
  [4403, 'forbidden'],
  [4404, 'not_found'],
  [1009, 'refused'],
])('the code %i is final: %s', async (code, reason) => {
  await using server = await startChatServer({
    onOpen({ socket }) {
      socket.close(code)
      return true
    },
  })
  const { socket, states, reach } = follow(server)
  const { accepted } = socket.send('hi')
  await reach('closed')
  expect(states.at(-1)).toEqual({ status: 'closed', reason })
  await expect(accepted).rejects.toMatchObject({ error_code: 'closed' })
  await expect(socket.decide('a1', { type: 'approve' })).rejects.toThrow()
  expect(server.connections).toHaveLength(1)
})

test.each([1000, 1001, 1006, 1012, 1013])('after the code %i it comes back', async (code) => {
  await using server = await startChatServer({
    onOpen({ number, socket }) {
      if (number > 0) return false
      if (code === 1006) socket.terminate()
      else socket.close(code)
      return true
    },
  })
  const { socket, states, reach } = follow(server)
  using _ = socket
  await reach('live')
  expect(states.map(({ status }) => status)).toEqual([
    ...['connecting', 'waiting', 'connecting', 'catching_up', 'live'],
  ])
})

test('a server that goes away says for how long', async () => {
  await using server = await startChatServer()
  const { socket, states, reach } = follow(server)
  using _ = socket
  await reach('live')
  server.connections[0]?.tell({ event_type: 'going_away', retry_after_ms: 40 })
  server.connections[0]?.socket.close(1012)
  await reach('live')
  const pauses = states.flatMap((state) => (state.status === 'waiting' ? [state.ms] : []))
  expect(pauses).toHaveLength(1)
  expect(pauses[0]).toBeGreaterThanOrEqual(40)
})

test('a server that no longer answers is left, one that does is not', async () => {
  const pings = [0, 0]
  await using server = await startChatServer({
    onMessage({ number }, { type }) {
      if (type === 'ping') pings[number] = (pings[number] ?? 0) + 1
      return number === 0 && type === 'ping'
    },
  })
  const { socket, reach } = follow(server, { heartbeatMs: 100 })
  using _ = socket
  await reach('live')
  await reach('waiting')
  expect(pings[0]).toBeGreaterThanOrEqual(2)
  await reach('live')
  await waitFor(() => Number(pings[1]) >= 5)
  expect(server.connections).toHaveLength(2)
})

describe('what is refused', () => {
  const refusal = { event_type: 'refused', in_reply_to: 'chat', message: 'No.' } as const

  test('is sent again where it may pass, under the same id', async () => {
    let refusals = 0
    await using server = await startChatServer({
      onMessage({ tell }, { type }) {
        if (type !== 'chat' || refusals === 2) return false
        refusals += 1
        tell({ ...refusal, error_code: 'rate_limited', retry_after_ms: 1 })
        return true
      },
    })
    const { socket } = follow(server)
    using _ = socket
    await socket.send('hi', { message_id: 'm1' }).accepted
    expect(server.log).toMatchObject([{ event_type: 'user_message', message_id: 'm1' }])
  })

  test('else rejects, and the next message is sent', async () => {
    await using server = await startChatServer({
      onMessage({ tell }, message) {
        if (message.type !== 'chat' || message.payload.message === 'good') return false
        tell({ ...refusal, error_code: 'quota_exceeded', retry_after_ms: 1 })
        return true
      },
    })
    const { socket } = follow(server)
    using _ = socket
    const bad = socket.send('bad')
    const good = socket.send('good')
    await expect(bad.accepted).rejects.toMatchObject({ error_code: 'quota_exceeded' })
    await good.accepted
  })

  test('for too much to do rejects when it is said five times', async () => {
    let refusals = 0
    await using server = await startChatServer({
      onMessage({ tell }, { type }) {
        if (type !== 'chat') return false
        refusals += 1
        tell({ ...refusal, error_code: 'unavailable', retry_after_ms: 1 })
        return true
      },
    })
    const { socket } = follow(server)
    using _ = socket
    await expect(socket.send('hi').accepted).rejects.toMatchObject({ error_code: 'unavailable' })
    expect(refusals).toBe(5)
  })

  test('as received already counts as accepted', async () => {
    await using server = await startChatServer({
      onMessage({ tell }, { type }) {
        if (type !== 'chat') return false
        tell({ ...refusal, error_code: 'conflict', details: { received: true } })
        return true
      },
    })
    const { socket } = follow(server)
    using _ = socket
    await socket.send('hi').accepted
  })
})

describe('a message to a session that is busy', () => {
  const busy = {
    event_type: 'refused' as const,
    ...{ in_reply_to: 'chat', message: 'It runs.', error_code: 'conflict' },
    details: { busy: true },
  }
  const chatsOf = ({ connections }: TestChatServer) =>
    connections.flatMap(({ received }) => received.filter(({ type }) => type === 'chat'))

  test('waits here for the end of the run that the one before began', async () => {
    await using server = await startChatServer()
    const { socket } = follow(server)
    using _ = socket
    const second = socket.send('first') && socket.send('second')
    await socket.decide('a1', { type: 'approve' })
    await waitFor(() => server.log.length === 2)
    await socket.decide('a2', { type: 'approve' })
    expect(chatsOf(server)).toHaveLength(1)
    server.append(done)
    await second.accepted
    expect(chatsOf(server)).toHaveLength(2)
  })

  test('is sent when the run of another client has ended', async () => {
    let isRunning = true
    await using server = await startChatServer({
      onMessage({ tell }, { type }) {
        if (type !== 'chat' || !isRunning) return false
        isRunning = false
        tell({ ...busy, retry_after_ms: 600_000 })
        setImmediate(() => server.append(done))
        return true
      },
    })
    const { socket } = follow(server)
    using _ = socket
    await socket.send('hi', { message_id: 'm1' }).accepted
    expect(server.log).toMatchObject([{ event_type: 'done' }, { message_id: 'm1' }])
  })

  test('is tried again as often as it takes where no end is told', async () => {
    let refusals = 0
    await using server = await startChatServer({
      onMessage({ tell }, { type }) {
        if (type !== 'chat' || refusals === 9) return false
        refusals += 1
        tell({ ...busy, retry_after_ms: 1 })
        return true
      },
    })
    const { socket } = follow(server)
    using _ = socket
    await socket.send('hi').accepted
    expect(refusals).toBe(9)
  })

  test('is sent by whoever comes back and finds the run gone without an end', async () => {
    await using server = await startChatServer()
    const { socket } = follow(server)
    using _ = socket
    await socket.send('first').accepted
    const second = socket.send('second')
    server.connections[0]?.socket.terminate()
    await second.accepted
  })

  test('outlasts the cancelling of that run', async () => {
    await using server = await startChatServer({
      onMessage(_connection, { type }) {
        if (type === 'cancel') server.append({ event_type: 'done', cancelled: true })
        return false
      },
    })
    const { socket } = follow(server)
    using _ = socket
    await socket.send('first').accepted
    const second = socket.send('second')
    socket.cancel()
    await second.accepted
    expect(server.log.map(({ event_type }) => event_type)).toEqual([
      ...['user_message', 'done', 'user_message'],
    ])
  })
})

test('a decision does not wait for a message, and carries all that it may', async () => {
  await using server = await startChatServer({
    onMessage: (_connection, { type }) => type === 'chat',
  })
  const { socket } = follow(server)
  using _ = socket
  socket.send('to be taken later')
  const decision = { type: 'approve', message: 'ok', args: { path: 'a' }, scope: 'tool' } as const
  await socket.decide('a1', decision)
  expect(server.log).toMatchObject([
    { event_type: 'approval_decided', approval_id: 'a1', decision },
  ])
})

describe('a run', () => {
  const cancels = (received: { type: string }[] = []) =>
    received.filter(({ type }) => type === 'cancel').length

  test('is cancelled at once, or as soon as the client is back', async () => {
    await using server = await startChatServer()
    const { socket, reach } = follow(server)
    using _ = socket
    socket.cancel()
    await reach('live')
    await waitFor(() => cancels(server.connections[0]?.received) === 1)
    socket.cancel()
    await waitFor(() => cancels(server.connections[0]?.received) === 2)
  })

  test('that has ended meanwhile is not cancelled, nor is the next', async () => {
    await using server = await startChatServer()
    const { socket, reach } = follow(server, {
      onState({ status }) {
        if (status !== 'waiting') return
        socket.cancel()
        server.append(done)
      },
    })
    using _ = socket
    await reach('live')
    server.connections[0]?.socket.terminate()
    await reach('live')
    await socket.send('next').accepted
    expect(cancels(server.connections.flatMap(({ received }) => received))).toBe(0)
  })
})

describe('what is taken back', () => {
  const gone = { error_code: 'cancelled' }
  const textsOf = ({ connections }: TestChatServer) =>
    connections.flatMap(({ received }) =>
      received.flatMap((each) => (each.type === 'chat' ? [each.payload.message] : [])),
    )

  test('before it was sent is never sent', async () => {
    await using server = await startChatServer()
    const { socket } = follow(server)
    using _ = socket
    const first = socket.send('first')
    expect(socket.takeBack(first.message_id)).toBe(true)
    await expect(first.accepted).rejects.toMatchObject(gone)
    await socket.send('second').accepted
    expect(textsOf(server)).toEqual(['second'])
    expect(socket.takeBack(first.message_id)).toBe(false)
  })

  test('on its way is not sent again where it did not arrive', async () => {
    await using server = await startChatServer({
      onMessage({ number, socket: line }, { type }) {
        if (type !== 'chat' || number > 0) return false
        socket.takeBack(first.message_id)
        line.terminate()
        return true
      },
    })
    const { socket, reach } = follow(server)
    using _ = socket
    await reach('live')
    const first = socket.send('first')
    const second = socket.send('second')
    await expect(first.accepted).rejects.toMatchObject(gone)
    await second.accepted
    expect(textsOf(server)).toEqual(['second'])
  })

  test('is not sent again where it was refused for now', async () => {
    await using server = await startChatServer({
      onMessage({ tell }, message) {
        if (message.type !== 'chat' || message.payload.message !== 'first') return false
        expect(socket.takeBack(first.message_id)).toBe(false)
        const refusal = { event_type: 'refused', in_reply_to: 'chat', message: 'No.' } as const
        tell({ ...refusal, error_code: 'unavailable', retry_after_ms: 1 })
        return true
      },
    })
    const { socket, reach } = follow(server)
    using _ = socket
    await reach('live')
    const first = socket.send('first')
    await expect(first.accepted).rejects.toMatchObject(gone)
    await socket.send('second').accepted
    expect(textsOf(server)).toEqual(['second'])
  })

  test('and has arrived counts as sent', async () => {
    await using server = await startChatServer()
    const { socket, reach } = follow(server)
    using _ = socket
    await reach('live')
    const { message_id, accepted } = socket.send('first')
    expect(socket.takeBack(message_id)).toBe(false)
    await accepted
  })
})

test.each([
  ['what cannot be read', '{"event_type":"text"}', 'unreadable'],
  [
    'a log that is shorter than what was seen',
    '{"event_type":"connected","timestamp":1,"session_id":"s1","seq":3,"status":"idle"}',
    'log_reset',
  ],
])('%s closes for good', async (_what, frame, reason) => {
  await using server = await startChatServer({
    onOpen({ socket }) {
      socket.send(frame)
      return true
    },
  })
  const { states, reach } = follow(server, { after: { seq: 9, offset: 0 } })
  await reach('closed')
  expect(states.at(-1)).toEqual({ status: 'closed', reason })
})

test('events can be iterated, by several at once, until the client closes', async () => {
  await using server = await startChatServer()
  const leaving = new AbortController()
  const { socket } = follow(server, { signal: leaving.signal })
  const read = async (max: number) => {
    const seqs: number[] = []
    for await (const { seq } of socket) {
      seqs.push(seq)
      if (seq === max) break
      if (seq === 3) leaving.abort()
    }
    return seqs
  }
  const readers = [read(1), read(4)]
  for (let count = 0; count < 3; count += 1) server.append(done)
  expect(await Promise.all(readers)).toEqual([[1], [1, 2, 3]])
  expect(socket.state).toEqual({ status: 'closed', reason: 'closed_by_client' })
  await waitFor(() => server.connections[0]?.socket.readyState === 3)
})

test('notices are told, also those of a newer server', async () => {
  await using server = await startChatServer({
    onOpen({ tell, socket }) {
      tell({ event_type: 'mcp_servers_changed', server_name: 'a', change: 'added' })
      socket.send('{"event_type":"maintenance","timestamp":1,"at":9}')
      return false
    },
  })
  const notices: string[] = []
  const { socket, reach } = follow(server, {
    onNotice: ({ event_type }) => notices.push(event_type),
  })
  using _ = socket
  await reach('live')
  await waitFor(() => notices.length === 4)
  expect(notices).toEqual(['mcp_servers_changed', 'maintenance', 'connected', 'caught_up'])
})
