import { fault, isFault } from './fault.ts'
import { createInbox } from './inbox.ts'
import { encodeNotification, encodeRequest, initializeParams, type Message } from './messages.ts'
import { checkInitialized } from './models.ts'
import { openSse } from './sse-transport.ts'
import { openStreamable } from './streamable-transport.ts'
import type { MessageKind, Transport, TransportOptions } from './transport.ts'
import type { Header, WireRequest } from './wire.ts'

export interface Connection extends AsyncDisposable {
  request(method: string, params?: Record<string, unknown>): Promise<Record<string, unknown>>
}

export interface ConnectOptions {
  url: string
  headers: Header[]
  requests: WireRequest[]
  hangMs: number
  endpointMs: number
}

type Open = (options: TransportOptions) => Promise<Transport>

/**
 * A connection for one action, with `initialize` done. The last segment of the path decides the
 * transport; where it says neither, SSE comes first, and the other only after an answer that says
 * no or a stream without an endpoint.
 */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const segment = new URL(options.url).pathname.replace(/\/+$/, '').split('/').at(-1)
  if (segment === 'mcp') return connectBy(openStreamable, options)
  if (segment === 'sse') return connectBy(openSse, options)
  try {
    return await connectBy(openSse, options)
  } catch (error) {
    const kinds = ['connection', 'authentication', 'endpoint'] as const
    if (!kinds.some((kind) => isFault(error, kind))) throw error
    return connectBy(openStreamable, options)
  }
}

async function connectBy(open: Open, { hangMs, ...options }: ConnectOptions): Promise<Connection> {
  let transport: Transport | undefined
  let writing = Promise.resolve()
  let nextId = 0
  const inbox = createInbox({ hangMs, onRequest: (request) => write(answerTo(request), 'reply') })

  /** One after the other: the next is sent when the one before is answered. */
  function write(body: string, kind: MessageKind): void {
    writing = writing.then(() => transport?.post(body, kind))
  }

  function request(method: string, params?: Record<string, unknown>) {
    const id = nextId++
    const answer = inbox.wait(id)
    write(encodeRequest(id, method, params), method === 'initialize' ? 'initialize' : 'request')
    return answer
  }

  const within = createWithin(hangMs)
  const opened = await open({ ...options, inbox, within })
  transport = opened
  try {
    checkInitialized(await request('initialize', initializeParams))
    write(encodeNotification('notifications/initialized'), 'initialized')
  } catch (error) {
    await opened.close()
    throw error
  }
  return { request, [Symbol.asyncDispose]: () => opened.close() }
}

/** Any other request of a server ends Dify's session. */
function answerTo({ id, method }: Message & { kind: 'request' }): string {
  if (method === 'ping') return JSON.stringify({ jsonrpc: '2.0', id, result: {} })
  const refusals: Record<string, string> = {
    'roots/list': 'List roots not supported',
    'sampling/createMessage': 'Sampling not supported',
  }
  const message = refusals[method]
  if (message === undefined) throw fault('invalid', `Dify cannot be asked ${method}`)
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32600, message } })
}

function createWithin(hangMs: number): TransportOptions['within'] {
  return async (work, what) => {
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => late.reject(fault('hangs', `Dify hangs here; ${what}`)), hangMs)
    return Promise.race([work, late.promise]).finally(() => clearTimeout(timer))
  }
}
