import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

/** A server that answers with texts made before, whatever their size. */
export interface HeavyServer extends AsyncDisposable {
  url: string
}

interface Message {
  id?: number
  method: string
  params?: { protocolVersion?: string }
}

const plainTools = '{"tools":[{"name":"heavy","inputSchema":{"type":"object"}}]}'

/** `tools` and `result` are JSON. */
export async function startHeavyServer({
  tools = plainTools,
  result = '{"content":[]}',
}): Promise<HeavyServer> {
  const http = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy())
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    async [Symbol.asyncDispose]() {
      http.closeAllConnections()
      http.close()
      await once(http, 'close')
    },
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') return void response.writeHead(405).end()
    const { id, method, params } = (await json(request)) as Message
    if (id === undefined) return void response.writeHead(202).end()
    const body = toBody(method, params?.protocolVersion)
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(`{"jsonrpc":"2.0","id":${id},${body}}`)
  }

  function toBody(method: string, protocolVersion: string | undefined): string {
    if (method === 'tools/list') return `"result":${tools}`
    if (method === 'tools/call') return `"result":${result}`
    if (method === 'ping') return '"result":{}'
    if (method !== 'initialize') return '"error":{"code":-32601,"message":"no such method"}'
    const serverInfo = { name: 'heavy', version: '1' }
    return `"result":${JSON.stringify({ protocolVersion, capabilities: { tools: {} }, serverInfo })}`
  }
}
