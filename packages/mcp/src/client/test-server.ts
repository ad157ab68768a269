import { isPlainObject } from '@dataagent/schema/base'
import type { McpError } from '../errors.ts'
import type { JsonRpcMessage, JsonRpcRequest } from '../rpc/messages.ts'
import { createInProcessTransport, type HandlerContext } from '../transports/in-process.ts'
import type { Transport, TransportEvents, TransportKind } from '../transports/transport.ts'

/** Gives the result of a request; throws `fault(…)` for an error, or answers later. */
export type Method = (
  params: Record<string, unknown>,
  context: HandlerContext & { request: JsonRpcRequest },
) => unknown

export interface TestServer {
  transport: Transport
  /** Everything that the client sent, in order. */
  received: JsonRpcMessage[]
  /** The methods of what was received. */
  methods(): string[]
  /** Ends the connection from the server's side. */
  leave(error: McpError): void
  /** As `send`, on the stream of the call with this id. */
  sendOn(call: number, message: Record<string, unknown>): void
  /** Sends a request, a notification or nonsense to the client. */
  send(message: Record<string, unknown>): void
}

export interface TestServerOptions {
  methods?: Record<string, Method>
  /** What the transport says it is. */
  kind?: TransportKind
  version?: string
  capabilities?: Record<string, unknown>
}

export const serverInfo = { name: 'test-server', version: '1.2.3' }

/** A server of the handshake era in this process, with the methods given. */
export function createTestServer(options: TestServerOptions = {}): TestServer {
  const { kind = 'in-process', version = '2025-11-25', capabilities = {} } = options
  const received: JsonRpcMessage[] = []
  let sendOut: HandlerContext['send'] | undefined
  let events: TransportEvents | undefined
  const methods: Record<string, Method> = {
    initialize: () => ({ protocolVersion: version, capabilities, serverInfo }),
    ping: () => ({}),
    ...options.methods,
  }
  const inner = createInProcessTransport((message, context) => {
    received.push(message)
    sendOut = context.send
    if (!('method' in message) || !('id' in message)) return undefined
    return respond(methods[message.method], message, context)
  })
  const toMethod = (message: JsonRpcMessage) => ('method' in message ? [message.method] : [])
  return {
    transport: {
      ...inner,
      kind,
      start(given, options) {
        events = given
        return inner.start(given, options)
      },
    },
    received,
    methods: () => received.flatMap(toMethod),
    sendOn: (call, message) => {
      events?.onMessage({ jsonrpc: '2.0', ...message } as JsonRpcRequest, call)
    },
    leave: (error) => events?.onClose(error),
    send: (message) => sendOut?.({ jsonrpc: '2.0', ...message } as JsonRpcMessage),
  }
}

/** What a method throws to answer with an error. */
export function fault(code: number, message: string, data?: unknown) {
  return { isFault: true, code, message, ...(data !== undefined && { data }) }
}

async function respond(
  method: Method | undefined,
  request: JsonRpcRequest,
  context: HandlerContext,
): Promise<unknown> {
  const { id, params = {} } = request
  try {
    if (method === undefined) throw fault(-32601, 'Method not found')
    return { jsonrpc: '2.0', id, result: await method(params, { ...context, request }) }
  } catch (thrown) {
    if (!isPlainObject(thrown) || thrown.isFault !== true) throw thrown
    const { isFault: _, ...error } = thrown
    return { jsonrpc: '2.0', id, error }
  }
}

/** The methods of a server of the modern era, to be given to `createTestServer`. */
export function modernMethods(capabilities: Record<string, unknown> = {}): Record<string, Method> {
  return {
    initialize: () => {
      throw fault(-32022, 'Unsupported protocol version', { supported: ['2026-07-28'] })
    },
    ping: () => {
      throw fault(-32601, 'Method not found')
    },
    'server/discover': () => ({
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities,
      _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo },
    }),
  }
}

/** Never answers, but ends with the call. */
export const never: Method = (_, { signal }) =>
  new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(new Error('gone')), { once: true })
  })
