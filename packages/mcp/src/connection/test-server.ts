import type { ToolDefinition } from '../client/contract.ts'
import { closedError, type McpError } from '../errors.ts'
import type { JsonRpcRequest } from '../rpc/messages.ts'
import { createInProcessTransport, type HandlerContext } from '../transports/in-process.ts'
import type { Transport, TransportEvents } from '../transports/transport.ts'

type Answer = (request: JsonRpcRequest, context: HandlerContext) => unknown

/** A server in this process that can be made to do what real ones do at the worst of times. */
export interface TestServer {
  createTransport(): Transport
  tools: ToolDefinition[]
  /** Its answers by method; what one throws is what the transport fails with. */
  readonly answers: Map<string, Answer>
  /** What the next starts fail with. */
  startFails: McpError | undefined
  /** The methods that it was asked for, oldest first. */
  readonly asked: string[]
  /** How many transports are open, and how many were ever made. */
  readonly open: number
  readonly made: number
  /** Ends all open transports with `error`; by default as a process that crashed. */
  die(error?: McpError): void
  /** Sends a notification to all that are connected. */
  notify(method: string): void
}

/** A started transport, as the server sees it. */
interface Link {
  events: TransportEvents
  /** Fails the calls under way. */
  fail(error: McpError): void
}

/** Creates a server with the tools `names`. It counts what it is asked and what is left open. */
export function createTestServer(...names: string[]): TestServer {
  const open = new Set<Link>()
  let made = 0
  const server: TestServer = {
    createTransport() {
      made += 1
      return connectTo(server, open)
    },
    tools: names.map(toTool),
    answers: new Map(goodAnswers(() => server)),
    startFails: undefined,
    asked: [],
    get open() {
      return open.size
    },
    get made() {
      return made
    },
    die(error = closedError('the process ended with exit code 1', true)) {
      for (const link of [...open]) {
        open.delete(link)
        link.fail(error)
        link.events.onClose(error)
      }
    },
    notify(method) {
      for (const { events } of open) events.onMessage({ jsonrpc: '2.0', method })
    },
  }
  return server
}

export function toTool(name: string): ToolDefinition {
  return { name, inputSchema: { type: 'object' } }
}

function connectTo(server: TestServer, open: Set<Link>): Transport {
  const inner = createInProcessTransport((message, context) => {
    if (!('method' in message) || !('id' in message)) return undefined
    server.asked.push(message.method)
    return answer(server, message, context)
  })
  const death = Promise.withResolvers<never>()
  death.promise.catch(() => undefined)
  let link: Link | undefined
  return {
    ...inner,
    async start(events, options) {
      if (server.startFails !== undefined) throw server.startFails
      link = { events, fail: death.reject }
      open.add(link)
      await inner.start(events, options)
    },
    call: (request, options) => Promise.race([death.promise, inner.call(request, options)]),
    async close() {
      if (link !== undefined) open.delete(link)
      await inner.close()
    },
  }
}

async function answer(server: TestServer, request: JsonRpcRequest, context: HandlerContext) {
  const { id, method } = request
  const known = server.answers.get(method)
  const error = { code: -32601, message: `Method not found: ${method}` }
  if (known === undefined) return { jsonrpc: '2.0', id, error }
  return { jsonrpc: '2.0', id, result: await known(request, context) }
}

function goodAnswers(server: () => TestServer): [string, Answer][] {
  return [
    [
      'initialize',
      ({ params }) => ({
        protocolVersion: params?.protocolVersion,
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: 'test', version: '1' },
      }),
    ],
    ['ping', () => ({})],
    ['tools/list', () => ({ tools: server().tools })],
    ['tools/call', ({ params }) => ({ content: [{ type: 'text', text: String(params?.name) }] })],
  ]
}
