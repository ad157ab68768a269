import {
  type AgentExecutor,
  createMemorySessionStore,
  type ExecuteContext,
  type RunEvent,
} from '@dataagent/core'
import { systemClock } from '@dataagent/guard'
import type { AppError, Session } from '@dataagent/schema'
import { expect, test } from 'vitest'
import type { RunRow, Runs } from '../ports/index.ts'
import { people } from '../testing/test-platform.ts'
import { createFeed } from './feed.ts'
import { createLaunch } from './launch.ts'
import { createLocalRuns } from './local-runs.ts'
import { createTurnQueue } from './turn-queue.ts'
import { createWatchers } from './watchers.ts'

const state = { thread_id: 's1', auto_approve: false, status: 'idle' } as const
const session: Session = {
  ...{ session_id: 's1', tenant_id: 'acme', user_id: 'ada', assistant_id: 'helper', state },
  ...{ created_at: 1, last_active: 1, metadata: {} },
}

test('a message that was received already, and a session that is busy, are told apart [D11.4]', async () => {
  const { received, busy } = { received: { received: true }, busy: { busy: true } }
  const told = { error_code: 'conflict', details: received }
  expect(await refusalOf(told)).toMatchObject({ code: 'conflict', data: received })
  const asked = { error_code: 'unavailable', details: { ...busy, retryAfterMs: 1_000 } }
  expect(await refusalOf(asked)).toMatchObject({ code: 'conflict', data: asked.details })
})

test('what else keeps a run from beginning is told as it is [D11.4]', async () => {
  const goneOn = await refusalOf({ error_code: 'conflict' })
  expect(goneOn).toMatchObject({ code: 'conflict', data: undefined })
  const away = await refusalOf({ error_code: 'unavailable' })
  expect(away).toMatchObject({ code: 'unavailable', data: undefined })
  expect(await refusalOf({ error_code: 'of tomorrow' })).toMatchObject({ code: 'internal' })
})

test('a run that begins before the one before has left the list can be stopped [D24.4]', async () => {
  const ending = Promise.withResolvers<boolean>()
  const { launch, local, enter } = createTestLaunch({
    begin: async () => {},
    end: () => ending.promise,
  })
  const place = { session, principal: people.ada, canAsk: true }
  const event = { session_id: 's1', timestamp: 1 }
  const last = { ...event, event_type: 'done', cancelled: false, seq: 2 } as RunEvent
  async function* ends() {
    yield last
  }
  const isStopped = Promise.withResolvers<void>()
  async function* goesOn(_: AgentExecutor, { signal }: ExecuteContext) {
    yield { ...event, event_type: 'text', content: 'So', is_final: false, seq: 3 } as RunEvent
    await new Promise((resolve) => signal?.addEventListener('abort', resolve))
    isStopped.resolve()
  }
  const first = await launch({ ...place, turn: await enter(), begin: ends })
  const second = launch({ ...place, turn: await enter(), begin: goesOn })
  ending.resolve(true)
  await first?.ended
  const run_id = (await second)?.run_id
  expect(local.get('s1')?.run_id).toBe(run_id)
  local.get('s1')?.stop.abort()
  await isStopped.promise
})

test('a server that was switched off while the turn waited for its place is not used in it', async () => {
  const { launch, enter, store } = createTestLaunch({
    begin: async () => {},
    end: async () => true,
  })
  await store.create(session)
  const place = { session, principal: people.ada, canAsk: true }
  const seen = Promise.withResolvers<ExecuteContext>()
  async function* begin(_: AgentExecutor, context: ExecuteContext) {
    seen.resolve(context)
    const done = { event_type: 'done', cancelled: false, session_id: 's1', timestamp: 1, seq: 2 }
    yield done as RunEvent
  }
  const turn = await enter()
  await store.update('acme', 's1', () => ({ state: { ...state, servers_off: ['mall'] } }))
  const run = await launch({ ...place, turn, begin })
  expect((await seen.promise).without).toEqual(new Set(['mall']))
  await run?.ended
})

/** What is thrown where the executor gives this error in place of a run; no row may be left. */
async function refusalOf(given: { error_code: string; details?: object }): Promise<AppError> {
  const open = new Set<string>()
  const { launch, enter } = createTestLaunch({
    begin: async ({ run_id }: RunRow) => void open.add(run_id),
    forget: async (run_id: string) => void open.delete(run_id),
  })
  const event = { event_type: 'error', timestamp: 1, error: 'No.', recoverable: false, ...given }
  async function* begin() {
    yield { ...event, session_id: 's1', seq: 0 } as RunEvent
  }
  const turn = await enter()
  const error = await launch({ session, principal: people.ada, canAsk: true, turn, begin }).catch(
    (thrown) => thrown,
  )
  expect(open.size).toBe(0)
  return error
}

function createTestLaunch(runs: Partial<Runs>) {
  const clock = systemClock
  const local = createLocalRuns({
    ...{ channels: undefined, watchers: createWatchers({ channels: undefined, clock }), clock },
    ...{ kv: { get: async () => undefined }, onDisconnect: 'finish', windowMs: 1_000 },
  })
  const { sessions: store } = createMemorySessionStore()
  const launch = createLaunch({
    ...{
      store,
      runs: { leave: async () => {}, ...runs } as Runs,
      clock,
      local,
      feed: createFeed({ channels: undefined }),
      owner: 'me',
    },
    sessions: { getExecutor: async () => ({}) as AgentExecutor },
    stillMay: async () => ({ principal: people.ada, expires_at: null }),
    approvalsOf: () => ({ kind: 'nothing' }),
    onError: (error) => expect.unreachable(String(error)),
  })
  const queue = createTurnQueue({ max: 2, maxWaiting: 1, clock })
  return { launch, local, store, enter: () => queue.enter('acme') }
}
