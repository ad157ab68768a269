import { randomUUID } from 'node:crypto'
import { createFakeClock, longCount } from '@dataagent/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { describeKv } from './describe-kv.ts'
import type { WindowCount } from './kv.ts'
import { createMemoryKv } from './memory-kv.ts'
import { bucketsPerWindow, countInto } from './window.ts'

describeKv('a sliding window', ({ kv, other, elapse }) => {
  test('a burst of 300 from two ends passes exactly the limit', async () => {
    const key = randomUUID()
    const limit = { max: 240, windowMs: 60_000 }
    const counts = await Promise.all(
      Array.from({ length: 300 }, (_, i) => (i % 2 ? kv : other).count(key, limit)),
    )
    expect(counts.filter(isOk)).toHaveLength(240)
    expect(new Set(counts.filter(isOk).map(({ used }) => used)).size).toBe(240)
  })

  test('no double burst at the edge of a window', async () => {
    const key = randomUUID()
    const limit = { max: 10, windowMs: 1_500 }
    expect((await burst(key, limit, 10)).filter(isOk)).toHaveLength(10)
    await elapse(900)
    expect((await burst(key, limit, 10)).filter(isOk)).toHaveLength(0)
    await elapse(600)
    expect((await burst(key, limit, 20)).filter(isOk)).toHaveLength(10)
  })

  test('a limited caller is told when to come back, and may then', async () => {
    const key = randomUUID()
    const limit = { max: 3, windowMs: 400 }
    await burst(key, limit, 3)
    const refused = await kv.count(key, limit)
    if (refused.status !== 'limited') throw new Error('not limited')
    expect(refused.used).toBe(3)
    expect(refused.retryAfterMs).toBeGreaterThan(0)
    expect(refused.retryAfterMs).toBeLessThanOrEqual(400)
    await elapse(refused.retryAfterMs)
    expect(await kv.count(key, limit)).toMatchObject({ status: 'ok' })
  })

  test('refused calls do not count, cost 0 only asks, and left is what is left', async () => {
    const key = randomUUID()
    const limit = { max: 5, windowMs: 60_000 }
    expect(await kv.count(key, { ...limit, cost: 3 })).toEqual({ status: 'ok', used: 3, left: 2 })
    expect(await kv.count(key, { ...limit, cost: 3 })).toMatchObject({ status: 'limited', used: 3 })
    expect(await kv.count(key, { ...limit, cost: 0 })).toEqual({ status: 'ok', used: 3, left: 2 })
    expect(await kv.count(key, { ...limit, cost: 2 })).toEqual({ status: 'ok', used: 5, left: 0 })
  })

  test('a call that costs more than the limit never passes', async () => {
    const key = randomUUID()
    await kv.count(key, { max: 5, windowMs: 1_000 })
    const refused = { status: 'limited', used: 1, retryAfterMs: 1_000 }
    expect(await kv.count(key, { max: 5, windowMs: 1_000, cost: 6 })).toEqual(refused)
  })

  test('a limit of 0 lets nothing pass', async () => {
    const refused = { status: 'limited', used: 0, retryAfterMs: 1_000 }
    expect(await kv.count(randomUUID(), { max: 0, windowMs: 1_000 })).toEqual(refused)
  })

  function burst(key: string, limit: { max: number; windowMs: number }, calls: number) {
    return Promise.all(
      Array.from({ length: calls }, (_, i) => (i % 2 ? kv : other).count(key, limit)),
    )
  }
})

test('against a plain list of calls: never one too many, and none refused that fits with 1/64 to spare', async () => {
  const windowMs = 640
  const wait = fc.oneof(fc.nat(12), fc.integer({ min: windowMs - 15, max: windowMs + 15 }))
  const steps = fc.array(fc.record({ wait, cost: fc.nat(3) }), { minLength: 60, maxLength: 200 })
  const max = fc.integer({ min: 1, max: 12 })
  const sliding = fc.asyncProperty(steps, max, (calls, most) =>
    comparePlainly(calls, most, windowMs),
  )
  await fc.assert(sliding, { numRuns: longCount(150, 20_000) })
})

async function comparePlainly(
  calls: { wait: number; cost: number }[],
  max: number,
  windowMs: number,
): Promise<void> {
  const clock = createFakeClock()
  const kv = createMemoryKv({ clock })
  const passed: { at: number; cost: number }[] = []
  const within = (span: number) =>
    passed
      .filter(({ at }) => at + span > clock.monotonic())
      .reduce((sum, call) => sum + call.cost, 0)
  for (const { wait, cost } of calls) {
    clock.advance(wait)
    const { status } = await kv.count('k', { max, windowMs, cost })
    if (status === 'ok') {
      passed.push({ at: clock.monotonic(), cost })
      expect(within(windowMs)).toBeLessThanOrEqual(max)
    } else {
      expect(within(windowMs * (1 + 1 / bucketsPerWindow)) + cost).toBeGreaterThan(max)
    }
  }
}

test('the wait that a limited caller is told is the least that helps', () => {
  const calls = fc.array(fc.nat(30), { minLength: 30, maxLength: 60 })
  fc.assert(
    fc.property(calls, fc.integer({ min: 1, max: 5 }), (waits, cost) => {
      const limit = { max: 12, windowMs: 200, cost }
      const buckets: Parameters<typeof countInto>[0] = []
      let now = 0
      for (const wait of waits) {
        now += wait
        const count = countInto(buckets, limit, now)
        if (count.status === 'ok') continue
        const later = (ms: number) => countInto(structuredClone(buckets), limit, now + ms).status
        expect(later(count.retryAfterMs)).toBe('ok')
        expect(later(count.retryAfterMs - 1)).toBe('limited')
      }
    }),
    { numRuns: longCount(200, 20_000) },
  )
})

test('a window keeps at most 66 entries, whatever the limit', () => {
  const buckets: Parameters<typeof countInto>[0] = []
  const limit = { max: 1_000_000, windowMs: 60_000, cost: 1 }
  let most = 0
  for (let now = 0; now < 200_000; now += 7) {
    countInto(buckets, limit, now)
    most = Math.max(most, buckets.length)
  }
  expect(most).toBeGreaterThan(60)
  expect(most).toBeLessThanOrEqual(66)
})

function isOk(count: WindowCount): count is WindowCount & { status: 'ok' } {
  return count.status === 'ok'
}
