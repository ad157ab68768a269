import { randomUUID } from 'node:crypto'
import { longCount } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { describeKv } from './describe-kv.ts'

describeKv('a counter', ({ kv, other, elapse }) => {
  const rounds = longCount(5, 50)

  test(`of ${rounds * 200} parallel reservations, 200 at a cap, exactly the cap succeeds each time [T46]`, async () => {
    for (let round = 0; round < rounds; round++) {
      const key = randomUUID()
      const changes = await Promise.all(
        Array.from({ length: 200 }, (_, i) => (i % 2 ? kv : other).add(key, 1, { max: 50 })),
      )
      expect(changes.filter(({ status }) => status === 'ok')).toHaveLength(50)
      expect(await kv.add(key, 0)).toEqual({ status: 'ok', value: 50 })
    }
  })

  test('stops at its floor, and what was given back can be had again', async () => {
    const key = randomUUID()
    expect(await kv.add(key, -1, { min: 0 })).toEqual({ status: 'refused', value: 0 })
    expect(await kv.add(key, 3, { max: 3 })).toEqual({ status: 'ok', value: 3 })
    expect(await kv.add(key, 1, { max: 3 })).toEqual({ status: 'refused', value: 3 })
    expect(await kv.add(key, -1, { min: 0 })).toEqual({ status: 'ok', value: 2 })
    expect(await kv.add(key, 1, { max: 3 })).toEqual({ status: 'ok', value: 3 })
  })

  test('can be lowered also when it is above a cap that came later', async () => {
    const key = randomUUID()
    await kv.add(key, 10)
    expect(await kv.add(key, -1, { min: 0, max: 5 })).toEqual({ status: 'ok', value: 9 })
  })

  test('begins at 0 again when it was not changed for its time to live', async () => {
    const key = randomUUID()
    await kv.add(key, 5, { ttlMs: 1_000 })
    await elapse(500)
    await kv.add(key, 1, { ttlMs: 1_000 })
    await elapse(600)
    expect(await kv.add(key, 0)).toEqual({ status: 'ok', value: 6 })
    await elapse(400)
    expect(await kv.add(key, 0)).toEqual({ status: 'ok', value: 0 })
  })

  test('is exact up to the largest safe integer and goes no further', async () => {
    const key = randomUUID()
    const most = Number.MAX_SAFE_INTEGER
    expect(await kv.add(key, most - 1)).toEqual({ status: 'ok', value: most - 1 })
    expect(await kv.add(key, 1)).toEqual({ status: 'ok', value: most })
    expect(await kv.add(key, 1)).toEqual({ status: 'refused', value: most })
  })
})
