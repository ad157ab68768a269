import { createInProcessTransport, type Transport } from '@dataagent/mcp'
import type { RegisteredServer } from '../servers/index.ts'

/** Servers inside this process. Every answer says which server it is of. */
export interface EchoServers {
  createTransport(server: RegisteredServer): Transport
  /**
   * What each server offers, by its id; by default `echo` and `hang`, which ends when it is
   * cancelled. `refuse` answers with a JSON-RPC error; everything else gives its arguments back.
   */
  offer(server_id: string, tools: readonly string[]): void
  /** Calls of `hang` that wait now. */
  hanging(): number
  /** All calls that came. */
  calls(): number
  /** All pings that came. */
  pings(): number
}

interface Message {
  id?: number | undefined
  method?: string | undefined
  params?: Record<string, unknown> | undefined
}

export function createEchoServers(): EchoServers {
  const offered = new Map<string, readonly string[]>()
  let hanging = 0
  let calls = 0
  let pings = 0

  async function hang(signal: AbortSignal): Promise<void> {
    hanging += 1
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    hanging -= 1
  }

  async function run(server: RegisteredServer, params: Message['params'], signal: AbortSignal) {
    calls += 1
    if (params?.name === 'hang') await hang(signal)
    if (params?.name === 'refuse')
      return { error: { code: -32603, message: 'the back end is away' } }
    const { tenant_id, server_id } = server
    const answer = { tenant_id, server_id, tool: params?.name, arguments: params?.arguments }
    return { result: { content: [{ type: 'text', text: JSON.stringify(answer) }] } }
  }

  return {
    createTransport: (server) =>
      createInProcessTransport(async (given, { signal }) => {
        const { id, method, params } = given as Message
        if (method === 'tools/call') {
          return { jsonrpc: '2.0', id, ...(await run(server, params, signal)) }
        }
        if (method === 'ping') pings += 1
        const names = offered.get(server.server_id) ?? ['echo', 'hang']
        return toAnswer({ id, method, params }, names)
      }),
    offer: (server_id, tools) => void offered.set(server_id, tools),
    hanging: () => hanging,
    calls: () => calls,
    pings: () => pings,
  }
}

function toAnswer({ id, method, params }: Message, names: readonly string[]): object {
  const results: Record<string, object> = {
    initialize: {
      protocolVersion: params?.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'echo', version: '1' },
    },
    ping: {},
    'tools/list': { tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })) },
  }
  const result = results[String(method)]
  if (result) return { jsonrpc: '2.0', id, result }
  return { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } }
}
