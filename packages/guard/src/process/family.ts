import { readdirSync, readFileSync } from 'node:fs'
import { uptime } from 'node:os'
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import { signalEach } from './signals.ts'
import { tagName } from './tag.ts'

const rowsPerTurn = 64
const ticksPerSecond = 100
const youngSeconds = 10
const lookAgainMs = 20
/** A family that forks as fast as it is stopped is killed as far as it is known. */
const maxLooks = 20

interface ProcessRow {
  pid: number
  parent: number
  session: number
  startedAtTick: number
}

/**
 * The living processes that came from `leaders` (each the first of its own session): members of
 * their sessions, those whose tag begins with `tag`, and all that these started. Only where /proc
 * is (Linux); elsewhere it finds nothing.
 */
async function findFamily(wanted: {
  leaders: ReadonlySet<number>
  tag: string
}): Promise<number[]> {
  const family = new Set<number>()
  const unsure: number[] = []
  const rows = await listRows()
  const youngSince = (uptime() - youngSeconds) * ticksPerSecond
  for (const [index, row] of rows.entries()) {
    if (index % rowsPerTurn === 0) await nextTurn()
    const tag = wanted.leaders.has(row.session) ? 'matching' : readTag(row.pid, wanted.tag)
    if (tag === 'matching') family.add(row.pid)
    if (tag === 'none yet' && row.startedAtTick > youngSince) unsure.push(row.pid)
  }
  if (unsure.length > 0) await wait(lookAgainMs)
  for (const pid of unsure) if (readTag(pid, wanted.tag) === 'matching') family.add(pid)
  while (addChildren(rows, family));
  return [...family]
}

/**
 * Finds the family and stops it, until a look shows nobody new. One that has left its session
 * without the tag is known by its parent alone: killed at once, a parent that forks between the
 * look and the signal would leave such a child unknown. Gives all that were stopped, also those
 * that a later look does not find because somebody else has killed their parent.
 */
export async function stopFamily(wanted: {
  leaders: ReadonlySet<number>
  tag: string
}): Promise<number[]> {
  const stopped = new Set<number>()
  for (let look = 0; look < maxLooks; look += 1) {
    const found = (await findFamily(wanted)).filter((pid) => !stopped.has(pid))
    if (found.length === 0) break
    signalEach(found, 'SIGSTOP')
    for (const pid of found) stopped.add(pid)
  }
  return [...stopped]
}

async function listRows(): Promise<ProcessRow[]> {
  const rows: ProcessRow[] = []
  for (const [index, pid] of listPids().entries()) {
    if (index % rowsPerTurn === 0) await nextTurn()
    const row = readRow(pid)
    if (row !== undefined && pid !== process.pid) rows.push(row)
  }
  return rows
}

function addChildren(rows: ProcessRow[], family: Set<number>): boolean {
  const before = family.size
  for (const row of rows) if (family.has(row.parent)) family.add(row.pid)
  return family.size > before
}

function listPids(): number[] {
  if (process.platform !== 'linux') return []
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger)
  } catch {
    return []
  }
}

/** Of a living process. Session 0 is the kernel's own threads: what we start has a session. */
function readRow(pid: number): ProcessRow | undefined {
  const stat = readProc(pid, 'stat') ?? ''
  // The name, in brackets, may hold anything; the fields after it are numbers: proc(5) counts them
  // from 3.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state, parent, , session] = fields
  const isLiving = state !== '' && state !== 'Z' && state !== 'X'
  if (!isLiving || session === undefined || session === '0') return undefined
  return {
    pid,
    parent: Number(parent),
    session: Number(session),
    startedAtTick: Number(fields[22 - 3]),
  }
}

/**
 * In the midst of an exec a process has no environment for a moment, as one has that was started
 * without.
 */
function readTag(pid: number, tag: string): 'matching' | 'other' | 'none yet' {
  const environ = tag === '' ? undefined : readProc(pid, 'environ')
  if (environ === '') return 'none yet'
  return environ?.includes(`${tagName}=${tag}`) ? 'matching' : 'other'
}

/** Undefined when the process has gone meanwhile or is another user's. */
function readProc(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1')
  } catch {
    return undefined
  }
}
