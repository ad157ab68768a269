import { type ChildProcess, spawn } from 'node:child_process'
import { chown, mkdtemp, realpath, rm, stat } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Owner } from './owner.ts'

/** A server's own directory, watched so that neither it nor the server outlives this process. */
export interface InstanceDirectory extends AsyncDisposable {
  path: string
  /** Names the process to end when this process dies, or none. */
  watch(pid: number | undefined): void
}

/**
 * Runs apart from us and reads process ids from a pipe, the last one counts, 0 is none. The pipe
 * ends when we do, however we died: then it ends that process by signal $1 (KILL if that does not
 * help) and removes the directory $2.
 */
const watchdog = `
lives() {
  if [ -e /proc/self/status ]; then grep -q "^State:[[:space:]]*[^ZX]" "/proc/$1/status"
  else kill -0 "$1"; fi
}
pid=0
while read -r next; do pid=$next; done
if [ "$pid" -gt 0 ]; then
  kill -s "$1" "$pid"
  kill -s CONT "$pid"
  tries=0
  while lives "$pid" && [ $tries -lt 50 ]; do sleep 0.2; tries=$((tries + 1)); done
  kill -s KILL "$pid"
fi 2>/dev/null
rm -rf "$2"
`

export interface InstanceDirectoryOptions {
  owner: Owner | undefined
  /** What ends the server at once and for good. */
  endSignal: NodeJS.Signals
}

export async function createInstanceDirectory(
  options: InstanceDirectoryOptions,
): Promise<InstanceDirectory> {
  const path = await mkdtemp(join(await instanceRoot(), 'dataagent-test-'))
  const child = startWatchdog(path, options.endSignal)
  if (options.owner) await chown(path, options.owner.uid, options.owner.gid)
  return {
    path,
    watch(pid) {
      child.stdin?.write(`${pid ?? 0}\n`)
    },
    async [Symbol.asyncDispose]() {
      await rm(path, { recursive: true, force: true, maxRetries: 5 })
      child.stdin?.end('0\n')
    },
  }
}

/**
 * The temporary directory, or /tmp where the first is closed to the user that root hands the server
 * to.
 */
export async function instanceRoot(): Promise<string> {
  const root = await realpath(tmpdir())
  return process.getuid?.() !== 0 || (await isOpenToAll(root)) ? root : '/tmp'
}

async function isOpenToAll(path: string): Promise<boolean> {
  const { mode } = await stat(path)
  if ((mode & 0o001) === 0) return false
  return dirname(path) === path || isOpenToAll(dirname(path))
}

function startWatchdog(path: string, endSignal: NodeJS.Signals): ChildProcess {
  const signal = endSignal.replace('SIG', '')
  const child = spawn('sh', ['-c', watchdog, 'sh', signal, path], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    cwd: '/',
  })
  child.unref()
  const pipe = child.stdin as Socket
  pipe.unref()
  pipe.on('error', () => {})
  return child
}
