import { setTimeout as delay } from 'node:timers/promises'
import { makePeople } from '../nodes/people.ts'
import type { FigureDatabase } from './figure-server.ts'
import { type Load, startUsers } from './turns.ts'

/** Of two tenants: one that may flood, and one beside it. */
export const people = makePeople({ tenants: 2, users: 100 })
export const [floods, others] = [people.slice(0, 100), people.slice(100)]

/** How long, how often and on what; each is a flag. */
export interface LoadCounts {
  seconds: number
  cancels: number
  /** Turns of the calm tenant, alone and again beside the other. */
  samples: number
  /** Each limit of turns that run at once which is tried. */
  runningTurns: readonly number[]
  workers: readonly number[]
  databases: readonly FigureDatabase[]
}

/** Lets a load go on for so long; throws where it failed. */
export async function loadFor(
  seconds: number,
  load: Load,
): Promise<{ times: readonly number[]; shed: number; perSecond: number }> {
  await delay(seconds * 1_000)
  const perSecond = load.times.length / seconds
  await load[Symbol.asyncDispose]()
  if (load.failures.length > 0) throw new Error(load.failures.slice(0, 3).join('\n'))
  return { times: load.times, shed: load.shed, perSecond }
}

export async function warm(url: string): Promise<void> {
  const load = startUsers({ url, people: people.slice(0, 16) })
  await delay(3_000)
  await load[Symbol.asyncDispose]()
}
