import { readdirSync, readFileSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { tagName } from './tag.ts'

const rowsPerTurn = 64

interface ProcessRow {
  pid: number
  parent: number
  session: number
}

/**
 * The living processes that came from `leaders` (each the first of its own session): members of their sessions, those
 * whose tag begins with `tag`, and all that these started. Only where /proc is (Linux); elsewhere it finds nothing.
 */
export async function findFamily(wanted: {
  leaders: ReadonlySet<number>
  tag: string
}): Promise<number[]> {
  const family = new Set<number>()
  const rows: ProcessRow[] = []
  let turn = 0
  for (const pid of listPids()) {
    turn += 1
    if (turn % rowsPerTurn === 0) await nextTurn()
    const row = readRow(pid)
    if (row === undefined || pid === process.pid) continue
    rows.push(row)
    if (wanted.leaders.has(row.session) || hasTag(pid, wanted.tag)) family.add(pid)
  }
  while (addChildren(rows, family));
  return [...family]
}

function addChildren(rows: ProcessRow[], family: Set<number>): boolean {
  const before = family.size
  for (const row of rows) if (family.has(row.parent)) family.add(row.pid)
  return family.size > before
}

function listPids(): number[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc').map(Number).filter(Number.isInteger)
}

/** Of a living process. Session 0 is the kernel's own threads: what we start has a session. */
function readRow(pid: number): ProcessRow | undefined {
  const stat = readProc(pid, 'stat')
  // The name, in brackets, may hold anything; the fields after it are numbers.
  const [state, parent, , session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const isLiving = state !== undefined && state !== 'Z' && state !== 'X'
  if (!isLiving || session === undefined || session === '0') return undefined
  return { pid, parent: Number(parent), session: Number(session) }
}

function hasTag(pid: number, tag: string): boolean {
  return tag !== '' && readProc(pid, 'environ').includes(`${tagName}=${tag}`)
}

/** Empty when the process has gone meanwhile or is another user's. */
function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1')
  } catch {
    return ''
  }
}
