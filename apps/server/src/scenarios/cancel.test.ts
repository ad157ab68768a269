import { waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { keyOf, startTestPlatform, type TestPlatform } from '../testing/test-platform.ts'
import { openTestSocket } from '../testing/test-socket.ts'

/** A socket in whose session a run has begun that says `text` slowly, or nothing for long. */
async function startRun(server: TestPlatform) {
  const { body } = await server.ask<{ session_id: string }>('POST', '/sessions', { json: {} })
  const { session_id } = body
  const headers = { 'x-api-key': keyOf('ada') }
  const socket = openTestSocket({ url: server.url, session_id, headers })
  await socket.next('connected')
  socket.send('chat', { message: 'Tell me a story' })
  await socket.next('user_message')
  return { socket, session_id }
}

const slowText = { text: 'Once upon a time. '.repeat(500), itl: 20 }
const silence = { text: 'Late.', ttft: 60_000 }
/** Five times the second that a cancel may take. */
const roomMs = 5_000

test.each([
  ['in the middle of a text', slowText],
  ['while the model is silent', silence],
])('cancel over the socket stops a run %s [D24.1] [D24.3] [D24.4]', async (_, reply) => {
  await using server = await startTestPlatform({ script: [reply, { text: 'Next.' }] })
  const { socket } = await startRun(server)
  using _socket = socket
  if (reply === slowText) await socket.next('text')
  else await waitFor(() => server.model.active() === 1)
  const begun = performance.now()
  socket.send('cancel')
  expect(await socket.next('done')).toMatchObject({ cancelled: true })
  expect(performance.now() - begun).toBeLessThan(roomMs)
  const from = socket.messages.length
  socket.send('chat', { message: 'And now?' })
  expect(await socket.next('done', from)).toMatchObject({ cancelled: false })
  expect(server.model.active()).toBe(0)
})

test('POST cancel stops it as well, and says whether there was something [D24.2] [D24.5]', async () => {
  await using server = await startTestPlatform({ script: [silence] })
  const { socket, session_id } = await startRun(server)
  using _socket = socket
  const begun = performance.now()
  const first = await server.ask('POST', `/chat/${session_id}/cancel`)
  expect(performance.now() - begun).toBeLessThan(roomMs)
  expect(first).toMatchObject({ status: 200, body: { session_id, cancelled: true } })
  expect(await socket.next('done')).toMatchObject({ cancelled: true })
  const second = await server.ask('POST', `/chat/${session_id}/cancel`)
  expect(second).toMatchObject({ status: 200, body: { cancelled: false } })
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
  const { body } = await server.ask<{ runs: object[] }>('GET', `/sessions/${session_id}/runs`)
  expect(body.runs).toMatchObject([{ status: 'cancelled', session_id }])
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
