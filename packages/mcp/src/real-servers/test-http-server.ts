import { type ProcessHandle, startProcess } from '@dataagent/guard'
import { programOf } from './test-program.ts'

/** server-everything over HTTP, in a process of its own that can be killed and come back. */
export interface HttpServer extends AsyncDisposable {
  readonly url: string
  readonly pid: number
  kill(): Promise<void>
  /** Starts it again at the same address; settles when it listens. */
  comeBack(): Promise<void>
}

const ways = { http: ['streamableHttp', '/mcp'], sse: ['sse', '/sse'] } as const

/** Starts it on a free port. It ends with this process at the latest. */
export async function startEverything(transport: 'http' | 'sse'): Promise<HttpServer> {
  const [way, path] = ways[transport]
  let { port, server } = await startSomewhere(way)
  const kill = async () => void (await server.kill())
  return {
    url: `http://127.0.0.1:${port}${path}`,
    get pid() {
      return server.pid
    },
    kill,
    async comeBack() {
      server = (await start(way, port)) ?? server
    },
    [Symbol.asyncDispose]: kill,
  }
}

/**
 * Below the range from which systems take the ports of outgoing connections: a client that tries
 * while the server is away could otherwise meet itself.
 */
async function startSomewhere(way: string) {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 22_000)
    const server = await start(way, port)
    if (server !== undefined) return { port, server }
  }
}

/** Settles when it listens; `undefined` when the port is taken. */
async function start(way: string, port: number): Promise<ProcessHandle | undefined> {
  const listening = Promise.withResolvers<true>()
  const server = await startProcess({
    command: process.execPath,
    args: [programOf('everything'), way],
    env: { PORT: String(port) },
    onStderr: (line) => line.includes(`on port ${port}`) && listening.resolve(true),
  })
  server.stdout.resume()
  const isListening = await Promise.race([listening.promise, server.exited.then(() => false)])
  if (isListening) return server
  await server.stop()
  return undefined
}
