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

function readProc(pid: number | string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1')
  } catch {
    return ''
  }
}
