import { createInProcessTransport, type Transport } from '@dataagent/mcp'
import type { RegisteredServer } from '../servers/index.ts'

/** Servers inside this process, one for each id, that count what is open to them. */
export interface LocalServers {
  createTransport(server: RegisteredServer): Transport
  /** How many transports to it are open now. */
  open(server_id: string): number
  /** How many there ever were. */
  made(server_id: string): number
  /** Calls of `hang` that wait; each function answers one. */
  readonly hanging: (() => void)[]
  /** How many calls of tools came. */
  calls: number
  /** The names of those that answer nothing but an error. */
  readonly dead: Set<string>
  /** What calls of `fail` throw. */
  failure: Error | undefined
}

/** `echo` gives back its message, `hang` waits until it is let go, `fail` fails as it is told. */
export function createLocalServers(): LocalServers {
  const open = new Map<string, number>()
  const made = new Map<string, number>()
  const local: LocalServers = {
    createTransport({ server_id, config }) {
      made.set(server_id, local.made(server_id) + 1)
      open.set(server_id, local.open(server_id) + 1)
      const transport = createInProcessTransport((message) => answer(local, config.name, message))
      let isOpen = true
      return {
        ...transport,
        async close() {
          if (isOpen) open.set(server_id, local.open(server_id) - 1)
          isOpen = false
          await transport.close()
        },
      }
    },
    open: (server_id) => open.get(server_id) ?? 0,
    made: (server_id) => made.get(server_id) ?? 0,
    hanging: [],
    calls: 0,
    dead: new Set(),
    failure: undefined,
  }
  return local
}

interface Message {
  id?: number
  method?: string
  params?: Record<string, unknown>
}

async function answer(local: LocalServers, server: string, given: unknown): Promise<unknown> {
  const { id, method, params = {} } = given as Message
  if (id === undefined) return undefined
  if (local.dead.has(server)) throw new Error('dead')
  if (method === 'tools/call')
    return { jsonrpc: '2.0', id, result: await run(local, server, params) }
  const tools = ['echo', 'hang', 'fail'].map((name) => ({ name, inputSchema: { type: 'object' } }))
  const results: Record<string, unknown> = {
    initialize: {
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: server, version: '1' },
    },
    ping: {},
    'tools/list': { tools },
  }
  const result = results[String(method)]
  if (result) return { jsonrpc: '2.0', id, result }
  return { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } }
}

async function run(local: LocalServers, server: string, params: Record<string, unknown>) {
  local.calls += 1
  if (params.name === 'hang') await new Promise<void>((resolve) => local.hanging.push(resolve))
  if (params.name === 'fail' && local.failure) throw local.failure
  const { message = server } = (params.arguments ?? {}) as { message?: string }
  return { content: [{ type: 'text', text: message }] }
}
