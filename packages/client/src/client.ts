import { createApi } from './api/index.ts'
import type { ClientError } from './client-error.ts'
import { createSendRequest } from './http/index.ts'
import {
  type ChatSocket,
  type ConnectOptions,
  createChatSocket,
  type SocketConstructor,
} from './socket/index.ts'

export interface ClientOptions {
  /** Of the server, absolute: `https://agents.example.com`; on its own pages `location.origin`. */
  baseUrl: string
  /** Without one the cookie of a browser that is signed in says who calls. */
  apiKey?: string | undefined
  /** Default: that of the platform. */
  fetch?: typeof fetch | undefined
  /** Default: that of the platform. */
  WebSocket?: SocketConstructor | undefined
  /** Told whenever the server says that nobody is signed in, beside the error itself. */
  onUnauthenticated?: ((error: ClientError) => void) | undefined
}

export interface Client extends ReturnType<typeof createApi> {
  /** Follows a session. Returns at once; see `ChatSocket`. */
  connect(session_id: string, options?: ConnectOptions): ChatSocket
}

/** A client of one server, for one caller. Holds nothing open but its sockets. */
export function createClient(options: ClientOptions): Client {
  const { apiKey, onUnauthenticated, WebSocket = globalThis.WebSocket } = options
  const baseUrl = options.baseUrl.replace(/\/+$/, '')
  const fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init))
  const connect: Client['connect'] = (session_id, connectOptions) => {
    const url = `${baseUrl.replace(/^http/, 'ws')}/ws/chat/${encodeURIComponent(session_id)}`
    return createChatSocket({ url, apiKey, WebSocket, onUnauthenticated, ...connectOptions })
  }
  const send = createSendRequest({ baseUrl, apiKey, fetch, onUnauthenticated })
  return { ...createApi(send, connect), connect }
}
