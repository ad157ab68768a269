import { createRedisKv } from '@dataagent/store/kv'
import type { Limit } from '../policy/index.ts'
import type { Limiter } from './contract.ts'
import { createLimiter } from './limiter.ts'
import { makePrincipal } from './test-limits.ts'

// A process of its own for tests: four limiters on the Redis that its arguments name.
const [url = '', prefix = ''] = process.argv.slice(2)
const kvs = [1, 2, 3, 4].map(() => createRedisKv({ url, prefix, timeoutMs: 20_000 }))
const limiters = kvs.map((kv) => createLimiter({ kv, patienceMs: 20_000 }))

/** `calls` at once, again and again for `forMs`. */
export interface BurstOrder {
  limits: Limit[]
  calls: number
  forMs: number
}

/** When each call that passed was sent and answered, on one clock for all processes. */
export type BurstAnswer = [sent: number, answered: number][]

process.on('message', async ({ limits, calls, forMs }: BurstOrder) => {
  const passed: BurstAnswer = []
  const take = async (limiter: Limiter) => {
    const sent = now()
    const { status } = await limiter.take(makePrincipal(), limits)
    if (status === 'ok') passed.push([sent, now()])
  }
  const burst = Array.from({ length: calls / limiters.length }, () => limiters).flat()
  const end = now() + forMs
  do await Promise.all(burst.map(take))
  while (now() < end)
  process.send?.(passed)
})

await Promise.all(kvs.map((kv) => kv.ready()))
process.send?.('ready')

function now(): number {
  return Number(process.hrtime.bigint() / 1_000n) / 1_000
}
