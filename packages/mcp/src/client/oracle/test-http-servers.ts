import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { createServerV1 } from './test-sdk-v1.ts'
import { createServerV2, type Publisher } from './test-sdk-v2.ts'

export interface TestHttpServer extends AsyncDisposable {
  url: string
}

type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/** The SDK 1.x with sessions, as most servers of the handshake era. */
export function startHttpV1(): Promise<TestHttpServer> {
  const sessions = new Map<string, StreamableHTTPServerTransport>()
  return listen('/mcp', async (request, response) => {
    const id = request.headers['mcp-session-id']
    const known = typeof id === 'string' ? sessions.get(id) : undefined
    await (known ?? (await begin())).handleRequest(request, response)
  })

  async function begin(): Promise<StreamableHTTPServerTransport> {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, transport),
    })
    await createServerV1().connect(transport as never)
    return transport
  }
}

/** The SDK 2.x, both eras at one address, a new server for each request. */
export function startHttpV2(): Promise<TestHttpServer> {
  const publisher: Publisher = {
    toolsChanged: () => handler.notify.toolsChanged(),
    listsChanged() {
      handler.notify.resourcesChanged()
      handler.notify.promptsChanged()
    },
    resourceUpdated: (uri) => handler.notify.resourceUpdated(uri),
  }
  const handler = createMcpHandler(() => createServerV2(publisher))
  return listen('/mcp', toNodeHandler(handler) as Handle)
}

/** The SDK 1.x over HTTP+SSE; it refuses a POST to its address. */
export function startSseV1(): Promise<TestHttpServer> {
  const sessions = new Map<string, SSEServerTransport>()
  return listen('/sse', async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    if (request.method === 'GET' && url.pathname === '/sse') {
      const transport = new SSEServerTransport('/messages', response)
      sessions.set(transport.sessionId, transport)
      await createServerV1().connect(transport)
      return
    }
    const session = sessions.get(url.searchParams.get('sessionId') ?? '')
    if (session !== undefined) await session.handlePostMessage(request, response)
    else response.writeHead(url.pathname === '/sse' ? 405 : 404).end()
  })
}

async function listen(path: string, handle: Handle): Promise<TestHttpServer> {
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}${path}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
