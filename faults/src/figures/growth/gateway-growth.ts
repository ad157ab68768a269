import { makePeople } from '../../nodes/people.ts'
import { openDoors, openGatewayLoad } from './gateway-load.ts'
import type { Door } from './gateway-session.ts'
import { type Cost, measure } from './measure.ts'
import { spentBy } from './spent.ts'
import { startWorld, type World } from './world.ts'

/** One point: how many of each there are, and what a call costs then. */
export interface CallCost extends Cost {
  /** Of the thing that grows. */
  count: number
  /** Resident memory of all nodes with the sessions open, in megabytes. */
  residentMb: number
  /** By which it rose while the sessions were opened, for each, in kilobytes. */
  sessionKb: number
}

export interface CallCounts {
  /** In each round. */
  calls: number
  rounds: number
  /** Calls of each node before anything is measured: its code is compiled by use. */
  warm: number
}

export interface Size {
  tools: number
  tenants: number
  sessions: number
  /** 0 is one on SQLite. */
  nodes: number
}

/** What does not grow is of this size. */
export const small: Size = { tools: 10, tenants: 1, sessions: 10, nodes: 0 }

/** CPU of a tool call through the gateway, in a world of this size. */
export async function measureCalls(size: Size, counts: CallCounts) {
  const people = makePeople({ tenants: size.tenants, users: 1 })
  await using world = await startWorld({ people, tools: size.tools, nodes: size.nodes })
  return await measureCallsIn(world, size, counts)
}

export async function measureCallsIn(world: World, size: Size, counts: CallCounts) {
  const { urls, upstream, pids } = world
  const { tools, tenants } = size
  // Each tenant has one at least.
  const sessions = Math.max(size.sessions, tenants)
  const people = makePeople({ tenants, users: 1 })
  const doors = await openDoors({ urls, people, upstream, tools, sessions })
  await warmUp(doors, tools, counts.warm * urls.length)
  const before = await spentBy(pids)
  await using load = await openGatewayLoad(doors, { tools, sessions })
  const opened = await spentBy(pids)
  await load.run(sessions)
  const cost = await measure(world, { rounds: counts.rounds, count: counts.calls, run: load.run })
  const { residentBytes } = await spentBy(pids)
  return {
    ...cost,
    residentMb: Math.round(residentBytes / 1e6),
    sessionKb: Math.round((opened.residentBytes - before.residentBytes) / sessions / 1e3),
  } satisfies Omit<CallCost, 'count'>
}

async function warmUp(doors: readonly Door[], tools: number, calls: number): Promise<void> {
  await using load = await openGatewayLoad(doors, { tools, sessions: doors.length })
  await load.run(calls)
}
