import { once } from 'node:events'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createSecret } from '@dataagent/schema'
import { expect, test } from 'vitest'
import { createMovableClock, type MovableClock } from '../scenarios/test-clock.ts'
import {
  keyOf,
  startTestPlatform,
  type TestPlatform,
  type TestPlatformOptions,
} from '../testing/test-platform.ts'
import { openTestSocket, type TestSocket } from '../testing/test-socket.ts'

const beatMs = 20_000

async function setUp(options: TestPlatformOptions = {}, key = keyOf('ada')) {
  await using cleanup = new AsyncDisposableStack()
  const clock = createMovableClock()
  const server = cleanup.use(await startTestPlatform({ ...options, clock }))
  const headers = { 'x-api-key': key }
  const ask = (method: string, path: string, json?: object) =>
    server.ask<{ session_id: string }>(method, path, { as: null, headers, json })
  const { session_id } = (await ask('POST', '/sessions', {})).body
  const socket = cleanup.use(openTestSocket({ url: server.url, session_id, headers }))
  await socket.next('connected')
  const moved = cleanup.move()
  const end = () => moved.disposeAsync()
  return { clock, server, ask, session_id, socket, [Symbol.asyncDispose]: end }
}

/** Makes it time for the next heartbeat; resolves when the server has heard the answer to it. */
async function beat(clock: MovableClock, { socket, ...client }: TestSocket): Promise<void> {
  const pinged = once(socket, 'ping')
  clock.advance(beatMs)
  await pinged
  const from = client.messages.length
  client.send('ping')
  await client.next('pong', from)
}

/** From now on nothing of a session can be written. */
function refuseWrites({ dir }: TestPlatform): void {
  using database = new DatabaseSync(join(dir, 'dataagent.db'))
  database.exec(
    `create trigger refuse before update on sessions begin select raise(abort, 'refused'); end`,
  )
}

test('a session whose activity cannot be written keeps its socket, and is cancelled over HTTP too [D17.7] [D24.1]', async () => {
  await using place = await setUp()
  const { clock, server, ask, session_id, socket } = place
  refuseWrites(server)
  // The activity is written again after a minute.
  for (let beats = 0; beats < 5; beats += 1) {
    await beat(clock, socket)
    const cancelled = await ask('POST', `/chat/${session_id}/cancel`)
    expect(cancelled).toMatchObject({ status: 200, body: { cancelled: false } })
  }
  expect(socket.socket.readyState).toBe(socket.socket.OPEN)
})

test('one whose address has had its tries of keys keeps its socket [D17.7]', async () => {
  const api_keys = [createSecret('tenant=acme;user=ada;role=user;key=short')]
  await using place = await setUp({ config: { api_keys, sign_in_attempts: 1 } }, 'short')
  const { clock, server, ask, socket } = place
  for (const status of [401, 429]) {
    const headers = { 'x-api-key': 'wrong' }
    expect(await server.ask('GET', '/me', { as: null, headers })).toMatchObject({ status })
  }
  for (let beats = 0; beats < 2; beats += 1) {
    await beat(clock, socket)
    expect((await ask('GET', '/me')).status).toBe(429)
  }
  expect(socket.socket.readyState).toBe(socket.socket.OPEN)
})
