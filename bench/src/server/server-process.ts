import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { waitFor } from '@dataagent/testkit'

const main = join(import.meta.dirname, '../../../apps/server/src/main.ts')

export interface ServerProcess extends AsyncDisposable {
  url: string
  pid: number
}

/** The real server on a free port, with data of its own; resolves once it is ready. */
export async function startServerProcess(options: {
  args?: readonly string[]
  env: Record<string, string>
}): Promise<ServerProcess> {
  await using cleanup = new AsyncDisposableStack()
  const dir = await mkdtemp(join(tmpdir(), 'bench-server-'))
  cleanup.defer(() => rm(dir, { recursive: true, force: true }))
  const child = start(dir, options)
  cleanup.defer(() => stop(child))
  const url = await urlOf(child)
  const isReady = async () => (await fetch(`${url}/api/v1/ready`)).ok
  await waitFor(isReady, { timeoutMs: 60_000, what: 'ready server' })
  const moved = cleanup.move()
  return { url, pid: child.pid!, [Symbol.asyncDispose]: () => moved.disposeAsync() }
}

function start(
  dir: string,
  { args = [], env }: { args?: readonly string[]; env: Record<string, string> },
): ChildProcess {
  const flags = ['--conditions=dataagent-source', main, '--data-dir', dir, '--port', '0']
  return spawn(process.execPath, [...flags, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env.PATH, HOME: dir, ...env },
  })
}

async function stop(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await waitFor(() => child.exitCode !== null || child.signalCode !== null)
}

async function urlOf(child: ChildProcess): Promise<string> {
  let said = ''
  // Where it listens is told to people, on standard error.
  child.stderr?.on('data', (chunk) => (said += chunk))
  return waitFor(() => /http:\/\/[\d.]+:\d+/.exec(said)?.[0], { timeoutMs: 60_000, what: 'url' })
}
