import { parseServerMessage, type ServerMessage } from '@dataagent/schema'
import { waitFor } from '@dataagent/testkit'
import { WebSocket } from 'ws'

/** A client's end of a chat socket, with all that came. */
export interface TestSocket extends Disposable {
  readonly messages: ServerMessage[]
  send(type: string, payload?: unknown): void
  sendRaw(text: string | Buffer): void
  /** The first message of the kind, from `from` on; waits for it. */
  next(event_type: string, from?: number): Promise<ServerMessage & Record<string, unknown>>
  /** Code and reason, once it is closed. */
  closed: Promise<{ code: number; reason: string }>
  /** Goes without a word. */
  cut(): void
  socket: WebSocket
}

export interface TestSocketOptions {
  url: string
  session_id: string
  headers?: Record<string, string>
}

/** Opens a socket to a running server. */
export function openTestSocket({ url, session_id, headers = {} }: TestSocketOptions): TestSocket {
  const address = `${url.replace('http', 'ws')}/ws/chat/${session_id}`
  const socket = new WebSocket(address, { headers })
  const messages: ServerMessage[] = []
  const closed = Promise.withResolvers<{ code: number; reason: string }>()
  let isClosed = false
  socket.on('message', (data) => messages.push(parseServerMessage(data.toString())))
  socket.on('error', () => {})
  socket.on('close', (code, reason) => {
    isClosed = true
    closed.resolve({ code, reason: reason.toString() })
  })

  async function next(event_type: string, from = 0) {
    const find = () => messages.slice(from).find((message) => message.event_type === event_type)
    await waitFor(() => find() !== undefined || isClosed, {
      timeoutMs: 20_000,
      what: `${event_type} on the socket`,
    })
    const found = find()
    if (found) return found as ServerMessage & Record<string, unknown>
    throw new Error(`closed without ${event_type}: ${JSON.stringify(messages.slice(-3))}`)
  }

  return {
    messages,
    socket,
    next,
    closed: closed.promise,
    send: (type, payload) => socket.send(JSON.stringify({ type, payload })),
    sendRaw: (text) => socket.send(text),
    cut: () => socket.terminate(),
    [Symbol.dispose]: () => socket.terminate(),
  }
}
