import { once } from 'node:events'
import type { Socket } from 'node:net'
import { longCount, waitFor } from '@dataagent/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  keyOf,
  type Person,
  startTestPlatform,
  type TestPlatform,
} from '../testing/test-platform.ts'
import { openTestSocket } from '../testing/test-socket.ts'
import { createMovableClock } from './test-clock.ts'

const clock = createMovableClock()
let server: TestPlatform
let sessions: Record<'ada' | 'bob', string>
beforeAll(async () => {
  const config = { max_connections: 2_000, ws_max_sockets_per_user: 3 }
  server = await startTestPlatform({ config, clock })
  const begin = async (as: Person) =>
    String((await server.ask('POST', '/sessions', { as, json: {} })).body.session_id)
  sessions = { ada: await begin('ada'), bob: await begin('bob') }
})
afterAll(() => server[Symbol.asyncDispose]())

function open(as: 'ada' | 'bob' = 'ada') {
  const headers = { 'x-api-key': keyOf(as) }
  return openTestSocket({ url: server.url, session_id: sessions[as], headers })
}

const openStranger = () => openTestSocket({ url: server.url, session_id: sessions.ada })

async function expectServed(as: 'ada' | 'bob' = 'bob'): Promise<void> {
  using other = open(as)
  await other.next('connected')
  other.send('ping')
  await other.next('pong')
}

/** The connection below a socket, to send what no client would. */
const wireOf = ({ socket }: ReturnType<typeof open>) =>
  (socket as unknown as { _socket: Socket })._socket

/** The head of a masked text frame that says how long it is. */
function headOf(bytes: number): Buffer {
  const head = Buffer.alloc(14)
  head[0] = 0x81
  head[1] = 0x80 | 127
  head.writeBigUInt64BE(BigInt(bytes), 2)
  return head
}

describe('a frame', () => {
  test('that says it has 100 MB ends its socket before any of it comes [T45]', async () => {
    using socket = open()
    await socket.next('connected')
    wireOf(socket).write(headOf(100_000_000))
    expect((await socket.closed).code).toBe(1009)
    await expectServed()
  })

  test('in parts that together are over 1 MiB ends it too, and none is compressed [T45]', async () => {
    using socket = open()
    await socket.next('connected')
    expect(socket.socket.extensions).toBe('')
    for (let part = 0; part < 5; part += 1) {
      socket.socket.send('x'.repeat(300_000), { fin: false })
    }
    expect((await socket.closed).code).toBe(1009)
  })

  test('that is no text ends it', async () => {
    using socket = open()
    await socket.next('connected')
    socket.sendRaw(Buffer.from('ping'))
    expect((await socket.closed).code).toBe(1003)
  })
})

test(`${longCount(1_000, 100_000)} messages at once end their socket, and others are served [T45]`, async () => {
  using socket = open()
  await socket.next('connected')
  for (let sent = 0; sent < longCount(1_000, 100_000); sent += 1) socket.send('ping')
  expect(await socket.closed).toMatchObject({ code: 1008, reason: 'too many messages' })
  expect(socket.messages.filter(({ event_type }) => event_type === 'pong').length).toBeLessThan(300)
  await expectServed('ada')
  await expectServed('bob')
})

const opened = longCount(50, 1_000)

test(`of ${opened} sockets at once one user has so many, others theirs, and one that closes makes room [T45]`, async () => {
  await using cleanup = new AsyncDisposableStack()
  const all = Array.from({ length: opened }, () => cleanup.use(open()))
  const outcomes = await Promise.all(
    all.map(async (socket) => {
      const outcome = await socket.next('connected').then(
        () => 'connected',
        async () => (await socket.closed).code,
      )
      return { socket, outcome }
    }),
  )
  const connected = outcomes.filter(({ outcome }) => outcome === 'connected')
  expect(connected).toHaveLength(3)
  expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(['connected', 1013]))
  const [refused] = outcomes.filter(({ outcome }) => outcome !== 'connected')
  expect(refused?.socket.messages).toMatchObject([
    { event_type: 'refused', details: { limit: 'ws_max_sockets_per_user', max: 3 } },
  ])
  await expectServed()
  connected[0]?.socket.cut()
  await waitFor(() =>
    expectServed('ada').then(
      () => true,
      () => false,
    ),
  )
})

describe('who has not said who they are', () => {
  test('has so many sockets of one address, each for ten seconds; who has a key gets in [T45]', async () => {
    await using cleanup = new AsyncDisposableStack()
    const all = Array.from({ length: 300 }, () => cleanup.use(openStranger()))
    const codes: number[] = []
    for (const { closed } of all) void closed.then(({ code }) => codes.push(code))
    await waitFor(() => codes.length === 100)
    expect(new Set(codes)).toEqual(new Set([1013]))
    await expectServed()
    clock.advance(10_000)
    await waitFor(() => codes.length === 300)
    expect(codes.slice(100)).toEqual(Array.from({ length: 200 }, () => 4401))
    using later = openStranger()
    await once(later.socket, 'open')
    later.send('authenticate', { api_key: keyOf('ada') })
    await later.next('connected')
  })

  test('says little before that', async () => {
    using socket = openStranger()
    await once(socket.socket, 'open')
    socket.sendRaw('x'.repeat(300_000))
    const reason = 'too much before signing in'
    expect(await socket.closed).toMatchObject({ code: 1008, reason })
  })
})
