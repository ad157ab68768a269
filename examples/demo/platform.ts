import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createClient } from '@dataagent/client'
import { type ProcessHandle, startProcess } from '@dataagent/guard'
import { waitFor } from '@dataagent/testkit'

/** The platform as `npm start` runs it, which can be killed and started again on the same data. */
export interface Platform extends AsyncDisposable {
  url: string
  /** What the first start shows once. */
  adminKey: string
  kill(): Promise<void>
  start(): Promise<void>
}

export interface PlatformOptions {
  folder: string
  env: Readonly<Record<string, string>>
}

export async function startPlatform({ folder, env }: PlatformOptions): Promise<Platform> {
  const cleanup = new AsyncDisposableStack()
  let running = await start('0')
  const adminKey = await waitFor(() => keyIn(running.server), { timeoutMs: 20_000, what: 'a key' })

  async function start(port: string) {
    const main = join(import.meta.dirname, '../../apps/server/src/main.ts')
    const server = cleanup.use(
      await startProcess({
        command: process.execPath,
        args: ['--conditions=dataagent-source', main, '--data-dir', folder, '--port', port],
        // The demo registers a mall of its own.
        env: { HOME: folder, DATAAGENT_SAMPLES: 'off', ...env },
      }),
    )
    const url = await listeningAt(server)
    const { operations } = createClient({ baseUrl: url })
    const isReady = async () => (await operations.ready()).status === 'ready'
    await waitFor(isReady, { timeoutMs: 60_000, what: 'a platform that is ready' })
    return { server, url }
  }

  return {
    ...{ url: running.url, adminKey },
    kill: async () => void (await running.server.kill()),
    async start() {
      running = await start(new URL(running.url).port)
    },
    [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
  }
}

/** The server says where it listens in one of its log lines. */
function listeningAt(server: ProcessHandle): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const lines = createInterface({ input: server.stdout })
  lines.on('line', (line) => {
    const { message, url } = JSON.parse(line) as { message?: string; url?: string }
    if (message === 'listening' && url !== undefined) resolve(url)
  })
  lines.once('close', () => {
    reject(new Error(`the platform did not start: ${server.stderrTail()}`))
  })
  return promise
}

/** What is for people it says on standard error. */
function keyIn(server: ProcessHandle): string | undefined {
  return /#key=(\S+)/.exec(server.stderrTail())?.[1]
}
