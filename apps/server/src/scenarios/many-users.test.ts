import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SentEvent } from '@dataagent/schema'
import {
  lastUserText,
  longCount,
  type RecordedRequest,
  toolRounds,
  waitFor,
} from '@dataagent/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keyOf } from '../testing/test-platform.ts'
import { openTestSocket } from '../testing/test-socket.ts'
import { assertExact, type SeenTurn, takeTurn } from '../testing/test-turns.ts'
import { startWorkers, type TestWorkers } from '../testing/test-workers.ts'

/** Two rounds of a tool, then the answer. */
function twoRounds(request: RecordedRequest) {
  if (toolRounds(request) >= 2) return { text: 'All is written down.', itl: 2 }
  const path = `files/note-${toolRounds(request)}.txt`
  return { toolCalls: [{ name: 'write_file', arguments: { path, content: 'A note.' } }] }
}

/** The value below which that share of the numbers lies. */
function quantile(numbers: readonly number[], share: number): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

const users = 100
/** Of them: who writes notes; the others ask and are answered. */
const writers = longCount(25, users)

describe('many users', () => {
  let server: TestWorkers
  beforeAll(async () => {
    const env = { DATAAGENT_WS_MAX_SOCKETS_PER_USER: '2000' }
    const script = (request: RecordedRequest) =>
      lastUserText(request) === 'Write notes' ? twoRounds(request) : 'Yes.'
    server = await startWorkers({ workers: 1, users, script, env })
  })
  afterAll(() => server[Symbol.asyncDispose]())

  const takeTurns = (count: number, messageOf: (user: number) => string) =>
    Promise.all(
      Array.from({ length: count }, (_, user) =>
        takeTurn(server.clientOf(user), messageOf(user), AbortSignal.timeout(200_000)),
      ),
    )
  const askOnly = () => 'Ready?'
  const timesOf = (turns: readonly SeenTurn[]) => turns.map(({ ms }) => ms)

  test(`${users} at once take a turn, ${writers} with two rounds of tools, and nobody starves [D23.1] [D23.4]`, {
    timeout: 300_000,
  }, async () => {
    const isWriter = (user: number) => user < writers
    const turns = await takeTurns(users, (user) => (isWriter(user) ? 'Write notes' : 'Ready?'))
    for (const [user, { events }] of turns.entries()) {
      assertExact(events)
      const results = events.filter(({ event_type }) => event_type === 'tool_result')
      expect(results.map((event) => (event as { status?: string }).status)).toEqual(
        isWriter(user) ? ['success', 'success'] : [],
      )
      expect(events.at(-1)).toMatchObject({ event_type: 'done', cancelled: false })
    }
    const times = timesOf(turns)
    // All begin at once, so the last one waits for the work of all; nobody waits for much more.
    expect(quantile(times, 0.99)).toBeLessThan(5 * quantile(times, 0.5))
  })

  const idle = longCount(100, 1_000)

  test(`${idle} sockets that only listen get nothing, and cost those little who talk [D23.2] [F23]`, {
    timeout: 300_000,
  }, async () => {
    const active = longCount(20, 100)
    const without = quantile(timesOf(await takeTurns(active, askOnly)), 0.5)
    const { session_id } = await server.clientOf('ada').sessions.create({})
    const headers = { 'x-api-key': keyOf('ada') }
    using cleanup = new DisposableStack()
    const memory = memoryOf(server)
    const sockets = Array.from({ length: idle }, () =>
      cleanup.use(openTestSocket({ url: server.url, session_id, headers })),
    )
    for (const socket of sockets) await socket.next('caught_up')
    const frames = () => sockets.map(({ messages }) => messages.length)
    const before = frames()
    let least = Number.POSITIVE_INFINITY
    // A moment in which the machine has other work does not count.
    for (let round = 0; round < 4 && least >= 3 * without; round += 1) {
      const turns = await takeTurns(active, askOnly)
      for (const { events } of turns) assertExact(events)
      least = Math.min(least, quantile(timesOf(turns), 0.5))
    }
    expect(frames()).toEqual(before)
    expect(sockets.every(({ socket }) => socket.readyState === WebSocket.OPEN)).toBe(true)
    expect(least).toBeLessThan(3 * without)
    // A tenth of a mebibyte each, and what the turns took.
    expect(memoryOf(server) - memory).toBeLessThan(idle * 0.1 + 100)
  })
})

const patient = (request: RecordedRequest) =>
  lastUserText(request) === 'Wait'
    ? { text: 'Late.', ttft: 120_000 }
    : { text: 'In time.', ttft: 100 }

const forMs = longCount(3_000, 30_000)

