import { readdirSync, readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryDirectory, waitFor } from '@dataagent/testkit'
import type { LocalOptions } from './contract.ts'

export interface TestPlace extends AsyncDisposable {
  /** Of a platform with the demo model, in a folder of its own. */
  options: LocalOptions
  /** Those that have our data directory, or `text`, in their command line. */
  processes(text?: string): number[]
}

/** Where a local platform can be started, with nothing of this machine's user. */
export async function openTestPlace(env: Record<string, string> = {}): Promise<TestPlace> {
  const directory = await temporaryDirectory()
  const [folder, dataDir] = ['project', 'data'].map((name) => join(directory.path, name))
  await mkdir(folder!)
  const own = { PATH: '/usr/bin:/bin', HOME: directory.path, LANG: 'C.UTF-8' }
  return {
    options: {
      ...{ folder: folder!, dataDir, logFile: join(directory.path, 'logs', 'platform.log') },
      env: { ...own, ...env },
    },
    processes: (text = dataDir!) => findByCommand(text),
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  }
}

/** Waits until no process has any of the texts in its command line. */
export async function untilNone(...texts: string[]): Promise<void> {
  const left = () => texts.flatMap(findByCommand)
  await waitFor(() => left().length === 0, { timeoutMs: 10_000, what: 'the end of all' })
}

/** Living processes alone: one that nobody has waited for yet has no command line. */
function findByCommand(text: string): number[] {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger)
  return pids.filter((pid) => pid !== process.pid && readCommand(pid).includes(text))
}

function readCommand(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
