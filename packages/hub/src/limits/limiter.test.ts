import { createMemoryKv, type Kv } from '@dataagent/store/kv'
import { describeKv } from '@dataagent/store/kv/describe-kv'
import { createFakeClock } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import type { Limit } from '../policy/index.ts'
import type { Limiter, LimitVerdict } from './contract.ts'
import { createLimiter } from './limiter.ts'
import { makeLimit, makePrincipal } from './test-limits.ts'

const principal = makePrincipal()
const minute = 60_000

describeKv('limits', ({ kv, other, clock, elapse }) => {
  const eight = Array.from({ length: 8 }, (_, index) =>
    createLimiter({ kv: index % 2 ? kv : other, clock, patienceMs: 20_000 }),
  )
  const [first] = eight as [Limiter]

  const burst = (calls: number, limits: readonly Limit[]) =>
    Promise.all(
      Array.from({ length: calls }, (_, index) =>
        (eight[index % 8] as Limiter).take(principal, limits),
      ),
    )
  const used = async (limit: Limit) => {
    const { max_calls: max, window_ms: windowMs } = limit
    const key = `limit:t1:${limit.limit_id}:t1:*/*`
    return (await kv.count(key, { max, windowMs, cost: 0 })).used
  }

  test('a burst on eight limiters passes exactly the limit', async () => {
    const verdicts = await burst(400, [makeLimit(240, minute)])
    expect(verdicts.filter(isOk)).toHaveLength(240)
  })

  test('no double burst at the edge of a window [T32]', async () => {
    const limits = [makeLimit(10, 1_500)]
    expect((await burst(16, limits)).filter(isOk)).toHaveLength(10)
    await elapse(900)
    expect((await burst(16, limits)).filter(isOk)).toHaveLength(0)
    await elapse(700)
    expect((await burst(24, limits)).filter(isOk)).toHaveLength(10)
  })

  test('who is refused is told by which limit, and when to come back', async () => {
    const limits = [makeLimit(100, minute), makeLimit(2, 800), makeLimit(100, minute)]
    await burst(2, limits)
    const refused = await first.take(principal, limits)
    if (refused.status !== 'limited') throw new Error('not limited')
    expect(refused.limit).toBe(limits[1])
    expect(refused.retryAfterMs).toBeGreaterThan(0)
    await elapse(refused.retryAfterMs)
    expect(await first.take(principal, limits)).toEqual({ status: 'ok' })
  })

  test('a call that one limit refuses uses up no other, in a burst neither', async () => {
    const [narrow, middle, wide] = [
      makeLimit(30, minute),
      makeLimit(60, minute),
      makeLimit(1_000, minute),
    ]
    const verdicts = await burst(200, [wide, narrow, middle])
    expect(verdicts.filter(isOk)).toHaveLength(30)
    expect(await Promise.all([narrow, middle, wide].map(used))).toEqual([30, 30, 30])
  })

  test('of a limit that others use too, no more pass than it has', async () => {
    const [own, shared] = [makeLimit(50, minute), makeLimit(70, minute)]
    const [mine, theirs] = await Promise.all([burst(80, [own, shared]), burst(80, [shared])])
    expect(mine.filter(isOk).length).toBeLessThanOrEqual(50)
    expect(mine.filter(isOk).length + theirs.filter(isOk).length).toBeLessThanOrEqual(70)
  })

  test('each subject of a kind has a window of its own under *', async () => {
    const limit = makeLimit(1, minute, { subject: { kind: 'user', id: '*' } })
    const take = (user_id: string | null) => first.take(makePrincipal({ user_id }), [limit])
    expect(await take('u1')).toEqual({ status: 'ok' })
    expect(await take('u2')).toEqual({ status: 'ok' })
    expect(await take('u1')).toMatchObject({ status: 'limited', limit })
    expect([await take(null), await take(null)].every(isOk)).toBe(true)
  })
})

describe('limits without waiting', () => {
  test('a call without limits asks nobody', async () => {
    const kv = { count: () => Promise.reject(new Error('asked')) }
    let local = 0
    const limiter = createLimiter({ kv, onLocal: () => local++ })
    expect(await limiter.take(principal, [])).toEqual({ status: 'ok' })
    expect(local).toBe(0)
  })

  test('a limit that the KV does not take is held here, and others still there', async () => {
    const kv = createMemoryKv()
    let local = 0
    const limiter = createLimiter({ kv, onLocal: () => local++ })
    const odd = makeLimit(2, 1_000.5)
    const verdicts = [1, 2, 3].map(() => limiter.take(principal, [odd]))
    expect((await Promise.all(verdicts)).filter(isOk)).toHaveLength(2)
    expect(await limiter.take(principal, [makeLimit(2, minute)])).toEqual({ status: 'ok' })
    expect(local).toBe(3)
  })
})

