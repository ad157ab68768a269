import { readdirSync, readFileSync } from 'node:fs'

export function isAlive(pid: unknown): boolean {
  return /\) [^ZX]/.test(readProc(pid, 'stat'))
}

/** The children of a process whose command line holds `text`. */
export function childrenOf(parent: number, text: string): number[] {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger)
  return pids.filter((pid) => {
    const [, found] = readProc(pid, 'stat').split(') ').at(-1)?.split(' ') ?? []
    return Number(found) === parent && readProc(pid, 'cmdline').includes(text)
  })
}

function readProc(pid: unknown, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1')
  } catch {
    return ''
  }
}