test(`with ten times more to do than it can, for ${forMs / 1_000} s, it says so early, goes on with what it has, and hears a cancel [D23.6] [D24.5] [F29]`, {
  timeout: 300_000,
}, async () => {
  const places = 6
  const crowd = places * 10
  const env = { DATAAGENT_MAX_RUNNING_TURNS: '8', DATAAGENT_MAX_WAITING_TURNS: '8' }
  await using server = await startWorkers({
    ...{ workers: 1, users: crowd, env, script: patient },
  })
  const sessions: string[] = []
  for (let user = 0; user < crowd; user += 1)
    sessions.push((await server.clientOf(user).sessions.create({})).session_id)
  const calm = await press(server, sessions.slice(0, places), forMs)

  using cleanup = new DisposableStack()
  const waiting = await Promise.all([0, 1, 2, 3, 4].map(() => beginToWait(server, cleanup)))
  const health = watchHealth(server)
  const pressing = press(server, sessions, forMs)
  const cancels: number[] = []
  for (const cancel of waiting) {
    await sleep(forMs / 6)
    cancels.push(await cancel())
  }
  const { done, refused } = await pressing
  const slowest = await health.stop()
  console.info(
    `calm ${calm.done} turns, crowd ${done} and ${refused.length} refused; health ${slowest} ms, cancels ${cancels.join(', ')} ms`,
  )
  expect(refused.length).toBeGreaterThan(0)
  for (const retryAfter of refused) expect(Number(retryAfter)).toBeGreaterThan(0)
  expect(done).toBeGreaterThan(calm.done / 5)
  // More than five times the tenth that a health check may take.
  expect(slowest).toBeLessThan(5_000)
  // What else the machine does only adds to it.
  expect(Math.min(...cancels)).toBeLessThan(1_000)
})

/** Each takes turns for so long, one after the other, and is back soon when refused. */
async function press(server: TestWorkers, sessions: readonly string[], forMs: number) {
  const until = performance.now() + forMs
  let done = 0
  const refused: (string | null)[] = []
  const work = async (session_id: string, user: number) => {
    while (performance.now() < until) {
      const { status, headers } = await post(server, user, session_id)
      if (status === 200) done += 1
      else if (status === 503) refused.push(headers.get('retry-after'))
      else throw new Error(`answered ${status}`)
      if (status === 503) await sleep(100)
    }
  }
  await Promise.all(sessions.map(work))
  return { done, refused }
}

/** A turn that waits for its model; gives what cancels it and says how long that took. */
async function beginToWait(server: TestWorkers, cleanup: DisposableStack) {
  const client = server.clientOf('boss')
  const { session_id } = await client.sessions.create({})
  const ended = Promise.withResolvers<void>()
  const socket = cleanup.use(
    client.connect(session_id, {
      onEvent: ({ event_type }) => event_type === 'done' && ended.resolve(),
    }),
  )
  await socket.send('Wait').accepted
  return async () => {
    const begun = performance.now()
    await client.chat.cancel(session_id)
    await ended.promise
    return Math.round(performance.now() - begun)
  }
}

/** Without the client: it would try again by itself. */
function post({ url }: TestWorkers, user: number, session_id: string): Promise<Response> {
  const headers = {
    'x-api-key': `key-of-user-${user}-0123456789abcdef`,
    'content-type': 'application/json',
  }
  const body = JSON.stringify({ message: 'Now', session_id })
  return fetch(`${url}/api/v1/chat`, { method: 'POST', headers, body })
}

/** The longest that health has taken. */
function watchHealth({ url }: TestWorkers) {
  let slowest = 0
  let isOver = false
  const look = async () => {
    while (!isOver) {
      const begun = performance.now()
      const { ok } = await fetch(`${url}/api/v1/health`, { headers: { connection: 'close' } })
      if (!ok) throw new Error('health was refused')
      slowest = Math.max(slowest, Math.round(performance.now() - begun))
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  const looking = look()
  return {
    async stop() {
      isOver = true
      await looking
      return slowest
    },
  }
}

const stuck = longCount(20, 200)

test(`${stuck} readers that do not read cost bounded memory and hold up nobody [F24]`, {
  timeout: 300_000,
}, async () => {
  const long = { text: 'A long answer. '.repeat(10_000), itl: 0 }
  const env = { DATAAGENT_WS_MAX_SOCKETS_PER_USER: '2000' }
  await using server = await startWorkers({ workers: 1, script: () => long, env })
  const client = server.clientOf('ada')
  const { session_id } = await client.sessions.create({})
  const headers = { 'x-api-key': keyOf('ada') }
  using cleanup = new DisposableStack()
  const sockets = Array.from({ length: stuck }, () =>
    cleanup.use(openTestSocket({ url: server.url, session_id, headers })),
  )
  for (const socket of sockets) {
    await socket.next('connected')
    socket.socket.pause()
  }
  const before = memoryOf(server)
  const events: SentEvent[] = []
  const reader = cleanup.use(client.connect(session_id, { onEvent: (event) => events.push(event) }))
  for (let turn = 0; turn < longCount(4, 40); turn += 1) {
    const from = events.length
    await reader.send('Go on').accepted
    const isOver = () => events.slice(from).some(({ event_type }) => event_type === 'done')
    await waitFor(isOver, { timeoutMs: 60_000, what: 'the end of a turn' })
  }
  assertExact(events)
  // Each holds at most a mebibyte, and what the kernel takes.
  expect(memoryOf(server) - before).toBeLessThan(stuck * 2 + 300)
})

/** Resident mebibytes of the server. */
function memoryOf({ server }: TestWorkers): number {
  const status = readFileSync(`/proc/${server.process.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
}
