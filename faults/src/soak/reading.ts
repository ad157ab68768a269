import { readdir, readFile, readlink } from 'node:fs/promises'
import type { Inspector } from './inspector.ts'

/** What a node holds at one moment: bytes for memory, else how many. */
export type Reading = Readonly<Record<string, number>>

export interface Measured {
  pid: number
  /** Where it listens. */
  port: number
  inspector: Inspector
}

interface Inside {
  heap: number
  external: number
  resident: number
  handles: string[]
}

const inside = `(() => {
  const { heapUsed, external, rss } = process.memoryUsage()
  return { heap: heapUsed, external, resident: rss, handles: process.getActiveResourcesInfo() }
})()`

/** Prototypes whose living objects are counted; timers that keep nothing alive are among them. */
const timerPrototype = `(() => {
  const timer = setTimeout(() => {}, 1)
  clearTimeout(timer)
  return Object.getPrototypeOf(timer)
})()`
const livingTimers = 'function () { return this.filter((timer) => !timer._destroyed).length }'
const livingSignals = 'function () { return this.length }'

/** After garbage collection. */
export async function takeReading({ pid, port, inspector }: Measured): Promise<Reading> {
  const timers = await inspector.evaluateAll<number>(timerPrototype, livingTimers)
  const signals = await inspector.evaluateAll<number>('AbortSignal.prototype', livingSignals)
  // What finalizers let go of is garbage only after them.
  await inspector.collectGarbage()
  await inspector.collectGarbage()
  const { handles, ...memory } = await inspector.evaluate<Inside>(inside)
  const descriptors = await descriptorsOf(pid)
  return {
    ...memory,
    ...{ timers, signals, descriptors: descriptors.length },
    ...toCounts('connections', await connectionsOf(pid, { port, descriptors })),
    children: (await descendantsOf(pid)).length,
    ...toCounts('handles', handles),
  }
}

/** How many clients are connected. */
export async function countClients({ pid, port }: Measured): Promise<number> {
  const connections = await connectionsOf(pid, { port, descriptors: await descriptorsOf(pid) })
  return connections.filter((kind) => kind === 'in').length
}

function toCounts(name: string, kinds: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const kind of kinds.toSorted()) {
    const key = `${name}: ${kind}`
    counts[key] = (counts[key] ?? 0) + 1
  }
  return counts
}

/** What its descriptors lead to. */
async function descriptorsOf(pid: number): Promise<string[]> {
  const names = await readdir(`/proc/${pid}/fd`)
  const targets = names.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => ''))
  return (await Promise.all(targets)).filter((target) => target !== '')
}

const established = '01'

/** `in` for each connection that a client has made, `out` for each of its own. */
async function connectionsOf(
  pid: number,
  { port, descriptors }: { port: number; descriptors: readonly string[] },
): Promise<string[]> {
  const tables = ['tcp', 'tcp6'].map((name) =>
    readFile(`/proc/${pid}/net/${name}`, 'utf8').catch(() => ''),
  )
  const rows = (await Promise.all(tables)).flatMap((table) => table.split('\n').slice(1))
  const held = new Set(descriptors)
  return rows.flatMap((row) => {
    const [, local = '', , state, , , , , , inode] = row.trim().split(/\s+/)
    if (state !== established || !held.has(`socket:[${inode}]`)) return []
    return [Number.parseInt(local.split(':')[1] ?? '', 16) === port ? 'in' : 'out']
  })
}

/** The processes below one, those included that have ended and were not waited for. */
export async function descendantsOf(pid: number): Promise<number[]> {
  const tasks = await readdir(`/proc/${pid}/task`).catch(() => [])
  const lists = tasks.map((task) =>
    readFile(`/proc/${pid}/task/${task}/children`, 'utf8').catch(() => ''),
  )
  const children = (await Promise.all(lists)).join(' ').split(' ').filter(Boolean).map(Number)
  const below = await Promise.all(children.map(descendantsOf))
  return [...children, ...below.flat()]
}
