import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { AppError } from '@dataagent/schema'
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

/** Starts it on a free port. */
export async function startEverything(transport: 'http' | 'sse'): Promise<HttpServer> {
  const [way, path] = ways[transport]
  let { port, child } = await startSomewhere(way)
  return {
    url: `http://127.0.0.1:${port}${path}`,
    get pid() {
      return child.pid ?? 0
    },
    kill: () => kill(child),
    async comeBack() {
      child = await start(way, port)
    },
    [Symbol.asyncDispose]: () => kill(child),
  }
}

/**
 * Below the range from which systems take the ports of outgoing connections: a client that tries
 * while the server is away could otherwise meet itself.
 */
async function startSomewhere(way: string) {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 22_000)
    const child = await start(way, port).catch(() => undefined)
    if (child !== undefined) return { port, child }
  }
}

async function start(way: string, port: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, [programOf('everything'), way], {
    env: { PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  for await (const line of createInterface(child.stderr as Readable)) {
    if (!line.includes(`on port ${port}`)) continue
    child.stderr?.resume()
    return child
  }
  throw new AppError('process_failed', `server-everything does not listen on port ${port}`)
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}
