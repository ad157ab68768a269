import { hash, randomBytes } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** The process that a journal belongs to, as the name of its folder says. */
export interface Owner {
  /** The machine since its start, and its space of process ids. */
  host: string
  pid: number
  /** When the process began, in the system's own unit: a pid alone is given out again. */
  start: string
}

/** A folder whose owner has let go of it: `<owner>-released`. */
const released = '-released'
const pattern = /^([0-9a-f]{16})-(\d+)-(\d+)-[0-9a-f]{12}(-released)?$/
/** How long after its last sign of life an owner that cannot be looked at counts as gone. */
const silentMs = 2 * 60_000

/** A name for a folder of this process, never given twice. */
export function createOwnerName(): string {
  const { host, pid, start } = thisProcess()
  return `${host}-${pid}-${start}-${randomBytes(6).toString('hex')}`
}

export function toReleasedName(name: string): string {
  return name + released
}

/**
 * Whether the owner of this folder may still write to it; undefined where the name is none of ours.
 * Where the process can be looked at, that decides. A process of another machine or container, or
 * on a system that tells no start times, counts by the age of its last sign of life.
 */
export function isOwnerAlive(name: string, silentSinceMs: number): boolean | undefined {
  const [, host = '', pid, start = '', isReleased] = pattern.exec(name) ?? []
  if (pid === undefined) return undefined
  if (isReleased) return false
  const self = thisProcess()
  if (host !== self.host) return silentSinceMs < silentMs
  if (Number(pid) === self.pid && start === self.start) return true
  if (self.start !== '0') return readStart(pid) === start
  return exists(Number(pid)) && silentSinceMs < silentMs
}

function thisProcess(): Owner {
  const start = readStart('self') ?? '0'
  return { host: hostOf(), pid: process.pid, start }
}

function hostOf(): string {
  let space = ''
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    space = `${boot} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    space = hostname()
  }
  return hash('sha256', space).slice(0, 16)
}

/** Field 22 of /proc/<pid>/stat; undefined where there is no such process, or a dead one. */
function readStart(pid: string): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name in parentheses may hold anything, also spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19]
  } catch {
    return undefined
  }
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
