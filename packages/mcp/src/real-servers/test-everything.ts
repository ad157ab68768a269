import { randomUUID } from 'node:crypto'
import { waitFor } from '@dataagent/testkit'
import { createConnection } from '../connection/connection.ts'
import type { Connection, ConnectionEvent, ConnectionOptions } from '../connection/contract.ts'
import { findByCommand } from '../connection/test-processes.ts'
import { createHttpTransport } from '../transports/http/http-transport.ts'
import { createSseTransport } from '../transports/sse/sse-transport.ts'
import { createStdioTransport } from '../transports/stdio/stdio-transport.ts'
import type { Transport } from '../transports/transport.ts'
import { startEverything } from './test-http-server.ts'
import { programOf } from './test-program.ts'

/** server-everything, however it is reached. */
export interface Everything extends AsyncDisposable {
  createTransport(): Transport
  /** Ends its process with -9; settles when it has ended. */
  kill(): Promise<void>
  /** Settles when it can be reached again. */
  comeBack(): Promise<void>
  /** Its living processes. */
  processes(): number[]
}

export type Way = 'stdio' | 'http' | 'sse'

export async function openEverything(way: Way): Promise<Everything> {
  return way === 'stdio' ? openStdio() : openHttp(way)
}

function openStdio(): Everything {
  const mark = randomUUID()
  const args = [programOf('everything'), 'stdio', mark]
  const processes = () => findByCommand(mark)
  return {
    createTransport: () => createStdioTransport({ command: process.execPath, args }),
    processes,
    async kill() {
      const pids = processes()
      for (const pid of pids) process.kill(pid, 'SIGKILL')
      await waitFor(() => processes().every((pid) => !pids.includes(pid)))
    },
    // The connection starts it.
    async comeBack() {},
    async [Symbol.asyncDispose]() {},
  }
}

async function openHttp(way: 'http' | 'sse'): Promise<Everything> {
  const server = await startEverything(way)
  const { url, kill, comeBack } = server
  const create = way === 'http' ? createHttpTransport : createSseTransport
  return {
    createTransport: () => create({ url }),
    processes: () => findByCommand(programOf('everything')).filter((pid) => pid === server.pid),
    kill,
    comeBack,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

/** An open connection and all that it told. */
export interface Talk extends AsyncDisposable {
  connection: Connection
  events: ConnectionEvent[]
  /** Calls a tool; gives the text of its result. */
  call(tool: string, args?: Record<string, unknown>): Promise<string>
}

/** Opens a connection with the usual settings. */
export async function talkTo(
  { createTransport }: Pick<ConnectionOptions, 'createTransport'>,
  options: Partial<ConnectionOptions> = {},
): Promise<Talk> {
  const events: ConnectionEvent[] = []
  const onEvent = (event: ConnectionEvent) => void events.push(event)
  const connection = createConnection({ name: 'real', createTransport, onEvent, ...options })
  await connection.open()
  return {
    connection,
    events,
    async call(tool, args) {
      const { content } = await connection.callTool(tool, args)
      return content.map((part) => (part.type === 'text' ? part.text : `(${part.type})`)).join('\n')
    },
    [Symbol.asyncDispose]: () => connection.close(),
  }
}
