import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type ProcessHandle, startProcess } from '@dataagent/guard'

const main = join(import.meta.dirname, '../../../apps/server/src/main.ts')

/** One node: the real server, with a data directory of its own, which outlives its processes. */
export interface Node extends AsyncDisposable {
  readonly name: string
  /** Where it listens: on the same port after each start. */
  readonly url: string
  readonly pid: number
  /** The end of what it has written to stderr since its last start. */
  stderrTail(): string
  start(): Promise<void>
  /** SIGKILL. */
  kill(): Promise<void>
  /** SIGTERM; resolves with the exit code once it has ended. */
  stop(): Promise<number | null>
}

export interface NodeOptions {
  name: string
  dataDir: string
  workers: number
  env: Readonly<Record<string, string>>
  /** For Node itself. */
  nodeArgs?: readonly string[]
}

export async function startNode(options: NodeOptions): Promise<Node> {
  const { name, dataDir, workers, env, nodeArgs = [] } = options
  const flags = ['--data-dir', dataDir, '--workers', String(workers)]

  async function start(port: string) {
    const server = await startProcess({
      command: process.execPath,
      args: [...nodeArgs, '--conditions=dataagent-source', main, ...flags, '--port', port],
      env: { PATH: process.env.PATH ?? '', HOME: dataDir, DATAAGENT_SAMPLES: 'off', ...env },
    })
    return { server, url: await listeningAt(server) }
  }

  let running = await start('0')
  return {
    name,
    get url() {
      return running.url
    },
    get pid() {
      return running.server.pid
    },
    stderrTail: () => running.server.stderrTail(),
    async start() {
      running = await start(new URL(running.url).port)
    },
    async kill() {
      process.kill(running.server.pid, 'SIGKILL')
      await running.server.exited
    },
    async stop() {
      process.kill(running.server.pid, 'SIGTERM')
      return (await running.server.exited).code
    },
    async [Symbol.asyncDispose]() {
      await running.server.kill()
    },
  }
}

/** Reads its log to the end; rejects where it ends before it listens. */
function listeningAt(server: ProcessHandle): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const lines = createInterface({ input: server.stdout })
  lines.on('line', (line) => {
    if (!line.includes('"message":"listening"')) return
    resolve(String((JSON.parse(line) as { url: string }).url))
  })
  lines.once('close', () => reject(new Error(`the node did not start: ${server.stderrTail()}`)))
  return promise
}
