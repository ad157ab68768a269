import { randomUUID } from 'node:crypto'
import { AppError } from '@dataagent/schema'
import { createFakeClock, waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { describeKv } from './describe-kv.ts'
import { createLease, holdLease } from './lease.ts'
import { createMemoryKv } from './memory-kv.ts'

describeKv('a lease', ({ kv, other, clock, elapse }) => {
  const options = { ttlMs: 1_000, owner: 'worker-1' }

  test('is held by one; others see who holds it', async () => {
    const name = randomUUID()
    const tries = await Promise.all(
      Array.from({ length: 20 }, (_, i) => (i % 2 ? kv : other).acquireLease(name, options)),
    )
    const held = tries.filter((lease) => lease !== undefined)
    expect(held).toHaveLength(1)
    const holder = await other.leaseHolder(name)
    expect(holder).toMatchObject({ owner: 'worker-1', fence: held[0]?.fence })
    expect(holder?.leftMs).toBeGreaterThan(0)
    expect(holder?.leftMs).toBeLessThanOrEqual(1_000)
  })

  test('given back it is free at once, and its fence has risen', async () => {
    const name = randomUUID()
    const fences: number[] = []
    for (let i = 0; i < 10; i++) {
      const lease = await (i % 2 ? kv : other).acquireLease(name, options)
      fences.push(lease?.fence ?? 0)
      await lease?.release()
      expect(lease?.lost.aborted).toBe(true)
    }
    expect(await kv.leaseHolder(name)).toBeUndefined()
    expect(new Set(fences).size).toBe(10)
    expect(fences).toEqual(fences.toSorted((a, b) => a - b))
    expect(fences.every(Number.isSafeInteger)).toBe(true)
  })

  test('not renewed it lapses: lost, not renewable, and another may have it', async () => {
    const name = randomUUID()
    const first = await kv.acquireLease(name, options)
    await elapse(1_000)
    await waitFor(() => first?.lost.aborted)
    expect(await first?.renew()).toBe(false)
    const second = await other.acquireLease(name, options)
    expect(second?.fence).toBeGreaterThan(first?.fence ?? Infinity)
    await first?.release()
    expect((await kv.leaseHolder(name))?.fence).toBe(second?.fence)
  })

  test('renewed it stays held', async () => {
    const name = randomUUID()
    const lease = await kv.acquireLease(name, options)
    for (let i = 0; i < 3; i++) {
      await elapse(400)
      expect(await lease?.renew()).toBe(true)
    }
    expect(lease?.lost.aborted).toBe(false)
    expect(await other.acquireLease(name, options)).toBeUndefined()
    await lease?.release()
  })

  test('held by holdLease it renews itself until it is given back', async () => {
    const name = randomUUID()
    const lease = await holdLease(kv, name, { ...options, clock })
    await elapse(1_600)
    expect(lease?.lost.aborted).toBe(false)
    expect(await holdLease(other, name, { ...options, clock })).toBeUndefined()
    await lease?.release()
    await using next = await holdLease(other, name, { ...options, clock })
    expect(next?.fence).toBeGreaterThan(lease?.fence ?? Infinity)
  })
})

test('a holder whose renewals fail keeps the lease until it lapses by its own clock', async () => {
  const clock = createFakeClock()
  const lease = createLease({
    name: 'n',
    owner: 'o',
    fence: 1,
    ttlMs: 300,
    askedAt: clock.monotonic(),
    clock,
    renew: () => Promise.reject(new AppError('store_unavailable', 'away')),
    release: () => Promise.reject(new AppError('store_unavailable', 'away')),
  })
  clock.advance(299)
  await expect(lease.renew()).rejects.toMatchObject({ code: 'store_unavailable' })
  expect(lease.lost.aborted).toBe(false)
  clock.advance(1)
  expect(lease.lost.reason).toMatchObject({ code: 'unavailable' })
  await lease.release()
  expect(clock.pending()).toBe(0)
})

test('a renewal that is answered too late does not revive the lease', async () => {
  const clock = createFakeClock()
  const answer = Promise.withResolvers<boolean>()
  let released = 0
  const lease = createLease({
    name: 'n',
    owner: 'o',
    fence: 1,
    ttlMs: 300,
    askedAt: clock.monotonic(),
    clock,
    renew: () => answer.promise,
    release: async () => released++,
  })
  const renewed = lease.renew()
  clock.advance(300)
  answer.resolve(true)
  expect(await renewed).toBe(false)
  expect([lease.lost.aborted, released]).toEqual([true, 1])
})

test('fences rise over a restart of the process, and while the wall clock is set back [F22]', async () => {
  const clock = createFakeClock()
  const options = { ttlMs: 10, owner: 'o' }
  const before = createMemoryKv({ clock })
  const fences = [(await before.acquireLease('n', options))?.fence]
  clock.jump(-24 * 3_600_000)
  clock.advance(10)
  fences.push((await before.acquireLease('n', options))?.fence)
  clock.jump(24 * 3_600_000)
  clock.advance(10)
  fences.push((await createMemoryKv({ clock }).acquireLease('n', options))?.fence)
  expect(fences).toEqual([...new Set(fences)].toSorted((a, b) => Number(a) - Number(b)))
})
