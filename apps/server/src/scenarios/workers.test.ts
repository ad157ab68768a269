import type { SentEvent } from '@dataagent/schema'
import { longCount, waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { assertExact, takeTurn } from '../testing/test-turns.ts'
import { startWorkers } from '../testing/test-workers.ts'

const story = { text: 'Once upon a time. '.repeat(20), itl: 5 }
const silence = { text: 'Late.', ttft: 60_000 }

test('a session is the same whichever worker is reached [D23.3]', {
  timeout: 120_000,
}, async () => {
  await using workers = await startWorkers({ script: () => story })
  const client = workers.clientOf('ada')
  const { session_id } = await client.sessions.create({})
  const seen: SentEvent[][] = []
  using cleanup = new DisposableStack()
  // Enough that both workers have some.
  for (let reader = 0; reader < 8; reader += 1) {
    const events: SentEvent[] = []
    seen.push(events)
    cleanup.use(client.connect(session_id, { onEvent: (event) => events.push(event) }))
  }
  const socket = cleanup.use(client.connect(session_id))
  await socket.send('Tell me a story').accepted
  const isDone = (events: SentEvent[]) => events.at(-1)?.event_type === 'done'
  await waitFor(() => seen.every(isDone), { timeoutMs: 60_000, what: 'all readers at the end' })
  for (const events of seen) assertExact(events)
  const { messages } = await client.sessions.messages(session_id)
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
})

test('a run is cancelled through whichever worker [D24.2]', { timeout: 120_000 }, async () => {
  await using workers = await startWorkers({ script: () => silence })
  const client = workers.clientOf('ada')
  for (let round = 0; round < longCount(4, 50); round += 1) {
    const { session_id } = await client.sessions.create({})
    const events: SentEvent[] = []
    using socket = client.connect(session_id, { onEvent: (event) => events.push(event) })
    await socket.send('Hello').accepted
    const begun = performance.now()
    const { cancelled } = await client.chat.cancel(session_id)
    await waitFor(() => events.at(-1)?.event_type === 'done', { timeoutMs: 10_000 })
    expect(cancelled).toBe(true)
    // Five times the second that it may take.
    expect(performance.now() - begun).toBeLessThan(5_000)
    expect(events.at(-1)).toMatchObject({ cancelled: true })
  }
})

test('turns of one session, through both workers at once, lose and mix nothing [D23.4]', {
  timeout: 120_000,
}, async () => {
  await using workers = await startWorkers({ script: () => 'Fine.' })
  const client = workers.clientOf('ada')
  const { session_id } = await client.sessions.create({})
  const turns = longCount(8, 100)
  // One at a time is let in; the others are told that the session is busy, and try again.
  const ask = async (turn: number) => {
    await waitFor(
      () => client.chat.send({ message: `Message ${turn}`, session_id }).then(() => true),
      { timeoutMs: 60_000, intervalMs: 50 },
    )
  }
  await Promise.all(Array.from({ length: turns }, (_, turn) => ask(turn)))
  const { messages, total } = await client.sessions.messages(session_id, { limit: 200 })
  expect(total).toBe(turns * 2)
  const roles = messages.map(({ role }) => role)
  expect(roles).toEqual(Array.from({ length: turns * 2 }, (_, i) => (i % 2 ? 'assistant' : 'user')))
  expect(new Set(messages.map(({ content }) => content)).size).toBe(turns + 1)
})

test('a killed worker takes no run with it, and none runs twice [D23.5]', {
  timeout: longCount(240_000, 1_800_000),
}, async () => {
  await using workers = await startWorkers({ script: () => story, users: 12 })
  for (let kill = 0; kill < longCount(2, 20); kill += 1) {
    const pids = await workers.allReady()
    const turns = Array.from({ length: 12 }, (_, user) =>
      takeTurn(workers.clientOf(user), `Round ${kill}`, AbortSignal.timeout(100_000)),
    )
    await waitFor(() => workers.model.active() >= 6, { timeoutMs: 30_000, what: 'runs under way' })
    process.kill(pids[kill % pids.length] ?? 0, 'SIGKILL')
    for (const { events } of await Promise.all(turns)) {
      const kinds = events.map(({ event_type }) => event_type)
      expect(kinds.filter((kind) => kind === 'user_message')).toHaveLength(1)
      expect(kinds.filter((kind) => kind === 'done')).toHaveLength(1)
    }
  }
})

test('workers that restart one after the other fail no request and lose no event', {
  timeout: longCount(240_000, 1_800_000),
}, async () => {
  await using workers = await startWorkers({
    script: () => ({ text: 'A short answer, in a few words.', itl: 5 }),
    users: 4,
  })
  const failures: unknown[] = []
  let isOver = false
  let taken = 0
  const keepAsking = async (user: number) => {
    const client = workers.clientOf(user)
    while (!isOver) {
      const { events } = await takeTurn(client, 'Hello')
      assertExact(events)
      if (events.some(({ event_type }) => event_type === 'error')) failures.push(events)
      taken += 1
    }
  }
  const load = Promise.all(
    Array.from({ length: 4 }, (_, user) => keepAsking(user).catch((error) => failures.push(error))),
  )
  for (let restart = 0; restart < longCount(2, 20); restart += 1) {
    const pids = await workers.allReady()
    const leaving = pids[restart % pids.length] ?? 0
    process.kill(leaving, 'SIGTERM')
    await waitFor(() => !workers.pids().includes(leaving), { timeoutMs: 60_000, what: 'its end' })
  }
  isOver = true
  await load
  expect(failures).toEqual([])
  expect(taken).toBeGreaterThan(0)
})
