import { randomUUID } from 'node:crypto'
import { createRunLeases } from '@dataagent/core'
import { AppError, type EventsPage, type SentEvent } from '@dataagent/schema'
import { lastUserText, waitFor } from '@dataagent/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { people, startTestPlatform, type TestPlatform } from '../testing/test-platform.ts'
import { createFeed } from './feed.ts'
import { createSettling } from './settling.ts'

const { tenant_id, user_id, role } = people.ada

let server: TestPlatform
beforeAll(async () => {
  server = await startTestPlatform({ script: () => 'Here.' })
  const { agents, tables } = server.platform
  const row = agents.get(tenant_id, 'default')!
  await tables.agents.create({ ...row, assistant_id: 'modelless', model: 'nobody:none' })
  await agents.reload(tenant_id)
  await server.ask('GET', '/sessions')
})
afterAll(() => server?.[Symbol.asyncDispose]())

const message = (content: string) => ({ event_type: 'user_message', message_id: content, content })
const call = { event_type: 'tool_call', tool_call_id: 'c1', tool_name: 'count', tool_args: {} }

async function openSession(assistant_id = 'default'): Promise<string> {
  const { sessions } = server.platform
  return (await sessions.getOrCreateSession({ tenant_id, user_id, assistant_id })).session_id
}

/** A run as a process has left it: its row is open, and its log holds these events. */
async function leaveRun(session_id: string, events: readonly object[], owner = '') {
  const { tables, stores } = server.platform
  const run_id = randomUUID()
  const after = await stores.events.head(session_id)
  const placed = events.map((event, at) => ({
    ...{ timestamp: 1, ...event, session_id, run_id, seq: after + at + 1 },
  }))
  const entries = placed.map((event) => ({
    kind: String('event_type' in event && event.event_type),
    json: JSON.stringify(event),
  }))
  await stores.events.append(session_id, entries, { after })
  await tables.runs.begin({
    ...{ run_id, tenant_id, user_id, session_id, assistant_id: 'default', owner, role },
    ...{ api_key: null, status: 'running', started_at: 1, seen_at: 1, ended_at: null },
    ...{
      error_code: null,
      traceparent: null,
      model: null,
      prompt_tokens: 0,
      completion_tokens: 0,
      cached_tokens: 0,
      cost_micros: 0,
    },
  })
  return run_id
}

/** Left by a process that still counts as alive: nobody looks for it yet. */
async function leaveHeldRun(session_id: string, events: readonly object[]) {
  const owner = randomUUID()
  await server.platform.kv.set(`process:${owner}`, '1', { ttlMs: 60_000 })
  return leaveRun(session_id, events, owner)
}

/** What a reader who is there from the start has been told when a run has ended. */
async function untilDone(session_id: string, run_id: string): Promise<SentEvent[]> {
  const told: SentEvent[] = []
  const done = Promise.withResolvers<void>()
  const follower = server.platform.runs.follow({
    ...{ session_id, after: { seq: 0, offset: 0 } },
    onEvent(event) {
      told.push(event)
      if (event.event_type === 'done' && event.run_id === run_id) done.resolve()
    },
  })
  await done.promise.finally(() => follower.close())
  return told.filter((event) => event.run_id === run_id)
}

function openSettling(feed = createFeed({ channels: undefined })) {
  const { tables, stores, clock, kv, hub } = server.platform
  return createSettling({
    ...{ runs: tables.runs, log: stores.events, clock, feed, approvals: hub.approvals },
    ...{ leases: createRunLeases({ kv, clock }), saveTurns: async () => {}, onLog: () => {} },
  })
}

const rowOf = (run_id: string) => server.platform.tables.runs.get(tenant_id, run_id)

function endedRow(run_id: string) {
  const isEnded = async () => {
    const row = await rowOf(run_id)
    return row?.ended_at == null ? undefined : row
  }
  return waitFor(isEnded, { timeoutMs: 30_000, what: 'the end of the row' })
}

const cancel = (session_id: string) => server.ask('POST', `/chat/${session_id}/cancel`)

