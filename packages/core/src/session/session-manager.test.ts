import { randomUUID } from 'node:crypto'
import { systemClock } from '@dataagent/guard'
import { AppError, type ErrorCode, type Session } from '@dataagent/schema'
import { createMemoryKv } from '@dataagent/store/kv'
import { createFakeClock } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import type { SessionStores } from './contract.ts'
import { createMemorySessionStore } from './memory-session-store.ts'
import type { RunLeases } from './run-leases.ts'
import { createRunLeases } from './run-leases.ts'
import { createSessionManager, type SessionManagerOptions } from './session-manager.ts'
import { aSession, describeSessionStores, entry } from './test-session-stores.ts'

interface TestExecutor {
  assistant_id: string
  leases: RunLeases
}

const minute = 60_000
const hour = 60 * minute
const ada = { tenant_id: 'acme', user_id: 'ada', assistant_id: 'agent' }
const code = (name: string) => ({ code: name })

/** Two processes' managers over the same stores and KV. */
function setUp(
  more: Partial<SessionManagerOptions<TestExecutor>> = {},
  { sessions, events, messages }: SessionStores = createMemorySessionStore(),
) {
  const clock = createFakeClock()
  const kv = createMemoryKv({ clock: more.clock ?? clock })
  const opened: string[] = []
  const ended: string[] = []
  const errors: unknown[] = []
  const make = () =>
    createSessionManager<TestExecutor>({
      ...{ store: sessions, log: events, messages, clock },
      leases: createRunLeases({ kv, clock: more.clock ?? clock }),
      createExecutor: ({ assistant_id }, { leases }) => ({ assistant_id, leases }),
      onOpen({ session_id }) {
        opened.push(session_id)
        return () => void ended.push(session_id)
      },
      onError: (error) => errors.push(error),
      ...more,
    })
  return {
    ...{ clock, sessions, events, messages, opened, ended, errors },
    manager: make(),
    other: make(),
  }
}

describe('getOrCreateSession [D13.3]', () => {
  test('makes a session, and gives it again by its id, in any process', async () => {
    const { manager, other, clock } = setUp()
    const session = await manager.getOrCreateSession(ada)
    expect(session).toEqual({
      ...{ ...ada, session_id: session.session_id, metadata: {} },
      ...{ created_at: clock.now(), last_active: clock.now() },
      state: { thread_id: session.session_id, auto_approve: false, status: 'idle' },
    })
    const { session_id } = session
    for (const each of [manager, other]) {
      expect(await each.getOrCreateSession({ ...ada, session_id })).toEqual(session)
      expect(await each.getSession(ada, session_id)).toEqual(session)
    }
  })

  test('another user or tenant, and one who guesses, are told the same [D32.1] [D32.3]', async () => {
    const { manager } = setUp()
    const { session_id } = await manager.getOrCreateSession(ada)
    const others = [
      { ...ada, user_id: 'eve' },
      { ...ada, tenant_id: 'globex' },
    ]
    const told = new Set<unknown>()
    for (const other of others) {
      const made = await manager.getOrCreateSession({ ...other, session_id })
      expect(made.session_id).not.toBe(session_id)
      told.add(await manager.getSession(other, session_id).catch(String))
      const deleting = manager.deleteSession(other, session_id)
      await expect(deleting).rejects.toMatchObject(code('not_found'))
      const guess = session_id.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
      const guessed = await manager.getSession(other, guess).catch(String)
      told.add(String(guessed).replace(guess, session_id))
    }
    expect([...told]).toHaveLength(1)
  })
})

