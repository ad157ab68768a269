import { mkdtemp, readdir, readlink, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** What a temporary folder is for. */
export type ScratchKind = 'runner' | 'parquet'

/** Processes of another PID namespace cannot be asked for; none uses a folder for so long. */
const strangersMs = 7 * 86_400_000
const named = /^dataagent-(?:runner|parquet)-(\d+)-(\d+)-[A-Za-z0-9]{6}$/

/**
 * Makes a temporary folder in `root`, whose caller removes it, and removes those of processes that
 * were killed and could not.
 */
export async function makeScratch(root: string, kind: ScratchKind): Promise<string> {
  const space = await pidSpace()
  // It is no fault of whoever wants a folder.
  await sweep(root, space).catch(() => {})
  return await mkdtemp(join(root, `dataagent-${kind}-${space}-${process.pid}-`))
}

async function sweep(root: string, space: string): Promise<void> {
  for (const name of await readdir(root)) {
    const [, of, pid] = named.exec(name) ?? []
    if (pid === undefined) continue
    const path = join(root, name)
    const isLeft = of === space ? !isAlive(Number(pid)) : await isOlder(path, strangersMs)
    if (isLeft) await rm(path, { recursive: true, force: true }).catch(() => {})
  }
}

/** Within which a process is known by its number; `0` where a machine has but one. */
async function pidSpace(): Promise<string> {
  const link = await readlink('/proc/self/ns/pid').catch(() => '')
  return /\d+/.exec(link)?.[0] ?? '0'
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

async function isOlder(path: string, ms: number): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  return found !== undefined && Date.now() - found.mtimeMs > ms
}
