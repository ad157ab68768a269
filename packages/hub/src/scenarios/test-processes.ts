import { readdirSync, readFileSync } from 'node:fs'

/** The living processes that have `text` in their command line. */
export function findProcesses(text: string): number[] {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger)
  return pids.filter((pid) => isAlive(pid) && read(pid, 'cmdline').includes(text))
}

function isAlive(pid: number): boolean {
  return /\) [^ZX]/.test(read(pid, 'stat'))
}

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1')
  } catch {
    return ''
  }
}
