import { Redis } from 'ioredis'
import { describe, expect, test } from 'vitest'
import { createRedisScope } from './create-redis-scope.ts'
import { findService } from './find-service.ts'

describe.skipIf(!(await findService('redis')))('a redis scope', () => {
  test('takes its own keys with it and no others', async () => {
    const first = await createRedisScope()
    await using second = await createRedisScope()
    const redis = new Redis(first.url)
    await redis.mset(Array.from({ length: 2_500 }, (_, i) => [`${first.prefix}${i}`, 'x']).flat())
    await redis.set(`${second.prefix}1`, 'kept')
    await first[Symbol.asyncDispose]()
    expect(await redis.keys(`${first.prefix}*`)).toEqual([])
    expect(await redis.get(`${second.prefix}1`)).toBe('kept')
    redis.disconnect()
  })
})
