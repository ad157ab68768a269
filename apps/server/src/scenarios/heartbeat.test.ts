import { once } from 'node:events'
import { waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { keyOf, startTestPlatform, type TestPlatform } from '../testing/test-platform.ts'
import { createMovableClock } from './test-clock.ts'

const beatMs = 20_000

/** A socket of Ada's that answers pings, or does not. */
async function connect(server: TestPlatform, autoPong: boolean) {
  const { body } = await server.ask<{ session_id: string }>('POST', '/sessions', { json: {} })
  const address = `${server.url.replace('http', 'ws')}/ws/chat/${body.session_id}`
  const socket = new WebSocket(address, { autoPong, headers: { 'x-api-key': keyOf('ada') } })
  let pings = 0
  socket.on('ping', () => (pings += 1))
  await once(socket, 'message')
  return { socket, pings: () => pings, [Symbol.dispose]: () => socket.terminate() }
}

test('a socket is asked every 20 seconds whether it is there, and stays as long as it answers [D17.7]', async () => {
  const clock = createMovableClock()
  await using server = await startTestPlatform({ clock })
  using client = await connect(server, true)
  for (let beat = 1; beat <= 5; beat += 1) {
    clock.advance(beatMs - 1_000)
    expect(client.pings()).toBe(beat - 1)
    clock.advance(1_000)
    await waitFor(() => client.pings() === beat, { what: `ping ${beat}` })
    // The answer is there before the next beat: it comes on the same connection as this one.
    client.socket.send('{"type":"ping"}')
    await once(client.socket, 'message')
  }
  expect(client.socket.readyState).toBe(WebSocket.OPEN)
})

test('one that misses two is closed, and nothing of it stays [D17.7] [D17.6]', async () => {
  const clock = createMovableClock()
  await using server = await startTestPlatform({ clock })
  using client = await connect(server, false)
  const closed = once(client.socket, 'close')
  for (let beat = 1; beat <= 2; beat += 1) {
    clock.advance(beatMs)
    await waitFor(() => client.pings() === beat, { what: `ping ${beat}` })
  }
  expect(client.socket.readyState).toBe(WebSocket.OPEN)
  clock.advance(beatMs)
  await closed
  const { body } = await server.ask<string>('GET', '/metrics', { as: 'operator' })
  expect(body).toMatch(/dataagent_sockets_open\{[^}]*\} 0/)
})
