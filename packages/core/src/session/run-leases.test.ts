import { randomUUID } from 'node:crypto'
import { createMemoryKv } from '@dataagent/store/kv'
import { describeKv } from '@dataagent/store/kv/describe-kv'
import { createFakeClock, waitFor } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { createRunLeases, type RunLease } from './run-leases.ts'

const ttlMs = 1_000

describeKv('run leases', ({ kv, other, clock, elapse }) => {
  const here = createRunLeases({ kv, clock, ttlMs })
  const elsewhere = createRunLeases({ kv: other, clock, ttlMs })

  test('of many that want to run in a session, in two processes, one does [D23.3]', async () => {
    const session_id = randomUUID()
    const wanting = Array.from({ length: 40 }, (_, n) =>
      (n % 2 === 0 ? here : elsewhere).acquire(session_id),
    )
    const won = (await Promise.all(wanting)).filter((lease) => lease !== undefined)
    expect(won).toHaveLength(1)
    await won[0]!.release()
  })

  test('a session that is free again can be run in elsewhere, and nothing was lost', async () => {
    const session_id = randomUUID()
    const first = await here.acquire(session_id)
    expect(await elsewhere.acquire(session_id)).toBeUndefined()
    expect(await elsewhere.isHeld(session_id)).toBe(true)
    await first!.release()
    await first!.release()
    expect(await elsewhere.isHeld(session_id)).toBe(false)
    const second = await elsewhere.acquire(session_id)
    expect(first!.lost.aborted).toBe(false)
    await second!.release()
  })

  test('a run that outlives its lease keeps it', async () => {
    const session_id = randomUUID()
    const lease = await here.acquire(session_id)
    await elapse(ttlMs * 1.5)
    expect(lease!.lost.aborted).toBe(false)
    expect(await elsewhere.acquire(session_id)).toBeUndefined()
    await lease!.release()
  })

  test('a run whose process died or stood still keeps others out no longer than its lease', async () => {
    const session_id = randomUUID()
    const stuck = createRunLeases({ kv: withoutRenewal(kv), clock, ttlMs })
    const lost = await stuck.acquire(session_id)
    await elapse(ttlMs * 1.2)
    const next = await waitFor(() => elsewhere.acquire(session_id))
    expect(lost!.lost.aborted).toBe(true)
    await next.release()
  })

  test('a run that lost its lease still bars its own process until it has ended', async () => {
    const session_id = randomUUID()
    const stuck = createRunLeases({ kv: withoutRenewal(kv), clock, ttlMs })
    const lost = await stuck.acquire(session_id)
    await elapse(ttlMs * 1.2)
    expect(lost!.lost.aborted).toBe(true)
    expect(await stuck.acquire(session_id)).toBeUndefined()
    await lost!.release()
    const again = await stuck.acquire(session_id)
    expect(again).toBeDefined()
    await again!.release()
  })
})

describe('without a KV', () => {
  test('one run at a time in this process', async () => {
    const leases = createRunLeases()
    const first = await leases.acquire('s1')
    const [second, other] = await Promise.all([leases.acquire('s1'), leases.acquire('s2')])
    expect([second, await leases.isHeld('s1')]).toEqual([undefined, true])
    await Promise.all([first, other].map((lease) => (lease as RunLease).release()))
    expect(await leases.isHeld('s1')).toBe(false)
    expect(await leases.acquire('s1')).toBeDefined()
  })
})

test('by default a run whose process died keeps others out for 8 seconds [D23.5]', async () => {
  const clock = createFakeClock()
  await using kv = createMemoryKv({ clock })
  const stuck = createRunLeases({ kv: withoutRenewal(kv), clock })
  const lease = await stuck.acquire('s1')
  await clock.advanceAsync(7_900)
  expect([lease!.lost.aborted, await stuck.isHeld('s1')]).toEqual([false, true])
  await clock.advanceAsync(100)
  expect(lease!.lost.aborted).toBe(true)
  expect(await createRunLeases({ kv, clock }).acquire('s1')).toBeDefined()
})

test('a KV that is away is told, and leaves the session free', async () => {
  let isAway = true
  const leases = createRunLeases({
    kv: {
      leaseHolder: async () => undefined,
      async acquireLease() {
        if (isAway) throw new Error('away')
        const { signal } = new AbortController()
        const done = async () => {}
        return {
          fence: 1,
          lost: signal,
          renew: async () => true,
          release: done,
          [Symbol.asyncDispose]: done,
        }
      },
    },
  })
  await expect(leases.acquire('s1')).rejects.toThrow('away')
  isAway = false
  const lease = await leases.acquire('s1')
  expect(lease).toBeDefined()
  await lease!.release()
})

type LeasingKv = NonNullable<NonNullable<Parameters<typeof createRunLeases>[0]>['kv']>

/** As a process sees it that does not come round to renewing. */
function withoutRenewal(kv: LeasingKv): LeasingKv {
  return {
    leaseHolder: (name) => kv.leaseHolder(name),
    async acquireLease(name, options) {
      const lease = await kv.acquireLease(name, options)
      return lease && Object.assign(Object.create(lease), { renew: () => new Promise(() => {}) })
    },
  }
}

test('a run that is abandoned has lost its session, which is free once it has ended here', async () => {
  const { kv, clock } = { kv: createMemoryKv(), clock: createFakeClock() }
  const here = createRunLeases({ kv, clock })
  const lease = await here.acquire('s1')
  here.abandon('s2')
  expect(lease?.lost.aborted).toBe(false)
  here.abandon('s1')
  expect(lease?.lost.aborted).toBe(true)
  expect(await createRunLeases({ kv, clock }).isHeld('s1')).toBe(true)
  await lease?.release()
  expect(await createRunLeases({ kv, clock }).isHeld('s1')).toBe(false)
  here.abandon('s1')
  await kv[Symbol.asyncDispose]()
})
