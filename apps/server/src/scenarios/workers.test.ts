import type { SentEvent } from '@dataagent/schema'
import { lastUserText, longCount, type RecordedRequest, waitFor } from '@dataagent/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { assertExact, takeTurn } from '../testing/test-turns.ts'
import { openLines, type WorkerLine } from '../testing/test-worker-lines.ts'
import { startWorkers, type TestWorkers } from '../testing/test-workers.ts'

const story = { text: 'Once upon a time. '.repeat(20), itl: 5 }
const silence = { text: 'Late.', ttft: 60_000 }

/** A story, or nothing for long, or what was said said again. */
function byMessage(request: RecordedRequest) {
  const message = lastUserText(request)
  if (message === 'Tell me a story') return story
  return message === 'Wait' ? silence : `You said: ${message}`
}

describe('two workers', () => {
  const cleanup = new AsyncDisposableStack()
  let workers: TestWorkers
  let lines: [WorkerLine, WorkerLine]
  beforeAll(async () => {
    workers = cleanup.use(await startWorkers({ script: byMessage }))
    lines = await openLines(workers)
    for (const line of lines) cleanup.use(line)
  })
  afterAll(() => cleanup.disposeAsync())

  test('both answer on the one port [D23.3]', async () => {
    const health = () => fetch(`${workers.url}/api/v1/health`, { headers: { connection: 'close' } })
    const served = () =>
      Promise.all(lines.map(({ count }) => count('http_requests_total', 'route="/api/v1/health"')))
    let asked = 0
    await waitFor(
      async () => {
        await Promise.all(Array.from({ length: 40 }, health))
        asked += 40
        return (await served()).every((requests) => requests > 0)
      },
      { timeoutMs: 30_000, what: 'requests that both have answered' },
    )
    const [one = 0, other = 0] = await served()
    expect(one + other).toBe(asked)
  })

  test('one scrape tells of both, each metric described once', async () => {
    const text = (await lines[0]?.ask('GET', '/metrics?workers=all', undefined, 'operator')) ?? ''
    const workersOf = text.match(/^dataagent_turns_running\{worker="\d+"\}/gm) ?? []
    expect(new Set(workersOf).size).toBe(2)
    const described = text.match(/^# TYPE \S+/gm) ?? []
    expect(new Set(described).size).toBe(described.length)
  })

  test('a session is the same whichever is reached [D23.3]', { timeout: 120_000 }, async () => {
    const client = workers.clientOf('ada')
    const { session_id } = await client.sessions.create({})
    const seen: SentEvent[][] = []
    using cleanup = new DisposableStack()
    const read = () => {
      const events: SentEvent[] = []
      seen.push(events)
      cleanup.use(client.connect(session_id, { onEvent: (event) => events.push(event) }))
    }
    await waitFor(
      async () => {
        read()
        const open = await Promise.all(lines.map(({ count }) => count('sockets_open')))
        return seen.length >= 8 && open.every((sockets) => sockets > 0)
      },
      { timeoutMs: 30_000, intervalMs: 50, what: 'readers at both' },
    )
    const socket = cleanup.use(client.connect(session_id))
    await socket.send('Tell me a story').accepted
    const isDone = (events: SentEvent[]) => events.at(-1)?.event_type === 'done'
    await waitFor(() => seen.every(isDone), { timeoutMs: 60_000, what: 'all readers at the end' })
    for (const events of seen) assertExact(events)
    const { messages } = await client.sessions.messages(session_id)
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
  })

  test('a run of one is cancelled through the other within a second [D24.4] [D24.5]', {
    timeout: 120_000,
  }, async () => {
    const client = workers.clientOf('ada')
    const times: number[] = []
    for (let round = 0; round < longCount(5, 50); round += 1) {
      const { session_id } = await client.sessions.create({})
      const events: SentEvent[] = []
      using socket = client.connect(session_id, { onEvent: (event) => events.push(event) })
      await socket.send('Wait').accepted
      const running = await Promise.all(lines.map(({ count }) => count('turns_running')))
      expect(running.toSorted()).toEqual([0, 1])
      const begun = performance.now()
      const answer = await lines[running.indexOf(0)]?.ask('POST', `/chat/${session_id}/cancel`)
      expect(answer).toContain('"cancelled":true')
      await waitFor(() => events.at(-1)?.event_type === 'done', { timeoutMs: 10_000 })
      times.push(performance.now() - begun)
      expect(events.at(-1)).toMatchObject({ cancelled: true })
    }
    // A busy machine only adds to it.
    expect(Math.min(...times)).toBeLessThan(1_000)
  })

  test('turns of one session, through both at once, lose and mix nothing [D23.5]', {
    timeout: 120_000,
  }, async () => {
    const client = workers.clientOf('ada')
    const { session_id } = await client.sessions.create({})
    const turns = longCount(8, 100)
    // One at a time is let in; the others are told that the session is busy, and try again.
    const ask = async (turn: number) => {
      const json = { message: `Message ${turn}`, session_id }
      const line = lines[turn % 4]
      const send = async () => JSON.stringify(await client.chat.send(json))
      const isDone = async () =>
        (await (line?.ask('POST', '/chat', json) ?? send())).includes('"event_type":"done"')
      await waitFor(isDone, { timeoutMs: 60_000, intervalMs: 50, what: `turn ${turn}` })
    }
    await Promise.all(Array.from({ length: turns }, (_, turn) => ask(turn)))
    const { messages } = await client.sessions.messages(session_id, { limit: 200 })
    const asked = messages.filter(({ role }) => role === 'user').map(({ content }) => content)
    expect(asked.toSorted()).toEqual(
      Array.from({ length: turns }, (_, turn) => `Message ${turn}`).toSorted(),
    )
    expect(messages.map(({ role, content }) => [role, content])).toEqual(
      asked.flatMap((message) => [
        ['user', message],
        ['assistant', `You said: ${message}`],
      ]),
    )
  })
})

const ends = longCount(2, 20)

test(`${ends} kills of workers take no run with them, and none runs twice [D23.5] [F27]`, {
  timeout: longCount(240_000, 1_800_000),
}, async () => {
  await using workers = await startWorkers({ script: () => story, users: 12 })
  for (let kill = 0; kill < ends; kill += 1) {
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

test(`${ends} restarts of workers, one after the other, fail no request and lose no event [F28]`, {
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
  for (let restart = 0; restart < ends; restart += 1) {
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
