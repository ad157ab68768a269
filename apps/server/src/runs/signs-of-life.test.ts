import { randomUUID } from 'node:crypto'
import { createMemoryKv, type Kv } from '@dataagent/store/kv'
import { createFakeClock } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { createPlace } from '../identity/test-identity.ts'
import type { RunRow } from '../ports/index.ts'
import type { LocalRun } from './local-runs.ts'
import { createSignsOfLife } from './signs-of-life.ts'

test('a run of a server that has but the database in common is left alone until that one is silent', async () => {
  await using scene = await createScene()
  const [one, other] = [scene.join('one', 'kv of one'), scene.join('other', 'kv of other')]
  const run = await scene.begin('one')
  one.signs.start()
  for (let second = 0; second < 20; second += 1) {
    expect(await other.findLeft()).toEqual([])
    expect(await other.isFree()).toBe(false)
    await scene.pass(1_000)
  }
  expect(other.strangers).toHaveLength(1)
  one.signs.stop()
  for (let second = 0; second < 4; second += 1) {
    expect(await other.findLeft()).toEqual([])
    await scene.pass(1_000)
  }
  await scene.pass(4_000)
  expect(await other.findLeft()).toEqual([run.run_id])
  expect(await other.isFree()).toBe(true)
  expect(other.strangers).toHaveLength(1)
})

test('of one KV a process is dead when it says nothing there any more, at once for all who ask', async () => {
  await using scene = await createScene()
  const [one, other] = [scene.join('one', 'kv'), scene.join('other', 'kv', { isKvCommon: true })]
  const run = await scene.begin('one')
  one.signs.start()
  await scene.pass(20_000)
  expect(await other.findLeft()).toEqual([])
  one.signs.stop()
  await scene.pass(7_000)
  expect(await other.findLeft()).toEqual([run.run_id])
  expect(other.strangers).toEqual([])
})

test('workers of one server go by their KV, also where others have but the database in common', async () => {
  await using scene = await createScene()
  const [one, other] = [scene.join('one', 'kv'), scene.join('other', 'kv')]
  await scene.begin('one')
  one.signs.start()
  await scene.pass(20_000)
  expect(await other.findLeft()).toEqual([])
  // Nobody of the KV has its session: its process may have died a moment ago.
  expect(await other.isFree()).toBe(true)
  expect(other.strangers).toEqual([])
})

test('what a process has left in good order is free at once', async () => {
  await using scene = await createScene()
  const other = scene.join('other', 'kv of other')
  const run = await scene.begin('one')
  await scene.runs.leave(run.run_id, 'one')
  expect(await other.findLeft()).toEqual([run.run_id])
})

/** One database, and processes with one run each, whose clocks all are the test's. */
async function createScene() {
  const cleanup = new AsyncDisposableStack()
  const place = cleanup.use(await createPlace())
  const { runs } = place.tables
  const clock = createFakeClock()
  const kvs = new Map<string, Kv>()
  const kvOf = (name: string) => {
    const kv = kvs.get(name) ?? cleanup.use(createMemoryKv({ clock }))
    kvs.set(name, kv)
    return kv
  }
  return {
    runs,
    async begin(owner: string): Promise<RunRow> {
      const run: RunRow = {
        ...{ run_id: randomUUID(), tenant_id: 'default', user_id: 'ada', session_id: 's1' },
        ...{ assistant_id: 'default', role: 'user', api_key: null, owner, status: 'running' },
        traceparent: null,
        ...{ seen_at: clock.now(), started_at: clock.now(), ended_at: null, error_code: null },
        ...{ model: null, prompt_tokens: 0, completion_tokens: 0, cached_tokens: 0 },
        cost_micros: 0,
      }
      await runs.begin(run)
      return run
    },
    join(owner: string, kvName: string, { isKvCommon = false } = {}) {
      const strangers: string[] = []
      const signs = createSignsOfLife({
        ...{ runs, kv: kvOf(kvName), clock, owner, isKvCommon },
        local: { all: () => [{} as LocalRun] },
        onStranger: () => void strangers.push(owner),
      })
      const findLeft = async () =>
        (await signs.findLeft(await runs.open(100))).map(({ run_id }) => run_id)
      const isFree = async () => {
        const [run] = await runs.open(1)
        return run && signs.isFree(run)
      }
      return { signs, strangers, findLeft, isFree }
    },
    /** In steps, each of which lets what was begun be written. */
    async pass(ms: number) {
      for (let passed = 0; passed < ms; passed += 1_000) {
        await clock.advanceAsync(1_000)
        await runs.forget('nobody')
      }
    },
    [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
  }
}
