import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

interface Rpc {
  id?: number
  method: string
  params?: { protocolVersion?: string; arguments?: { query?: string } }
}

const inputSchema = { type: 'object', properties: { query: { type: 'string' } } }
const search = { name: 'search', description: 'Searches.', inputSchema }

/**
 * An MCP server over HTTP that notes the headers it was asked with. All its tools, or the one that
 * it has by itself, search.
 */
export async function startSearchServer(tools: readonly (typeof search)[] = [search]) {
  const authorizations: (string | undefined)[] = []
  const server = createServer(async (request, response) => {
    authorizations.push(request.headers.authorization)
    if (request.method !== 'POST') return response.writeHead(405).end()
    const message = (await json(request)) as Rpc
    if (message.id === undefined) return response.writeHead(202).end()
    const body = { jsonrpc: '2.0', id: message.id, ...toAnswer(message, tools) }
    return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    authorizations,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

function toAnswer({ method, params }: Rpc, tools: readonly (typeof search)[]) {
  if (method === 'initialize') {
    const serverInfo = { name: 'search', version: '1' }
    const { protocolVersion = '2025-06-18' } = params ?? {}
    return { result: { protocolVersion, capabilities: { tools: {} }, serverInfo } }
  }
  if (method === 'tools/list') {
    return { result: { tools } }
  }
  if (method === 'tools/call') {
    const text = `found ${params?.arguments?.query}`
    return { result: { content: [{ type: 'text', text }] } }
  }
  return { error: { code: -32601, message: 'no such method' } }
}
