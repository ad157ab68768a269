// The bare server: the official SDK on node:http, with sessions. Argument: how many tools it has.
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { createEchoServer } from './sdk-tools.ts'

const tools = Number(process.argv[2] ?? 1)
const sessions = new Map<string, StreamableHTTPServerTransport>()

async function open(): Promise<StreamableHTTPServerTransport> {
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    enableJsonResponse: true,
    onsessioninitialized: (id) => void sessions.set(id, transport),
  })
  await createEchoServer(tools).connect(transport as never)
  return transport
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const known = sessions.get(String(request.headers['mcp-session-id']))
  const transport = known ?? (await open())
  await transport.handleRequest(request, response)
}

const server = createServer({ keepAliveTimeout: 600_000 }, (request, response) => {
  void serve(request, response)
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.on('disconnect', () => process.exit())
