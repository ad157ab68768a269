import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'

/** MCP servers of many tenants, each of which says its own words only, and some fail at times. */
export interface Upstream extends AsyncDisposable {
  urlOf(tenant: number): string
  /** In everything that the server of a tenant says. */
  canaryOf(tenant: number): string
  /** How many answers have been spoilt. */
  readonly faults: number
}

interface Message {
  id?: number | string
  method: string
  params?: { protocolVersion?: string; arguments?: { id?: string } }
}

/** What becomes of an answer; each gets the answer as it should be. */
const spoils: readonly ((response: ServerResponse, body: string) => unknown)[] = [
  (response) => response.destroy(),
  (response) => response.writeHead(500).end('Something broke.'),
  (response) => response.writeHead(200, json).end('{"jsonrpc":"2.0","id":'),
  (response) => response.writeHead(200, json).end('<html>'),
  // The answer to another question.
  (response, body) =>
    response.writeHead(200, json).end(JSON.stringify({ ...JSON.parse(body), id: 987_654 })),
  (response, body) => {
    response.writeHead(200, { ...json, 'content-length': Buffer.byteLength(body) })
    response.write(body.slice(0, body.length / 2), () => response.destroy())
  },
  async (response, body) => {
    await delay(150)
    response.writeHead(200, json).end(body)
  },
]

const json = { 'content-type': 'application/json' }

export async function startUpstream(options: {
  tenants: number
  /** Of a hundred answers to calls. */
  faultPercent: number
  /** Of each server: `ask`, `ask-1`, `ask-2` and so on; default 1. */
  tools?: number
}): Promise<Upstream> {
  const { tools = 1 } = options
  const canaries = Array.from({ length: options.tenants }, (_, tenant) => {
    return `canary-${tenant}-${randomBytes(8).toString('hex')}`
  })
  let faults = 0

  const server = createServer(async (request, response) => {
    const canary = canaries[Number(request.url?.split('/')[1])]
    if (request.method !== 'POST' || canary === undefined) return response.writeHead(405).end()
    const message = JSON.parse(await text(request)) as Message
    if (message.id === undefined) return response.writeHead(202).end()
    const result = resultOf(message, { canary, tools })
    const body = JSON.stringify({ jsonrpc: '2.0', id: message.id, result })
    if (message.method === 'tools/call' && Math.random() * 100 < options.faultPercent) {
      const spoil = spoils[faults % spoils.length]
      faults += 1
      return spoil?.(response, body)
    }
    return response.writeHead(200, json).end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    urlOf: (tenant) => `http://127.0.0.1:${port}/${tenant}/mcp`,
    canaryOf: (tenant) => canaries[tenant] ?? '',
    get faults() {
      return faults
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

interface Said {
  canary: string
  tools: number
}

function resultOf({ method, params }: Message, { canary, tools }: Said): object {
  if (method === 'initialize') {
    const { protocolVersion = '2025-11-25' } = params ?? {}
    const serverInfo = { name: canary, version: '1.0.0' }
    return { protocolVersion, capabilities: { tools: {} }, serverInfo }
  }
  if (method === 'tools/list') {
    const inputSchema = { type: 'object', properties: { id: { type: 'string' } } }
    const annotations = { readOnlyHint: true, idempotentHint: false }
    const definition = { description: `Of ${canary}`, inputSchema, annotations }
    return { tools: toolNames(tools).map((name) => ({ name, ...definition })) }
  }
  if (method !== 'tools/call') return {}
  return { content: [{ type: 'text', text: `${canary} answers ${params?.arguments?.id}` }] }
}

/** Of a server with so many tools. */
export function toolNames(tools: number): string[] {
  return Array.from({ length: tools }, (_, at) => (at === 0 ? 'ask' : `ask-${at}`))
}
