import { wait } from '@dataagent/guard'
import type { Load } from '@dataagent/schema'
import { createFakeClock } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { type Asking, runLoad } from './run-load.ts'

const none = { ramp_seconds: 0, warm_up_seconds: 0, duration_seconds: null }
const closed = (concurrency: number, more: Partial<Load> = {}) =>
  ({ mode: 'closed', concurrency, ...none, ...more }) as Load
const atRate = (rate: number, concurrency: number, more: Partial<Load> = {}) =>
  ({ mode: 'rate', rate, concurrency, ...none, ...more }) as Load

interface Seen extends Asking {
  begun: number
  underWay: number
}

/** Plays a load on a clock of its own; each asking takes so long. */
async function play(
  load: Load,
  {
    count = null,
    forMs,
    tookMs,
  }: { count?: number | null; forMs: number; tookMs(n: number): number },
) {
  const clock = createFakeClock()
  const stop = new AbortController()
  const seen: Seen[] = []
  let underWay = 0
  let isOver = false
  const running = runLoad({
    ...{ load, count, clock, signal: stop.signal },
    async ask(asking) {
      underWay += 1
      seen.push({ ...asking, begun: clock.monotonic(), underWay })
      await wait(clock, tookMs(seen.length - 1))
      underWay -= 1
    },
  }).then(() => {
    isOver = true
  })
  await clock.advanceAsync(forMs)
  return { seen, stop, clock, running, isOver: () => isOver, timers: clock.pending }
}

test('users ask again as soon as they are answered, until all is asked [D27.3]', async () => {
  const { seen, isOver } = await play(closed(3), { count: 10, forMs: 1_000, tookMs: () => 100 })
  expect(seen.map(({ begun }) => begun)).toEqual([0, 0, 0, 100, 100, 100, 200, 200, 200, 300])
  expect(seen.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  expect(Math.max(...seen.map(({ underWay }) => underWay))).toBe(3)
  expect(isOver()).toBe(true)
})

test('users come in one after the other over the ramp', async () => {
  const load = closed(4, { ramp_seconds: 2 })
  const { seen } = await play(load, { count: 4, forMs: 5_000, tookMs: () => 4_000 })
  expect(seen.map(({ begun }) => begun)).toEqual([0, 500, 1_000, 1_500])
})

test('more users than questions leave none without one', async () => {
  const load = closed(100, { ramp_seconds: 1 })
  const { seen, isOver } = await play(load, { count: 2, forMs: 2_000, tookMs: () => 1_000 })
  expect(seen.map(({ begun }) => begun)).toEqual([0, 500])
  expect(isOver()).toBe(true)
})

test('who has not come in when all is asked is not waited for', async () => {
  const load = closed(10, { ramp_seconds: 60 })
  const { seen, isOver } = await play(load, { count: 20, forMs: 1_100, tookMs: () => 50 })
  expect(seen).toHaveLength(20)
  expect(isOver()).toBe(true)
})

test('what is asked in the warm-up does not count, and the duration begins after it', async () => {
  const load = closed(1, { warm_up_seconds: 1, duration_seconds: 2 })
  const { seen, isOver } = await play(load, { forMs: 4_000, tookMs: () => 500 })
  expect(seen.map(({ isCounted }) => isCounted)).toEqual([false, false, true, true, true, true])
  expect(seen.map(({ index }) => index)).toEqual([0, 1, 0, 1, 2, 3])
  expect(isOver()).toBe(true)
})

test('at a rate each asking is planned apart from the answers before it', async () => {
  const { seen } = await play(atRate(10, 100), { count: 8, forMs: 2_000, tookMs: () => 5_000 })
  expect(seen.map(({ planned }) => planned)).toEqual([0, 100, 200, 300, 400, 500, 600, 700])
  expect(seen.map(({ begun }) => begun)).toEqual([0, 100, 200, 300, 400, 500, 600, 700])
})

test('over the bound askings wait, and keep the time that they were planned for', async () => {
  const load = atRate(10, 2)
  const { seen, isOver } = await play(load, { count: 6, forMs: 5_000, tookMs: () => 500 })
  expect(seen.map(({ planned }) => planned)).toEqual([0, 100, 200, 300, 400, 500])
  expect(seen.map(({ begun }) => begun)).toEqual([0, 100, 500, 600, 1_000, 1_100])
  expect(Math.max(...seen.map(({ underWay }) => underWay))).toBe(2)
  expect(isOver()).toBe(true)
})

test('the rate grows in a line over the ramp', async () => {
  const load = atRate(100, 1_000, { ramp_seconds: 2, duration_seconds: 4 })
  const { seen } = await play(load, { forMs: 10_000, tookMs: () => 10 })
  const between = (from: number, to: number) =>
    seen.filter(({ planned }) => planned >= from && planned < to).length
  // The area under the line: a quarter of its 100 in the first half.
  expect([between(0, 1_000), between(1_000, 2_000)]).toEqual([25, 75])
  expect([between(2_000, 3_000), between(3_000, 4_000)]).toEqual([100, 100])
  expect(seen).toHaveLength(300)
})

test('all that was planned in the duration is asked, also when that takes longer', async () => {
  const load = atRate(10, 1, { duration_seconds: 1 })
  const { seen, isOver } = await play(load, { forMs: 20_000, tookMs: () => 1_000 })
  expect(seen).toHaveLength(10)
  expect(seen.at(-1)).toMatchObject({ planned: 900, begun: 9_000 })
  expect(isOver()).toBe(true)
})

test.each([
  ['closed', closed(2, { duration_seconds: 60 })],
  ['rate', atRate(10, 2, { duration_seconds: 60 })],
  ['rate that waits', atRate(1, 2, { duration_seconds: 60 })],
  ['ramp', closed(2, { ramp_seconds: 60, duration_seconds: 60 })],
])('stopped, a load of mode %s begins nothing more and leaves no timer', async (_, load) => {
  const played = await play(load, { forMs: 1_550, tookMs: () => 300 })
  const before = played.seen.length
  played.stop.abort()
  await played.clock.advanceAsync(5_000)
  expect(played.seen).toHaveLength(before)
  expect(played.isOver()).toBe(true)
  expect(played.timers()).toBe(0)
})

test.each([closed(1), atRate(10, 1)])(
  'an asking that throws ends the whole with its error',
  async (load) => {
    const clock = createFakeClock()
    const { signal } = new AbortController()
    const ask = () => Promise.reject(new Error('broken'))
    await expect(runLoad({ load, count: 3, clock, signal, ask })).rejects.toThrow('broken')
  },
)
