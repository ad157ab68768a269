import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** What a started process writes, whole. */
export async function readAll(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

/** The living processes that have `text` in their environment. */
export function findMarked(text: string): number[] {
  return listPids().filter((pid) => readProc(pid, 'environ').includes(text))
}

/** The living processes that have `text` in their command line. */
export function findByCommand(text: string): number[] {
  return listPids().filter((pid) => readProc(pid, 'cmdline').includes(text))
}

/** Children of this process that have ended and were not waited for. */
export function countZombies(): number {
  return listPids().filter((pid) => {
    const [state, parent] = readProc(pid, 'stat').split(') ').at(-1)?.split(' ') ?? []
    return state === 'Z' && Number(parent) === process.pid
  }).length
}

/** This process's open descriptors, apart from those that come and go with reading /proc. */
export function listDescriptors(): string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)]
    } catch {
      return []
    }
  })
}

export function isAlive(pid: number): boolean {
  return /\) [^ZX]/.test(readProc(pid, 'stat'))
}

function listPids(): number[] {
  return readdirSync('/proc').map(Number).filter(Number.isInteger)
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1')
  } catch {
    return ''
  }
}
