import { setTimeout as delay } from 'node:timers/promises'
import { makePeople } from '../nodes/people.ts'
import { type Load, startUsers } from './turns.ts'

/** Of two tenants: one that may flood, and one beside it. */
export const people = makePeople({ tenants: 2, users: 100 })
export const [floods, others] = [people.slice(0, 100), people.slice(100)]

/** Counts of how long and how often; each is a flag. */
export interface LoadCounts {
  seconds: number
  cancels: number
}

/** Lets a load go on for so long; throws where it failed. */
export async function loadFor(seconds: number, load: Load): Promise<Load> {
  await delay(seconds * 1_000)
  await load[Symbol.asyncDispose]()
  if (load.failures.length > 0) throw new Error(load.failures.slice(0, 3).join('\n'))
  return load
}

export async function warm(url: string): Promise<void> {
  const load = startUsers({ url, people: people.slice(0, 16) })
  await delay(3_000)
  await load[Symbol.asyncDispose]()
}
