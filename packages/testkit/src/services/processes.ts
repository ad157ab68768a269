import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

interface Process {
  pid: number
  parent: number
}

/**
 * `pid` and all its descendants that live. PostgreSQL's backends leave the process group, so this
 * asks for parents.
 */
export function processTree(pid: number): number[] {
  const all = listProcesses()
  const tree = all.some((process) => process.pid === pid) ? [pid] : []
  for (const member of tree) {
    tree.push(...all.filter(({ parent }) => parent === member).map((process) => process.pid))
  }
  return tree
}

/** Whether one of `pids` lives; a zombie does not. */
export function isAnyAlive(pids: number[]): boolean {
  return listProcesses().some((process) => pids.includes(process.pid))
}

/** Whether no thread of it runs. A stop takes hold a moment after its signal was sent. */
export function isStopped(pid: number): boolean {
  if (process.platform !== 'linux') return true
  try {
    return readdirSync(`/proc/${pid}/task`).every((thread) => {
      const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8')
      // One that has ended waits for its parent, which may be stopped: it does nothing either.
      return /^[TtZX]/.test(stat.slice(stat.lastIndexOf(')') + 2))
    })
  } catch {
    return true
  }
}

/** Sends a signal; a process that is gone already is no error. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function listProcesses(): Process[] {
  if (process.platform === 'linux') return readdirSync('/proc').flatMap(readStat)
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,state='], { encoding: 'utf8' })
  return lines.split('\n').flatMap((line) => {
    const [pid, parent, state = 'Z'] = line.trim().split(/\s+/)
    return state.startsWith('Z') ? [] : [{ pid: Number(pid), parent: Number(parent) }]
  })
}

/** See proc_pid_stat(5): pid (name) state ppid …, where the name may hold spaces and brackets. */
function readStat(entry: string): Process[] {
  if (!/^\d+$/.test(entry)) return []
  try {
    const stat = readFileSync(`/proc/${entry}/stat`, 'utf8')
    const [state = 'Z', parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return 'ZX'.includes(state) ? [] : [{ pid: Number(entry), parent: Number(parent) }]
  } catch {
    return []
  }
}
