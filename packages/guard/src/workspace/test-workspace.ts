import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Ledger } from './ledger.ts'
import { openWorkspace, type Workspace, type WorkspaceOptions } from './workspace.ts'

/** Every way of holding directories, for suites that run on each. */
export const holds = ['descriptor', 'path'] as const

/** What a file outside holds; its length is like no other's in the tests. */
export const canary = `canary-${'x'.repeat(4242)}`

export interface TestWorkspace extends AsyncDisposable {
  workspace: Workspace
  root: string
  /** A directory beside the root whose name begins with the root's, with `canary.txt` in it. */
  outside: string
}

export async function openTestWorkspace(
  options: Partial<WorkspaceOptions> = {},
): Promise<TestWorkspace> {
  const directory = await mkdtemp(join(await realpath(tmpdir()), 'dataagent-workspace-'))
  const [root, outside] = [join(directory, 'u1'), join(directory, 'u10')]
  await mkdir(outside)
  await writeFile(join(outside, 'canary.txt'), canary)
  const workspace = await openWorkspace({ root, create: true, ...options })
  return {
    workspace,
    root,
    outside,
    async [Symbol.asyncDispose]() {
      await workspace[Symbol.asyncDispose]()
      await rm(directory, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

export interface TestLedger extends Ledger {
  used(): number
  /** The most that was ever in use. */
  peak(): number
}

export function createTestLedger(refuse: (used: number) => void = () => {}): TestLedger {
  let used = 0
  let peak = 0
  return {
    used: () => used,
    peak: () => peak,
    async reserve(bytes) {
      refuse(used + bytes)
      used += bytes
      peak = Math.max(peak, used)
    },
    async release(bytes) {
      used -= bytes
    },
  }
}

/** How many descriptors this process has open. */
export async function countDescriptors(): Promise<number> {
  return (await readdir('/proc/self/fd')).length
}