describe('limits with the KV away', () => {
  test('count here what the KV had not counted yet, and say so each time', async () => {
    const { limiter, faults, local } = createFaulty()
    const limit = makeLimit(10, minute)
    await takeTimes(limiter, 4, limit)
    faults.isAway = true
    expect((await takeTimes(limiter, 20, limit)).filter(isOk)).toHaveLength(6)
    expect(local.verdicts).toBe(20)
  })

  test('slide as those of the KV do', async () => {
    const { limiter, faults, clock } = createFaulty()
    const limit = makeLimit(10, minute)
    faults.isAway = true
    expect((await takeTimes(limiter, 6, limit)).filter(isOk)).toHaveLength(6)
    clock.advance(30_000)
    expect((await takeTimes(limiter, 6, limit)).filter(isOk)).toHaveLength(4)
    const refused = await limiter.take(principal, [limit])
    expect(refused).toMatchObject({ status: 'limited', retryAfterMs: 30_000 })
    clock.advance(30_000)
    expect((await takeTimes(limiter, 8, limit)).filter(isOk)).toHaveLength(6)
  })

  test('use up nothing of the others either', async () => {
    const { limiter, faults } = createFaulty()
    const [narrow, wide] = [makeLimit(2, minute), makeLimit(4, minute)]
    faults.isAway = true
    expect((await takeTimes(limiter, 9, narrow, wide)).filter(isOk)).toHaveLength(2)
    expect((await takeTimes(limiter, 9, wide)).filter(isOk)).toHaveLength(2)
  })

  test('ask the KV once in a while, beside the calls, and not for each', async () => {
    const { limiter, faults, clock } = createFaulty()
    faults.isAway = true
    await limiter.take(principal, [makeLimit(1_000, minute)])
    faults.asked = 0
    for (let call = 0; call < 100; call++) {
      await limiter.take(principal, [makeLimit(1_000, minute)])
      clock.advance(20)
    }
    expect(faults.asked).toBeGreaterThan(1)
    expect(faults.asked).toBeLessThanOrEqual(4)
  })

  test('a KV that never answers is waited for once', async () => {
    const { limiter, faults, clock } = createFaulty()
    faults.isSilent = true
    const limit = makeLimit(2, minute)
    const waiting = limiter.take(principal, [limit])
    await clock.advanceAsync(1_001)
    expect(await waiting).toEqual({ status: 'ok' })
    expect((await takeTimes(limiter, 5, limit)).filter(isOk)).toHaveLength(1)
    expect(clock.pending()).toBeLessThanOrEqual(1)
  })

  test('when it is back, what was let through meanwhile still counts for its time', async () => {
    const { limiter, faults, local, clock } = createFaulty()
    const limit = makeLimit(10, minute)
    await takeTimes(limiter, 3, limit)
    faults.isAway = true
    expect((await takeTimes(limiter, 4, limit)).filter(isOk)).toHaveLength(4)
    faults.isAway = false
    clock.advance(1_000)
    await limiter.take(principal, [makeLimit(1, minute)])
    await clock.advanceAsync(0)
    local.verdicts = 0
    expect((await takeTimes(limiter, 9, limit)).filter(isOk)).toHaveLength(3)
    expect(local.verdicts).toBe(0)
    clock.advance(minute)
    expect((await takeTimes(limiter, 19, limit)).filter(isOk)).toHaveLength(10)
  })
})

/** A limiter on a KV that can be taken away. */
function createFaulty() {
  const clock = createFakeClock()
  const kv: Kv = createMemoryKv({ clock })
  const faults = { isAway: false, isSilent: false, asked: 0 }
  const local = { verdicts: 0 }
  const limiter = createLimiter({
    clock,
    onLocal: () => void local.verdicts++,
    kv: {
      async count(key, limit) {
        faults.asked++
        if (faults.isSilent) return new Promise(() => {})
        if (faults.isAway) throw new Error('away')
        return kv.count(key, limit)
      },
    },
  })
  return { clock, faults, local, limiter }
}

async function takeTimes(limiter: Limiter, times: number, ...limits: Limit[]) {
  return Promise.all(Array.from({ length: times }, () => limiter.take(principal, limits)))
}

function isOk({ status }: LimitVerdict): boolean {
  return status === 'ok'
}
