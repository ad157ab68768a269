import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

/**
 * A server that lists its tools page by page, and tells everyone the headers that it was sent: as a
 * result (`tell`), as an error of the tool (`fail`), of the protocol (`refuse`) and of HTTP
 * (`break`).
 */
export interface TellingServer extends AsyncDisposable {
  url: string
  /** What it describes its tools as, from the next list on. */
  description: string
  /** How often its tools were listed from the first page. */
  lists: number
  /** Refuses every request from now on, with its headers in the answer. */
  status: number
}

const telling = ['tell', 'fail', 'refuse', 'break']

export async function startTellingServer({ tools = 4, perPage = 4 } = {}): Promise<TellingServer> {
  const http = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy())
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const server: TellingServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    description: 'Tells what it was sent.',
    lists: 0,
    status: 200,
    async [Symbol.asyncDispose]() {
      http.closeAllConnections()
      http.close()
      await once(http, 'close')
    },
  }
  return server

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const told = JSON.stringify(request.headers)
    if (server.status !== 200) return void response.writeHead(server.status).end(told)
    if (request.method !== 'POST') return void response.writeHead(405).end()
    const { id, method, params } = (await json(request)) as Message
    if (id === undefined) return void response.writeHead(202).end()
    if (params?.name === 'break') return void response.writeHead(500).end(told)
    const answer = { jsonrpc: '2.0', id, ...toAnswer(method, params ?? {}, told) }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  }

  function toAnswer(method: string, params: Params, told: string): object {
    if (method === 'initialize') return { result: toHello(params) }
    if (method === 'ping') return { result: {} }
    if (method === 'tools/list') return { result: toPage(Number(params.cursor ?? 0)) }
    if (method !== 'tools/call') return { error: { code: -32601, message: 'no such method' } }
    if (params.name === 'refuse') return { error: { code: -32000, message: told, data: { told } } }
    const content = [{ type: 'text', text: told }]
    return { result: { content, isError: params.name === 'fail' } }
  }

  function toPage(from: number): object {
    if (from === 0) server.lists += 1
    const to = Math.min(from + perPage, tools)
    const indexes = Array.from({ length: to - from }, (_, index) => from + index)
    const page = indexes.map((index) => toTool(index, server.description))
    return { tools: page, ...(to < tools && { nextCursor: `${to}` }) }
  }
}

interface Message {
  id?: number
  method: string
  params?: Params
}

interface Params {
  cursor?: string
  name?: string
  protocolVersion?: string
}

function toHello({ protocolVersion }: Params): object {
  const serverInfo = { name: 'telling', version: '1' }
  return { protocolVersion, capabilities: { tools: {} }, serverInfo }
}

function toTool(index: number, description: string): object {
  const inputSchema = { type: 'object', properties: { text: { type: 'string' } } }
  return { name: telling[index] ?? `tool_${index}`, description, inputSchema }
}