describe.concurrent('of the runs that a dead process left', () => {
  test.each([
    ['agent', 'removed', 'not_found'],
    ['model', 'modelless', 'config_invalid'],
  ])(
    'one whose %s is gone is ended once, and says why [D11.4]',
    async (_, assistant_id, error_code) => {
      const session_id = await openSession(assistant_id)
      const run_id = await leaveRun(session_id, [message('Count'), call])
      const events = await untilDone(session_id, run_id)
      expect(events.slice(2)).toMatchObject([
        { event_type: 'tool_result', tool_call_id: 'c1', outcome: 'interrupted' },
        { event_type: 'error', error_code, recoverable: false },
        { event_type: 'done', cancelled: false },
      ])
      expect(await endedRow(run_id)).toMatchObject({ status: 'error', error_code })
      expect(await server.platform.stores.messages.count(session_id)).toBeGreaterThan(0)
      const lines = () => server.records.filter((record) => record.session_id === session_id)
      await waitFor(() => lines().length > 0, { timeoutMs: 30_000 })
      expect(lines()).toMatchObject([{ run_id, message: expect.stringContaining('was ended') }])
    },
    30_000,
  )

  test('one whose agent is gone can be cancelled [D24.4]', async () => {
    const session_id = await openSession('removed')
    const run_id = await leaveHeldRun(session_id, [message('Count'), call])
    expect(await cancel(session_id)).toMatchObject({ status: 200, body: { cancelled: true } })
    expect(await endedRow(run_id)).toMatchObject({ status: 'cancelled' })
    const path = `/sessions/${session_id}/events?limit=200`
    const { events } = (await server.ask<EventsPage>('GET', path)).body
    expect(events.at(-1)).toMatchObject({ event_type: 'done', cancelled: true })
  })

  test('one that had ended in a recoverable error is not begun again by itself [D11.3]', async () => {
    const session_id = await openSession()
    const fault = { error: 'Away.', recoverable: true, error_code: 'upstream_failed' }
    const run_id = await leaveRun(session_id, [
      message('Ended'),
      { event_type: 'error', ...fault },
      { event_type: 'done', cancelled: false },
    ])
    const row = await endedRow(run_id)
    expect(row).toMatchObject({ status: 'error', error_code: 'upstream_failed' })
    const asked = server.model.requests.filter((request) => lastUserText(request) === 'Ended')
    expect(asked).toEqual([])
  }, 30_000)

  test('one that is open in its log is not ended by its row [D11.4]', async () => {
    const session_id = await openSession()
    const run_id = await leaveHeldRun(session_id, [message('Open')])
    await openSettling().settle((await rowOf(run_id))!)
    expect(await rowOf(run_id)).toMatchObject({ ended_at: null })
  })

  test('one that is ended is told to those who listen, when its row says so [D11.4]', async () => {
    const session_id = await openSession('removed')
    const run_id = await leaveHeldRun(session_id, [message('Tell')])
    const feed = createFeed({ channels: undefined })
    const rows: Promise<unknown>[] = []
    const told: string[] = []
    const onEvent = ({ event_type }: SentEvent) => {
      told.push(event_type)
      rows.push(rowOf(run_id))
    }
    feed.listen(session_id, { onEvent, onGap: () => {} })
    const error = new AppError('not_found', 'there is no agent removed')
    await openSettling(feed).end((await rowOf(run_id))!, error)
    expect(told).toEqual(['error', 'done'])
    for (const row of await Promise.all(rows)) expect(row).toMatchObject({ status: 'error' })
  })

  test('one that follows on a cancelled run of its session goes on [D24.4]', async () => {
    const session_id = await openSession()
    const first = await leaveHeldRun(session_id, [message('First')])
    expect((await cancel(session_id)).body).toMatchObject({ cancelled: true })
    expect(await endedRow(first)).toMatchObject({ status: 'cancelled' })
    const second = await leaveRun(session_id, [message('Second')])
    const events = await untilDone(session_id, second)
    expect(events.at(-1)).toMatchObject({ event_type: 'done', cancelled: false })
  }, 30_000)
})
