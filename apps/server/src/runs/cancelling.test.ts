import { createOutage, systemClock } from '@dataagent/guard'
import { AppError } from '@dataagent/schema'
import { createMemoryKv } from '@dataagent/store/kv'
import { expect, test } from 'vitest'
import type { RunRow } from '../ports/index.ts'
import { cancelKey, createCancelling } from './cancelling.ts'
import { createLocalRuns, type LocalRun } from './local-runs.ts'
import type { PickUp } from './pick-up.ts'
import { createQueued } from './queued.ts'
import { createSessionChannels } from './session-channel.ts'
import { createTurnQueue } from './turn-queue.ts'
import { createWatchers } from './watchers.ts'

/** The parts of a process that cancels are about. */
function createProcess(
  kv: ReturnType<typeof createMemoryKv>,
  owner: string,
  pickUp: Partial<PickUp> & { left?: RunRow } = {},
) {
  const clock = systemClock
  const outage = createOutage({ away: 'away', back: 'back', clock, onLog: () => {} })
  const channels = createSessionChannels({ kv, owner, clock, outage })
  const watchers = createWatchers({ channels, clock })
  const local = createLocalRuns({
    ...{ channels, watchers, clock, kv, onDisconnect: 'finish', windowMs: 1_000 },
  })
  const queued = createQueued({ channels })
  const { cancel } = createCancelling({
    ...{ local, queued, channels, kv, clock },
    leases: { isHeld: async () => false },
    runs: { latestOf: async () => (pickUp.left ? [pickUp.left] : []) },
    pickUp: { start() {}, stop() {}, take: async () => {}, ...pickUp },
  })
  return { local, queued, cancel }
}

const aborted = ({ signal }: { signal: AbortSignal }) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))

test('a turn that waits to begin in another process is cancelled there [D24.4]', async () => {
  await using kv = createMemoryKv()
  const [one, other] = [createProcess(kv, 'one'), createProcess(kv, 'other')]
  using waiting = one.queued.add('s1')
  const ended = aborted(waiting)
  expect(await other.cancel('s1')).toEqual({ session_id: 's1', cancelled: true })
  await ended
})

test('where nothing waits or runs, another process says so too', async () => {
  await using kv = createMemoryKv()
  const [one, other] = [createProcess(kv, 'one'), createProcess(kv, 'other')]
  using waiting = one.queued.add('s1')
  expect(await other.cancel('s2')).toEqual({ session_id: 's2', cancelled: false })
  expect(waiting.signal.aborted).toBe(false)
})

test('a run that was left and cannot be ended on a full disk is still cancelled later [F20]', async () => {
  await using kv = createMemoryKv()
  const full = new AppError('storage_full', 'The disk is full.')
  const left = { run_id: 'r1', session_id: 's1', ended_at: null } as RunRow
  const { cancel } = createProcess(kv, 'one', { left, take: () => Promise.reject(full) })
  expect(await cancel('s1')).toEqual({ session_id: 's1', cancelled: true })
  expect(await kv.get(cancelKey('r1'))).toBe('1')
})

test('a cancel that was said before a run could hear it is found [D24.4]', async () => {
  await using kv = createMemoryKv()
  await kv.set(cancelKey('r1'), '1')
  const { local } = createProcess(kv, 'one')
  const run = await createRun()
  const ended = aborted(run.stop)
  local.add(run)
  await ended
  local.remove(run)
})

test('a cancel whose run has not ended here is known to whoever picks the run up [D24.4, F17]', async () => {
  await using kv = createMemoryKv()
  const { local, cancel } = createProcess(kv, 'one')
  const stuck = await createRun({ ended: new Promise(() => {}) })
  local.add(stuck)
  expect(await cancel('s1')).toEqual({ session_id: 's1', cancelled: true })
  expect(stuck.stop.signal.aborted).toBe(true)
  expect(await kv.get(cancelKey('r1'))).toBe('1')
  local.remove(stuck)
})

test('a cancel whose run was left to another process meanwhile is known to that one [F28]', async () => {
  await using kv = createMemoryKv()
  const { local, cancel } = createProcess(kv, 'one')
  const left = await createRun({ ended: Promise.resolve() })
  local.add(left)
  await cancel('s1')
  expect(await kv.get(cancelKey('r1'))).toBe('1')
  local.remove(left)
})

async function createRun({ ended = Promise.resolve() } = {}): Promise<LocalRun> {
  const turn = await createTurnQueue({ max: 1, maxWaiting: 0, clock: systemClock }).enter('acme')
  return {
    ...{ run_id: 'r1', session_id: 's1', status: 'running', isOver: false, turn },
    ...{ stop: new AbortController(), ended },
  }
}
