import { setTimeout as delay } from 'node:timers/promises'
import { percentile } from '../percentile.ts'
import { spentBy } from './spent.ts'
import type { StoreCounts } from './store-counts.ts'
import type { World } from './world.ts'

/** What one piece of work costs, in microseconds of CPU: the middle one of the rounds. */
export interface Cost {
  cpu: number
  /** Of the cheapest and the dearest round. */
  least: number
  most: number
  stores?: StoreCost
}

/** Of all rounds together. */
export interface StoreCost extends StoreCounts {
  databaseCpu: number
  redisCpu: number
}

export interface Rounds {
  rounds: number
  /** Pieces of work in each. */
  count: number
  run(count: number): Promise<void>
}

/** What was done is written to the database after 200 ms at the latest: that belongs to it. */
const settleMs = 300

export async function measure(world: World, { rounds, count, run }: Rounds): Promise<Cost> {
  const costs: number[] = []
  const before = await storesOf(world)
  for (let round = 0; round < rounds; round += 1) {
    const { cpuMicros } = await spentBy(world.pids)
    await run(count)
    await delay(settleMs)
    costs.push(((await spentBy(world.pids)).cpuMicros - cpuMicros) / count)
  }
  const after = await storesOf(world)
  const [cpu, least, most] = [50, 0, 100].map((share) => Math.round(percentile(costs, share)))
  return {
    ...{ cpu: cpu!, least: least!, most: most! },
    ...(before && after && { stores: perPiece(before, after, rounds * count) }),
  }
}

async function storesOf({ stores }: World): Promise<StoreCost | undefined> {
  if (stores === undefined) return undefined
  const { databasePid, redisPid, count } = stores
  const counts = await count()
  const { cpuMicros: databaseCpu } = await spentBy([databasePid])
  const { cpuMicros: redisCpu } = await spentBy([redisPid])
  return { ...counts, databaseCpu, redisCpu }
}

function perPiece(before: StoreCost, after: StoreCost, pieces: number): StoreCost {
  const each = (name: keyof StoreCost) =>
    Math.round(((after[name] - before[name]) / pieces) * 1e4) / 1e4
  return {
    writes: each('writes'),
    walBytes: Math.round(each('walBytes')),
    logBytes: Math.round(each('logBytes')),
    auditBytes: Math.round(each('auditBytes')),
    redisCommands: each('redisCommands'),
    databaseCpu: Math.round(each('databaseCpu')),
    redisCpu: Math.round(each('redisCpu')),
  }
}