await describeSessionStores('a session manager', (subject) => {
  test('a session under an id that was used, or that a client made up, gets one of its own', async () => {
    const { manager, other } = setUp({}, subject().stores)
    const { session_id } = await manager.getOrCreateSession(ada)
    await other.deleteSession(ada, session_id)
    for (const user_id of ['eve', ada.user_id]) {
      const made = await manager.getOrCreateSession({ ...ada, user_id, session_id })
      expect(made.session_id).not.toBe(session_id)
    }
    const made = await manager.getOrCreateSession({ ...ada, session_id: 'mine' })
    expect(made.session_id).not.toBe('mine')
  })

  test("a user's limit holds for calls at once in two processes [D35.4]", async () => {
    const limited = setUp({ limitOf: () => 3, clock: systemClock }, subject().stores)
    const owner = { ...ada, user_id: randomUUID() }
    const calls = Array.from({ length: 12 }, (_, n) =>
      (n % 2 ? limited.manager : limited.other).getOrCreateSession(owner),
    )
    const outcomes = await Promise.allSettled(calls)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    for (const outcome of outcomes.filter(({ status }) => status === 'rejected')) {
      expect(outcome).toMatchObject({
        reason: { code: 'quota_exceeded', data: { limit: 'max_sessions_per_user', max: 3 } },
      })
    }
  })

  test('what timed out is deleted, unless a run is under way in it [D13.4]', async () => {
    const { manager, other, clock, sessions } = setUp({}, subject().stores)
    const [idle, running] = [
      await manager.getOrCreateSession(ada),
      await manager.getOrCreateSession(ada),
    ]
    const { leases } = await manager.getExecutor(running)
    const lease = await leases.acquire(running.session_id)
    for (let n = 0; n < 90; n += 1) {
      clock.advance(minute)
      // The activity that was written at this minute is in the store before the next begins.
      await expectActive(sessions, running, clock.now() - 2 * minute)
    }
    const swept = await other.sweep()
    expect(swept).toContain(idle.session_id)
    expect(swept).not.toContain(running.session_id)
    expect(await sessions.get('acme', running.session_id)).toBeDefined()
    await expect(other.getSession(ada, idle.session_id)).rejects.toMatchObject(code('not_found'))
    await lease!.release()
    clock.advance(hour + 1)
    expect(await other.sweep()).toEqual([running.session_id])
  })
})

async function expectActive(store: SessionStores['sessions'], session: Session, since: number) {
  await expect
    .poll(async () => (await store.get(session.tenant_id, session.session_id))?.last_active, {
      timeout: 10_000,
      interval: 1,
    })
    .toBeGreaterThanOrEqual(since)
}

describe('an executor', () => {
  test('is made once per session and agent, and kept while the session is used [D13.3]', async () => {
    const { manager } = setUp()
    const session = await manager.getOrCreateSession(ada)
    const [first, second] = await Promise.all([
      manager.getExecutor(session),
      manager.getExecutor(session),
    ])
    expect(first).toBe(second)
    const other = await manager.getExecutor({ ...session, assistant_id: 'other' })
    expect(other).toMatchObject({ assistant_id: 'other' })
    expect(await manager.getExecutor(session)).toBe(first)
    expect(await manager.getExecutor(await manager.getOrCreateSession(ada))).not.toBe(first)
  })

  test('that could not be made is tried again', async () => {
    let attempts = 0
    const { manager } = setUp({
      createExecutor({ assistant_id }, { leases }) {
        attempts += 1
        if (attempts === 1) throw new Error('no model')
        return { assistant_id, leases }
      },
    })
    const session = await manager.getOrCreateSession(ada)
    await expect(manager.getExecutor(session)).rejects.toThrow('no model')
    expect(await manager.getExecutor(session)).toMatchObject({ assistant_id: 'agent' })
  })

  test('runs once at a time over all processes, and another session is free', async () => {
    const { manager, other } = setUp()
    const session = await manager.getOrCreateSession(ada)
    const here = await manager.getExecutor(session)
    const there = await other.getExecutor(await other.getSession(ada, session.session_id))
    const lease = await here.leases.acquire(session.session_id)
    expect(await there.leases.acquire(session.session_id)).toBeUndefined()
    expect(await there.leases.isHeld(session.session_id)).toBe(true)
    await expect(other.deleteSession(ada, session.session_id)).rejects.toMatchObject(
      code('conflict'),
    )
    await lease!.release()
    const next = await there.leases.acquire(session.session_id)
    await next!.release()
    await other.deleteSession(ada, session.session_id)
  })
})

