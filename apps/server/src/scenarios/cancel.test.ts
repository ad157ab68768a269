import { lastUserText, type RecordedRequest, waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { keyOf, startTestPlatform, type TestPlatform } from '../testing/test-platform.ts'
import { openTestSocket, type TestSocket } from '../testing/test-socket.ts'

async function openSession(server: TestPlatform) {
  const { body } = await server.ask<{ session_id: string }>('POST', '/sessions', { json: {} })
  const { session_id } = body
  const headers = { 'x-api-key': keyOf('ada') }
  const socket = openTestSocket({ url: server.url, session_id, headers })
  await socket.next('connected')
  return { socket, session_id }
}

/** Begins a run; gives where in the socket's messages it is. */
async function beginRun(socket: TestSocket): Promise<number> {
  const from = socket.messages.length
  socket.send('chat', { message: 'Tell me a story' })
  await socket.next('user_message', from)
  return from
}

/** A socket in whose session a run has begun. */
async function startRun(server: TestPlatform) {
  const session = await openSession(server)
  await beginRun(session.socket)
  return session
}

const slowText = { text: 'Once upon a time. '.repeat(500), itl: 20 }
const silence = { text: 'Late.', ttft: 60_000 }

/** The least that five took: a busy machine only adds to what a cancel takes. */
async function fastest(cancel: () => Promise<number>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < 5; round += 1) times.push(await cancel())
  return Math.min(...times)
}

test.each([
  ['in the middle of a text that is told live [D17.5]', slowText],
  ['while the model is silent', silence],
])(
  'cancel over the socket stops a run within a second %s [D24.1] [D24.2] [D24.3] [D24.5]',
  async (_, reply) => {
    const script = (request: RecordedRequest) =>
      lastUserText(request) === 'Tell me a story' ? reply : 'Next.'
    await using server = await startTestPlatform({ script })
    const { socket } = await openSession(server)
    using _socket = socket
    const cancel = async () => {
      const from = await beginRun(socket)
      if (reply === slowText) await socket.next('text', from)
      else await waitFor(() => server.model.active() === 1)
      const begun = performance.now()
      socket.send('cancel')
      expect(await socket.next('done', from)).toMatchObject({ cancelled: true })
      await waitFor(() => server.model.active() === 0, { what: 'an idle model' })
      return performance.now() - begun
    }
    expect(await fastest(cancel)).toBeLessThan(1_000)
    const from = socket.messages.length
    socket.send('chat', { message: 'And now?' })
    expect(await socket.next('done', from)).toMatchObject({ cancelled: false })
  },
)

test('POST cancel stops it within a second as well, and says whether there was something [D24.4] [D24.5]', async () => {
  await using server = await startTestPlatform({ script: () => silence })
  const { socket, session_id } = await openSession(server)
  using _socket = socket
  const post = () => server.ask('POST', `/chat/${session_id}/cancel`)
  const cancel = async () => {
    const from = await beginRun(socket)
    const begun = performance.now()
    expect(await post()).toMatchObject({ status: 200, body: { session_id, cancelled: true } })
    expect(await socket.next('done', from)).toMatchObject({ cancelled: true })
    return performance.now() - begun
  }
  expect(await fastest(cancel)).toBeLessThan(1_000)
  expect(await post()).toMatchObject({ status: 200, body: { cancelled: false } })
})

test('a cancel right behind its message stops it, whatever it waits for [D24.1] [D24.2]', async () => {
  await using server = await startTestPlatform({ script: () => silence })
  const { socket } = await openSession(server)
  using _socket = socket
  for (let round = 0; round < 3; round += 1) {
    const from = socket.messages.length
    socket.send('chat', { message: 'Tell me a story' })
    socket.send('cancel')
    const isOver = () =>
      socket.messages
        .slice(from)
        .find(({ event_type }) => event_type === 'refused' || event_type === 'done')
    await waitFor(isOver, { what: 'the end of the turn' })
    expect(isOver()).toMatchObject(
      isOver()?.event_type === 'done'
        ? { cancelled: true }
        : { error_code: 'cancelled', in_reply_to: 'chat' },
    )
    await waitFor(() => server.platform.runs.running === 0, { what: 'no turn' })
  }
})

test("another user's run cannot be cancelled", async () => {
  await using server = await startTestPlatform({ script: [silence] })
  const { socket, session_id } = await startRun(server)
  using _socket = socket
  for (const as of ['bob', 'boss', 'zoe'] as const) {
    const { status } = await server.ask('POST', `/chat/${session_id}/cancel`, { as })
    expect(status).toBe(404)
  }
  expect(server.platform.runs.running).toBe(1)
})

test('a cancelled run is recorded as such, and its resources are free [D24.6]', async () => {
  await using server = await startTestPlatform({ script: [silence] })
  const { socket, session_id } = await startRun(server)
  using _socket = socket
  socket.send('cancel')
  await socket.next('done')
  const path = `/sessions/${session_id}/runs`
  const runs = async () => (await server.ask<{ runs: { status: string }[] }>('GET', path)).body.runs
  // Who reads the log has \`done\` before the row is written.
  await waitFor(async () => (await runs())[0]?.status !== 'running', { what: 'the end of the run' })
  expect(await runs()).toMatchObject([{ status: 'cancelled', session_id }])
  expect(server.platform.runs.running).toBe(0)
})

test('a cancel with nothing to cancel is told so', async () => {
  await using server = await startTestPlatform({ script: ['Done.'] })
  const { socket } = await startRun(server)
  using _socket = socket
  await socket.next('done')
  socket.send('cancel')
  expect(await socket.next('refused')).toMatchObject({ in_reply_to: 'cancel' })
})
