import { availableParallelism } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { makePeople } from '../../nodes/people.ts'
import {
  type CallCost,
  type CallCounts,
  measureCalls,
  measureCallsIn,
  type Size,
  small,
} from './gateway-growth.ts'
import { spentBy } from './spent.ts'
import { measureTurns, openUsers, type Sockets, type TurnCost } from './turn-growth.ts'
import { startWorld, type World } from './world.ts'

/** What a tool call and a turn cost as one thing grows and the others stay small. */
export interface Growth {
  node: string
  cores: number
  counts: Method
  tools: CallCost[]
  tenants: CallCost[]
  sessions: CallCost[]
  /** On PostgreSQL and Redis; 0 is one on SQLite. */
  nodes: CallCost[]
  /** One node on PostgreSQL and Redis. */
  turns: TurnCost[]
  sockets: Sockets | undefined
  /** Milliseconds of CPU in a second of one node on PostgreSQL and Redis that nobody asks. */
  restMs: number | undefined
}

/** How often each thing was done. */
export interface Method extends CallCounts {
  /** Open while some of their users ask. */
  sockets: number
  /** Turns at once, and in each round. */
  turnsAtOnce: number
  /** Of turns. */
  turnRounds: number
  restSeconds: number
}

/** With the sizes that are tried. */
export interface GrowthCounts extends Method {
  tools: readonly number[]
  tenants: readonly number[]
  sessions: readonly number[]
  nodes: readonly number[]
  words: readonly number[]
}

export async function measureGrowth(
  counts: GrowthCounts,
  onStep: (step: string) => void,
): Promise<Growth> {
  const series = async (name: keyof Size, values: readonly number[]) => {
    const costs: CallCost[] = []
    for (const count of values) {
      onStep(`${name}: ${count}`)
      costs.push({ count, ...(await measureCalls({ ...small, [name]: count }, counts)) })
    }
    return costs
  }
  return {
    ...{ node: process.version, cores: availableParallelism(), counts: methodOf(counts) },
    tools: await series('tools', counts.tools),
    tenants: await series('tenants', counts.tenants),
    sessions: await series('sessions', counts.sessions),
    nodes: await series('nodes', counts.nodes),
    ...(await measureTurning(counts, onStep)),
  }
}

/** The sizes are told with each cost. */
function methodOf(counts: GrowthCounts): Method {
  const { calls, rounds, warm, sockets, turnsAtOnce, turnRounds, restSeconds } = counts
  return { calls, rounds, warm, sockets, turnsAtOnce, turnRounds, restSeconds }
}

async function measureTurning(
  counts: GrowthCounts,
  onStep: (step: string) => void,
): Promise<Pick<Growth, 'turns' | 'sockets' | 'restMs'>> {
  const turns: TurnCost[] = []
  if (counts.words.length === 0) return { turns, sockets: undefined, restMs: undefined }
  const { turnsAtOnce: atOnce, turnRounds: rounds } = counts
  const people = makePeople({ users: counts.sockets })
  await using world = await startWorld({ people, tools: small.tools, nodes: 1 })
  onStep('turns: a node at rest')
  const restMs = await measureRest(world, counts.restSeconds)
  await warmUp(world, counts)
  onStep(`turns: ${counts.sockets} sockets`)
  await using users = await openUsers(world, people)
  for (const words of counts.words) {
    onStep(`turns: ${words} words`)
    turns.push(await measureTurns(world, users, { words, rounds, atOnce }))
  }
  return { turns, sockets: users.sockets, restMs }
}

/** Makes the tool's server, and has what is measured compiled. */
async function warmUp(world: World, counts: GrowthCounts): Promise<void> {
  await measureCallsIn(world, { ...small, nodes: 1 }, { ...counts, rounds: 1 })
  const { turnsAtOnce: atOnce, words } = counts
  await using users = await openUsers(world, makePeople({ users: atOnce }))
  for (let round = 0; round < counts.turnRounds; round += 1) await users.ask(words[0]!, atOnce)
}

async function measureRest({ pids }: World, seconds: number): Promise<number> {
  const { cpuMicros } = await spentBy(pids)
  await delay(seconds * 1_000)
  return Math.round((await spentBy(pids)).cpuMicros - cpuMicros) / seconds / 1_000
}
