import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

export interface TestTool {
  name: string
  title?: string
  description: string
  inputSchema: Record<string, unknown>
  annotations?: Record<string, boolean>
  run(args: Record<string, unknown>): unknown
  /** The content of its answer, in place of what `run` gives as text. */
  content?: unknown[]
  structuredContent?: Record<string, unknown>
}

/** An MCP server over Streamable HTTP whose tools a test chooses, and may change. */
export interface TestMcpServer extends AsyncDisposable {
  url: string
  tools: TestTool[]
  /** Where set, every request must bring it as a bearer token. */
  token: string | undefined
  /** Calls that have reached it, oldest first. */
  calls: { name: string; args: unknown }[]
  /** Ends it as a crash would. */
  kill(): Promise<void>
  /** Starts it again at the same address. */
  start(): Promise<void>
}

interface Request {
  id?: number | string
  method: string
  params?: { name?: string; arguments?: Record<string, unknown>; protocolVersion?: string }
}

export async function startTestMcpServer(tools: TestTool[]): Promise<TestMcpServer> {
  const http = createServer(async (request, response) => {
    if (server.token && request.headers.authorization !== `Bearer ${server.token}`) {
      return void response.writeHead(401).end()
    }
    if (request.method !== 'POST') return void response.writeHead(405).end()
    const asked = (await json(request)) as Request
    if (asked.id === undefined) return void response.writeHead(202).end()
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ jsonrpc: '2.0', id: asked.id, ...answer(asked) }))
  })

  async function listen(port: number): Promise<void> {
    http.listen(port, '127.0.0.1')
    await once(http, 'listening')
  }

  async function kill(): Promise<void> {
    if (!http.listening) return
    http.closeAllConnections()
    http.close()
    await once(http, 'close')
  }

  await listen(0)
  const { port } = http.address() as AddressInfo
  const server: TestMcpServer = {
    url: `http://127.0.0.1:${port}/mcp`,
    ...{ tools, token: undefined, calls: [] },
    ...{ kill, start: () => listen(port), [Symbol.asyncDispose]: kill },
  }
  return server

  function answer({ method, params = {} }: Request): { result: unknown } | { error: unknown } {
    if (method === 'initialize') {
      const serverInfo = { name: 'test', version: '1' }
      const { protocolVersion } = params
      return { result: { protocolVersion, capabilities: { tools: {} }, serverInfo } }
    }
    if (method === 'tools/list') return { result: { tools: server.tools } }
    if (method === 'ping') return { result: {} }
    const tool = server.tools.find(({ name }) => name === params.name)
    if (method !== 'tools/call' || !tool) return { error: { code: -32601, message: 'Not found' } }
    const args = params.arguments ?? {}
    server.calls.push({ name: tool.name, args })
    const given = tool.run(args)
    const content = tool.content ?? [{ type: 'text', text: JSON.stringify(given) }]
    return { result: { content, structuredContent: tool.structuredContent } }
  }
}
