import { randomBytes } from 'node:crypto'
import { requireService } from './find-service.ts'

export interface RedisScope extends AsyncDisposable {
  url: string
  /** Begins every key and channel of this test; no other test has it. Ends in a colon. */
  prefix: string
}

/**
 * A part of the shared Redis for one test: its keys go when it is disposed of. Ask
 * `findService('redis')` first.
 */
export async function createRedisScope(): Promise<RedisScope> {
  const url = await requireService('redis')
  const prefix = `test-${randomBytes(6).toString('hex')}:`
  return { url, prefix, [Symbol.asyncDispose]: () => deleteKeys(url, prefix) }
}

async function deleteKeys(url: string, prefix: string): Promise<void> {
  const { Redis } = await import('ioredis')
  const redis = new Redis(url)
  try {
    let cursor = '0'
    do {
      const [next, keys] = await redis.scan(cursor, 'MATCH', `${prefix}*`, 'COUNT', 1_000)
      if (keys.length > 0) await redis.unlink(...keys)
      cursor = next
    } while (cursor !== '0')
  } finally {
    redis.disconnect()
  }
}
