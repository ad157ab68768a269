import { readdirSync, readFileSync } from 'node:fs'

/** The living processes, zombies not counted, that have `text` in their command line. */
export function findByCommand(text: string): number[] {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger)
  return pids.filter((pid) => isAlive(pid) && readProc(pid, 'cmdline').includes(text))
}

export function isAlive(pid: number): boolean {
  return /\) [^ZX]/.test(readProc(pid, 'stat'))
}

/** The children of this process, ended ones that were not waited for included. */
export function findChildren(): number[] {
  return readProc(process.pid, `task/${process.pid}/children`)
    .split(' ')
    .filter(Boolean)
    .map(Number)
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1')
  } catch {
    return ''
  }
}