describe('activity', () => {
  test('is written at most once in a while, however often a session is used', async () => {
    const { sessions, ...stores } = createMemorySessionStore()
    let updates = 0
    const update: typeof sessions.update = (...args) => {
      updates += 1
      return sessions.update(...args)
    }
    const counted = { ...stores, sessions: { ...sessions, update } }
    const { manager, clock } = setUp({}, counted)
    const { session_id } = await manager.getOrCreateSession(ada)
    for (let n = 0; n < 300; n += 1) {
      clock.advance(1_000)
      await manager.getOrCreateSession({ ...ada, session_id })
    }
    expect(updates).toBe(5)
  })

  /** A manager that cannot write activity, with a session that was active a while ago. */
  async function setUpFailing(error_code: ErrorCode) {
    const { sessions, ...stores } = createMemorySessionStore()
    const update = () => Promise.reject(new AppError(error_code, 'not written'))
    const place = setUp({}, { ...stores, sessions: { ...sessions, update } })
    const session = await place.manager.getOrCreateSession(ada)
    const executor = await place.manager.getExecutor(session)
    place.clock.advance(2 * minute)
    return { ...place, session, executor }
  }

  test.each(['storage_full', 'store_unavailable', 'internal'] as const)(
    'that cannot be written (%s) keeps nobody out and ends nothing',
    async (error_code) => {
      const { manager, session, executor, ended } = await setUpFailing(error_code)
      const { session_id } = session
      expect(await manager.getSession(ada, session_id)).toEqual(session)
      expect(await manager.getOrCreateSession({ ...ada, session_id })).toEqual(session)
      expect(await manager.getExecutor(session)).toBe(executor)
      expect(ended).toEqual([])
    },
  )

  test('that finds the session gone ends it here', async () => {
    const { manager, session, ended } = await setUpFailing('not_found')
    const getting = manager.getSession(ada, session.session_id)
    await expect(getting).rejects.toMatchObject(code('not_found'))
    expect(ended).toEqual([session.session_id])
  })

  test('of a session that was deleted meanwhile is not_found, and nothing runs in it', async () => {
    const { manager, sessions, clock, ended } = setUp()
    const session = await manager.getOrCreateSession(ada)
    const { leases } = await manager.getExecutor(session)
    await sessions.delete('acme', session.session_id)
    clock.advance(2 * minute)
    const running = leases.acquire(session.session_id)
    await expect(running).rejects.toMatchObject(code('not_found'))
    expect(await leases.isHeld(session.session_id)).toBe(false)
    await expect(manager.getSession(ada, session.session_id)).rejects.toMatchObject(
      code('not_found'),
    )
    expect(ended).toEqual([])
  })
})

