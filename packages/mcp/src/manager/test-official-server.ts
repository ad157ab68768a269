import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { z } from 'zod'
import type { McpServerConfig } from './contract.ts'

/** A server made with the official SDK, on a port of its own. */
export interface OfficialServer extends AsyncDisposable {
  url: string
  /** The value of the header X-Canary of each request, in order. */
  canaries: (string | undefined)[]
  /** How many connections are open. */
  connections(): Promise<number>
}

type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<unknown>

/** A server that is reached by `kind` and by nothing else. */
export async function startOfficialServer(kind: 'http' | 'sse'): Promise<OfficialServer> {
  const answer = kind === 'http' ? createStreamable() : createSse()
  const canaries: (string | undefined)[] = []
  const server = createServer((request, response) => {
    canaries.push(request.headers['x-canary']?.toString())
    answer(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    canaries,
    connections: () =>
      new Promise((resolve) => server.getConnections((_error, count) => resolve(count))),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The configuration of a process that the official reference server is. */
export function everythingOverStdio(name: string): McpServerConfig {
  const main = import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js')
  return { name, transport: 'stdio', command: process.execPath, args: [fileURLToPath(main)] }
}

function createStreamable(): Answer {
  const sessions = new Map<string, StreamableHTTPServerTransport>()
  return async (request, response) => {
    const id = request.headers['mcp-session-id']?.toString() ?? ''
    const transport = sessions.get(id) ?? (await open())
    await transport.handleRequest(request, response)
  }

  async function open() {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
    })
    await createEcho().connect(transport as never)
    return transport
  }
}

function createSse(): Answer {
  const sessions = new Map<string, SSEServerTransport>()
  return async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const session = sessions.get(url.searchParams.get('sessionId') ?? '')
    if (session !== undefined) return await session.handlePostMessage(request, response)
    if (request.method !== 'GET') return response.writeHead(405).end()
    const transport = new SSEServerTransport('/messages', response)
    sessions.set(transport.sessionId, transport)
    return await createEcho().connect(transport)
  }
}

function createEcho(): McpServer {
  const server = new McpServer({ name: 'official', version: '1' })
  const inputSchema = { message: z.string() }
  server.registerTool('echo', { description: 'Echoes', inputSchema }, ({ message }) => ({
    content: [{ type: 'text', text: `Echo: ${message}` }],
  }))
  return server
}
