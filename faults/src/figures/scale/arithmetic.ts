import type { CallCost } from '../growth/gateway-growth.ts'
import type { Growth } from '../growth/growth.ts'
import type { StoreCost } from '../growth/measure.ts'

/** What is taken for granted of a million users, and not measured. */
export const assumed = {
  users: 1_000_000,
  /** Of all users, at work at once in the busiest hour. */
  activeShare: 0.05,
  /** Of all users, with a page open at once. */
  openShare: 0.1,
  /** Of a user at work, in an hour. */
  turns: 12,
  /** One in the turn that was measured; more cost what a call through the gateway does. */
  callsPerTurn: 2,
  words: 250,
  turnSeconds: 10,
  /** A day has as much to do as so many of its busiest hours. */
  busyHours: 8,
  /** How full a core may be in the busiest hour. */
  fullness: 0.5,
  keptDays: 90,
}

/** As the settings are by default, and PostgreSQL's own. */
export const limits = {
  runningTurns: 200,
  connections: 10_000,
  databaseConnections: 10,
  postgresConnections: 100,
  diskBytes: 1e12,
}

export interface Needs {
  turnsPerSecond: number
  callsPerSecond: number
  /** CPU of a turn with its first call, in microseconds. */
  turnCpu: number
  /** Of each further call. */
  callCpu: number
  nodeCores: number
  processes: number
  runningTurns: number
  sockets: number
  socketBytes: number
  databaseConnections: number
  databaseCores: number
  writesPerSecond: number
  walBytesPerSecond: number
  redisCores: number
  redisCommandsPerSecond: number
  logBytesPerDay: number
  auditBytesPerDay: number
}

/** Carries what was measured on to all users. */
export function carryOn(growth: Growth, given = assumed): Needs {
  const active = given.users * given.activeShare
  const turns = (active * given.turns) / 3_600
  const call = lastOnPostgres(growth)
  const each = (name: keyof StoreCost) =>
    turnOf(growth, given.words, name) + (given.callsPerTurn - 1) * (call.stores?.[name] ?? 0)
  const turnCpu = turnOf(growth, given.words, 'cpu')
  const perDay = turns * 3_600 * given.busyHours
  const [sockets, runningTurns] = [given.users * given.openShare, turns * given.turnSeconds]
  const nodeCores = (turns * (turnCpu + (given.callsPerTurn - 1) * call.cpu)) / 1e6
  const processes = Math.ceil(
    Math.max(
      ...[nodeCores / given.fullness, runningTurns / limits.runningTurns],
      sockets / limits.connections,
    ),
  )
  return {
    ...{ turnsPerSecond: turns, callsPerSecond: turns * given.callsPerTurn },
    ...{ turnCpu, callCpu: call.cpu, nodeCores, processes, runningTurns, sockets },
    socketBytes: sockets * (growth.sockets?.socketKb ?? 0) * 1e3,
    databaseConnections: processes * limits.databaseConnections,
    databaseCores: (turns * each('databaseCpu')) / 1e6,
    writesPerSecond: turns * each('writes'),
    walBytesPerSecond: turns * each('walBytes'),
    redisCores: (turns * each('redisCpu')) / 1e6,
    redisCommandsPerSecond: turns * each('redisCommands'),
    logBytesPerDay: perDay * each('logBytes'),
    auditBytesPerDay: perDay * each('auditBytes'),
  }
}

export type Break = keyof ReturnType<typeof toShares>

/** What is full first as users come, each where nothing is done about it: with how many users. */
export function findBreaks(needs: Needs, commitsPerSecond: number): { at: Break; users: number }[] {
  return Object.entries(toShares(needs, commitsPerSecond))
    .map(([at, share]) => ({ at: at as Break, users: assumed.users / share }))
    .toSorted((one, other) => one.users - other.users)
}

/** How many times over the need of all users is what there is of one. */
function toShares(needs: Needs, commitsPerSecond: number) {
  const keptBytes = (needs.logBytesPerDay + needs.auditBytesPerDay) * assumed.keptDays
  return {
    core: needs.nodeCores,
    runningTurns: needs.runningTurns / limits.runningTurns,
    connections: needs.sockets / limits.connections,
    databaseConnections: needs.databaseConnections / limits.postgresConnections,
    commits: needs.writesPerSecond / commitsPerSecond,
    redis: needs.redisCores,
    disk: keptBytes / limits.diskBytes,
  }
}

/** With the most nodes that were tried. */
function lastOnPostgres({ nodes }: Growth): CallCost {
  const found = nodes.findLast(({ stores }) => stores !== undefined)
  if (found === undefined) throw new Error('no call was measured on PostgreSQL')
  return found
}

/** Of a turn with so many words, on the line through the shortest and the longest measured. */
function turnOf({ turns }: Growth, words: number, name: keyof StoreCost | 'cpu'): number {
  const [short, long] = [turns[0], turns.at(-1)]
  if (short === undefined || long === undefined) throw new Error('no turn was measured')
  const read = (turn: typeof short) => (name === 'cpu' ? turn.cpu : (turn.stores?.[name] ?? 0))
  const [from, to] = [read(short), read(long)]
  if (long.words === short.words) return from
  return from + ((to - from) * (words - short.words)) / (long.words - short.words)
}