describe('what a session holds', () => {
  test('is freed when it was not used for its time, and opened again by its next use', async () => {
    const { manager, clock, opened, ended, sessions } = setUp({ keepMs: 24 * hour })
    const session = await manager.getOrCreateSession(ada)
    const first = await manager.getExecutor(session)
    clock.advance(hour)
    expect(await manager.sweep()).toEqual([])
    expect(ended).toEqual([session.session_id])
    expect(await sessions.get('acme', session.session_id)).toBeDefined()
    const again = await manager.getSession(ada, session.session_id)
    expect(again.last_active).toBe(clock.now())
    expect(await manager.getExecutor(again)).not.toBe(first)
    expect(opened).toEqual([session.session_id, session.session_id])
  })

  test('is not freed while a run is under way, and a kept executor can run later', async () => {
    const { manager, clock, ended, sessions } = setUp({ keepMs: 24 * hour })
    const session = await manager.getOrCreateSession(ada)
    const { leases } = await manager.getExecutor(session)
    const lease = await leases.acquire(session.session_id)
    await clock.advanceAsync(3 * hour)
    await manager.sweep()
    expect(ended).toEqual([])
    await lease!.release()
    clock.advance(hour)
    await manager.sweep()
    expect(ended).toEqual([session.session_id])
    const later = await leases.acquire(session.session_id)
    const found = await sessions.get('acme', session.session_id)
    expect(found?.last_active).toBe(clock.now())
    await later!.release()
  })

  test('is deleted with what else is kept of it, or a second try does so', async () => {
    const forgotten: string[] = []
    let isAway = true
    const onDelete = async (session_ids: readonly string[]) => {
      if (isAway) throw new AppError('store_unavailable', 'away')
      forgotten.push(...session_ids)
    }
    const { manager, sessions, clock } = setUp({ onDelete })
    const [asked, expired] = [
      await manager.getOrCreateSession(ada),
      await manager.getOrCreateSession(ada),
    ]
    const { session_id } = asked
    await expect(manager.deleteSession(ada, session_id)).rejects.toMatchObject(
      code('store_unavailable'),
    )
    expect(await sessions.get('acme', session_id)).toBeDefined()
    isAway = false
    await manager.deleteSession(ada, session_id)
    expect(forgotten).toEqual([session_id])

    clock.advance(2 * hour)
    isAway = true
    await expect(manager.sweep()).rejects.toMatchObject(code('store_unavailable'))
    isAway = false
    await manager.sweep()
    expect(forgotten).toEqual([session_id, expired.session_id])
  })

  test('is freed when it is deleted, and when the manager closes; the sweep goes on by itself', async () => {
    const { manager, clock, ended, sessions } = setUp()
    const [deleted, expired, kept] = [
      await manager.getOrCreateSession(ada),
      await manager.getOrCreateSession(ada),
      await manager.getOrCreateSession(ada),
    ]
    await manager.deleteSession(ada, deleted.session_id)
    expect(ended).toEqual([deleted.session_id])
    manager.start()
    await clock.advanceAsync(40 * minute)
    await manager.getSession(ada, kept.session_id)
    await clock.advanceAsync(40 * minute)
    expect(ended).toEqual([deleted.session_id, expired.session_id])
    expect(await sessions.get('acme', expired.session_id)).toBeUndefined()
    await manager.close()
    expect(ended).toEqual([deleted.session_id, expired.session_id, kept.session_id])
    expect(clock.pending()).toBe(0)
    expect(await sessions.get('acme', kept.session_id)).toBeDefined()
  })

  test('an expired id is not_found, or begins anew where one may be made', async () => {
    const { manager, clock, events } = setUp()
    const { session_id } = await manager.getOrCreateSession(ada)
    await events.append(session_id, [entry('old')])
    clock.advance(hour + 1)
    await expect(manager.getSession(ada, session_id)).rejects.toMatchObject(code('not_found'))
    const anew = await manager.getOrCreateSession({ ...ada, session_id })
    expect(anew.created_at).toBe(clock.now())
    expect(await events.head(session_id)).toBe(0)
  })

  test('expired sessions do not count towards the limit', async () => {
    const { manager, clock } = setUp({ limitOf: async () => 1 })
    await manager.getOrCreateSession(ada)
    await expect(manager.getOrCreateSession(ada)).rejects.toMatchObject(code('quota_exceeded'))
    clock.advance(hour + 1)
    expect(await manager.getOrCreateSession(ada)).toBeDefined()
  })
})

describe('turns', () => {
  const turn = [
    { event_type: 'user_message', message_id: 'm', content: 'hi' },
    { event_type: 'text', content: 'hello', is_final: true },
    { event_type: 'done', cancelled: false },
  ].map((event) => ({
    kind: event.event_type,
    json: JSON.stringify({ ...event, timestamp: 1 }),
  }))

  test('are saved when the run has ended, before another may begin [D26.1]', async () => {
    const { manager, events, messages } = setUp()
    const { session_id, ...session } = await manager.getOrCreateSession(ada)
    const { leases } = await manager.getExecutor({ session_id, ...session })
    const lease = await leases.acquire(session_id)
    await events.append(session_id, turn)
    expect(await messages.count(session_id)).toBe(0)
    await lease!.release()
    expect(await messages.count(session_id)).toBe(2)
  })

  test('that a process left when it died are saved when the session is used again', async () => {
    const { manager, sessions, events, messages, clock } = setUp()
    const session = aSession({ last_active: clock.now() })
    await sessions.create(session)
    await events.append(session.session_id, turn)
    await manager.getSession({ tenant_id: 'acme', user_id: 'ada' }, session.session_id)
    expect(await messages.count(session.session_id)).toBe(2)
  })

  test('that cannot be saved now end no run, and are reported', async () => {
    const stores = createMemorySessionStore()
    const add = () => Promise.reject(new Error('away'))
    const away = { ...stores, messages: { ...stores.messages, add } }
    const { manager, events, errors } = setUp({}, away)
    const session = await manager.getOrCreateSession(ada)
    const { leases } = await manager.getExecutor(session)
    const lease = await leases.acquire(session.session_id)
    await events.append(session.session_id, turn)
    await lease!.release()
    expect(errors).toMatchObject([{ message: 'away' }])
    expect(await leases.isHeld(session.session_id)).toBe(false)
  })
})
