import { randomUUID } from 'node:crypto'
import { createRedisScope, findService, longCount } from '@dataagent/testkit'
import fc from 'fast-check'
import { Redis } from 'ioredis'
import { afterAll, describe, expect, test } from 'vitest'
import {
  acquireLeaseScript,
  countScript,
  leaseHolderScript,
  type RedisScript,
  serverTime,
} from './redis-scripts.ts'
import { type Bucket, countInto } from './window.ts'

const day = 24 * 3_600_000

describe.skipIf(!(await findService('redis')))('scripts at a time of our choosing', async () => {
  const scope = await createRedisScope()
  const redis = new Redis(scope.url)
  afterAll(async () => {
    redis.disconnect()
    await scope[Symbol.asyncDispose]()
  })

  /** Runs the script as it is, but for the server's clock. */
  function runAt(now: number, { lua }: RedisScript, key: string, ...args: (string | number)[]) {
    const timed = lua.replace(serverTime, `local now = ARGV[${args.length + 1}] * 1000`)
    expect(timed).not.toBe(lua)
    return redis.eval(timed, 1, scope.prefix + key, ...args, now) as Promise<unknown>
  }

  test('counting in Redis and in memory is the same', async () => {
    const wait = fc.oneof(fc.nat(1_100), fc.integer({ min: 63_000, max: 65_000 }))
    const steps = fc.array(fc.record({ wait, cost: fc.nat(3) }), { minLength: 40, maxLength: 100 })
    const same = fc.asyncProperty(steps, fc.integer({ min: 1, max: 12 }), async (calls, max) => {
      const key = randomUUID()
      const buckets: Bucket[] = []
      let now = Date.now()
      for (const { wait, cost } of calls) {
        now += wait
        const limit = { max, windowMs: 64_000, cost }
        const inRedis = await runAt(now, countScript, key, max, limit.windowMs, cost)
        const { status, used, ...rest } = countInto(buckets, limit, now)
        const expected = 'left' in rest ? [1, used] : [0, used, rest.retryAfterMs]
        expect(inRedis, status).toEqual(expected)
      }
    })
    await fc.assert(same, { numRuns: longCount(30, 2_000) })
  })

  test('with the clock of the server set back nobody is locked out, and nobody gets more [F22]', async () => {
    const [key, now, limit] = [randomUUID(), Date.now(), [2, 1_000, 1]]
    for (let call = 0; call < 2; call++) await runAt(now, countScript, key, ...limit)
    expect(await runAt(now - day, countScript, key, ...limit)).toEqual([0, 2, 1_000])
    expect(await runAt(now - day, countScript, key, 3, 1_000, 1)).toEqual([1, 3])
    expect(await runAt(now - day + 1_000, countScript, key, ...limit)).toEqual([1, 1])
  })

  test('with the clock set back a lease is held for its own time at most, and fences rise', async () => {
    const [name, now] = [randomUUID(), Date.now()]
    const first = await runAt(now, acquireLeaseScript, name, 'a', 1_000)
    const held = await runAt(now - day, leaseHolderScript, name)
    expect(held).toEqual(['a', first, 1_000])
    expect(await runAt(now - day, acquireLeaseScript, name, 'b', 1_000)).toBeNull()
    expect(await runAt(now - day + 999, acquireLeaseScript, name, 'b', 1_000)).toBeNull()
    const second = await runAt(now - day + 1_000, acquireLeaseScript, name, 'b', 1_000)
    expect(Number(second)).toBeGreaterThan(Number(first))
  })
})
