import { readdirSync, readFileSync } from 'node:fs'

/** Whether the process lives; one that has ended and was not waited for does not. */
export function isAlive(pid: number | string): boolean {
  return /\) [^ZX]/.test(readProc(pid, 'stat'))
}

/** The living processes that have `mark` in their command line. */
export function processesOf(mark: string): string[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.filter((pid) => isAlive(pid) && readProc(pid, 'cmdline').includes(mark))
}

/** Those of them that this process has started: not what they started, nor what is left of that. */
export function serversOf(mark: string): string[] {
  const parent = `${process.pid}`
  return processesOf(mark).filter(
    (pid) => /\) \S (\d+)/.exec(readProc(pid, 'stat'))?.[1] === parent,
  )
}

function readProc(pid: number | string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1')
  } catch {
    return ''
  }
}
