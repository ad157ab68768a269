import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { waitFor } from '@dataagent/testkit'

const main = fileURLToPath(new URL('../main.ts', import.meta.url))

export interface ServerProcess extends AsyncDisposable {
  process: ChildProcess
  /** Records on standard output so far. */
  records(): Record<string, unknown>[]
  stdout(): string
  stderr(): string
  /** Where it listens, once it does. */
  url(): Promise<string>
  /** The administrator key that it showed, once it did. */
  shownKey(): Promise<string>
  /** How it ended: its exit code, or the signal. */
  ended: Promise<number | string>
  get(path: string, headers?: Record<string, string>): Promise<Response>
  /** As `get`, with the body read. */
  getJson(path: string): Promise<{ status: number; body: Record<string, unknown> }>
}

export interface ServerProcessOptions {
  dataDir: string
  args?: string[]
  env?: Record<string, string>
  /** For the runtime. */
  nodeArgs?: string[]
}

const ownEnvironment = {
  ...{ PATH: '/usr/bin:/bin', DATAAGENT_PORT: '0', DATAAGENT_SAMPLES: 'off' },
  // A busy machine must not turn tests away.
  DATAAGENT_MAX_LOOP_DELAY_MS: '60000',
}

/** Runs the real program on a free port. It is killed when it is disposed of. */
export function runServer(options: ServerProcessOptions): ServerProcess {
  const { dataDir, args = [], env = {}, nodeArgs = [] } = options
  const child = spawn(
    process.execPath,
    ['--conditions=dataagent-source', ...nodeArgs, main, '--data-dir', dataDir, ...args],
    { env: { ...ownEnvironment, HOME: dataDir, ...env } },
  )
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk) => (stdout += chunk))
  child.stderr.on('data', (chunk) => (stderr += chunk))
  let hasEnded = false
  const ended = once(child, 'close').then(([code, signal]) => {
    hasEnded = true
    return code ?? signal
  })

  // The last line is still on its way where it has no end yet.
  const records = () =>
    stdout
      .split('\n')
      .slice(0, -1)
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Record<string, unknown>)

  /** What `find` finds; fails as soon as the process has ended without it. */
  async function seen(what: string, find: () => string | undefined): Promise<string> {
    const done = () => find() ?? (hasEnded ? 'ended' : undefined)
    await waitFor(done, { timeoutMs: 20_000, what }).catch(() => {})
    const found = find()
    if (found === undefined) throw new Error(`no ${what} in: ${stdout}${stderr}`)
    return found
  }

  const url = () =>
    seen(
      'url',
      () => records().find(({ message }) => message === 'listening')?.url as string | undefined,
    )

  const get = async (path: string, headers: Record<string, string> = {}) =>
    fetch(`${await url()}${path}`, { headers, signal: AbortSignal.timeout(10_000) })

  return {
    process: child,
    records,
    stdout: () => stdout,
    stderr: () => stderr,
    url,
    shownKey: () => seen('key', () => /#key=(\S+)/.exec(stderr)?.[1]),
    ended,
    get,
    async getJson(path) {
      const response = await get(path)
      return { status: response.status, body: (await response.json()) as Record<string, unknown> }
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
