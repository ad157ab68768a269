import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { baseEnvironment, startProcess } from '@dataagent/guard'
import { createHttpTransport } from '../transports/http/http-transport.ts'
import { createSseTransport } from '../transports/sse/sse-transport.ts'
import { createStdioTransport } from '../transports/stdio/stdio-transport.ts'
import type { Transport } from '../transports/transport.ts'
import { findByCommand } from './test-processes.ts'

/** A good server in another process, to which any number of transports lead. */
export interface Place extends AsyncDisposable {
  createTransport(): Transport
  /** The living processes that transports to it have started. */
  processes(): number[]
}

/** Opens a server that is reached by `transport`. */
export async function openPlace(transport: 'stdio' | 'http' | 'sse'): Promise<Place> {
  return transport === 'stdio' ? openStdio() : openHttp(transport)
}

export const stdioServer = fileURLToPath(new URL('./test-stdio-process.ts', import.meta.url))
const httpServer = fileURLToPath(new URL('./test-http-process.ts', import.meta.url))

function openStdio(): Place {
  const mark = randomUUID()
  const args = [stdioServer, mark]
  return {
    createTransport: () => createStdioTransport({ command: process.execPath, args }),
    processes: () => findByCommand(mark),
    async [Symbol.asyncDispose]() {},
  }
}

async function openHttp(transport: 'http' | 'sse'): Promise<Place> {
  const server = await startProcess({
    command: process.execPath,
    args: ['--conditions=dataagent-source', httpServer],
    env: baseEnvironment(process.env),
  })
  const [line] = await once(createInterface(server.stdout), 'line')
  const urls = JSON.parse(line) as Record<'http' | 'sse', string>
  const create = transport === 'http' ? createHttpTransport : createSseTransport
  return {
    createTransport: () => create({ url: urls[transport] }),
    processes: () => [],
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}
