import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'

/**
 * An MCP server that outlives everybody and keeps account of its calls: `record` and `careful` each
 * have an effect that must not happen twice; so has `linger`, which is not answered.
 */
export interface Ledger extends AsyncDisposable {
  readonly url: string
  /** How often each id was recorded. */
  readonly effects: ReadonlyMap<string, number>
}

const inputSchema = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] }
const annotations = { idempotentHint: false, destructiveHint: false, openWorldHint: false }
const tools = ['record', 'careful', 'linger'].map((name) => ({
  ...{ name, description: `Enters ${name}`, inputSchema, annotations },
}))

interface Message {
  id?: number | string
  method: string
  params?: { protocolVersion?: string; name?: string; arguments?: { id?: string } }
}

export async function startLedger(): Promise<Ledger> {
  const effects = new Map<string, number>()

  async function enter(id: string, answerable: Promise<unknown>): Promise<object> {
    effects.set(id, (effects.get(id) ?? 0) + 1)
    await answerable
    return { content: [{ type: 'text', text: `Entered ${id}.` }] }
  }

  async function resultOf(
    { method, params }: Message,
    hungUp: () => Promise<unknown>,
  ): Promise<object> {
    if (method === 'initialize') {
      const { protocolVersion = '2025-11-25' } = params ?? {}
      const serverInfo = { name: 'ledger', version: '1.0.0' }
      return { protocolVersion, capabilities: { tools: {} }, serverInfo }
    }
    if (method === 'tools/list') return { tools }
    if (method !== 'tools/call') return {}
    const id = params?.arguments?.id ?? ''
    if (params?.name === 'linger') return enter(id, hungUp())
    // Some of the time the effect is there and its answer is not yet.
    await delay(Math.random() * 60)
    return enter(id, delay(Math.random() * 60))
  }

  const server = createServer(async (request, response) => {
    if (request.method !== 'POST') return response.writeHead(405).end()
    const message = JSON.parse(await text(request)) as Message
    if (message.id === undefined) return response.writeHead(202).end()
    const result = await resultOf(message, () => once(response, 'close'))
    response.writeHead(200, { 'content-type': 'application/json' })
    return response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    effects,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
