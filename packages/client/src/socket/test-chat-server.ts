import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import {
  type ExecutionEvent,
  type Logged,
  type Notice,
  parseClientMessage,
  type ResumePoint,
  restAfter,
  type SentEvent,
  type TextEvent,
  type WebSocketMessage,
} from '@dataagent/schema'
import { type WebSocket, WebSocketServer } from 'ws'

type NoticeOf<T> = Extract<Notice, { event_type: T }>
/** An event or a notice, without what the server adds. */
type Bare<E> = E extends unknown ? Omit<E, 'timestamp'> : never

export interface TestConnection {
  /** Counts from 0. */
  number: number
  socket: WebSocket
  /** What the client has sent, as far as it was read. */
  received: WebSocketMessage[]
  tell(notice: Bare<Notice>): void
  sendEvent(event: SentEvent): void
}

/** What a test changes. Each may return true to keep the server from doing what it would do. */
export interface ChatServerHooks {
  /** Before the first word. */
  onOpen?(connection: TestConnection): boolean | undefined
  onMessage?(connection: TestConnection, message: WebSocketMessage): boolean | undefined
  /** After each frame that is sent. */
  onSent?(connection: TestConnection, count: number): void
}

export interface TestChatServer extends AsyncDisposable {
  baseUrl: string
  connections: TestConnection[]
  /** The log of the one session. */
  log: Logged[]
  append(event: Bare<ExecutionEvent>): void
  /** Sends a text piece by piece; it is logged after its last, or before another event. */
  say(pieces: readonly string[], is_final: boolean): Promise<void>
}

/** A server of the socket's protocol with a log in memory. Sends what comes after the point. */
export async function startChatServer(
  hooks: ChatServerHooks = {},
  apiKey?: string,
): Promise<TestChatServer> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  const connections: TestConnection[] = []
  const following = new Set<TestConnection>()
  const log: Logged[] = []
  let pending: (Logged & TextEvent) | undefined

  const place = <E>(event: E) => ({ timestamp: 1, session_id: 's1', seq: log.length + 1, ...event })

  function sendToAll(event: SentEvent): void {
    for (const connection of following) connection.sendEvent(event)
  }

  function logText(): void {
    if (pending) log.push(pending)
    pending = undefined
  }

  function append(event: Bare<ExecutionEvent>): void {
    logText()
    const row = place(event) as Logged
    log.push(row)
    sendToAll(row)
  }

  async function say(pieces: readonly string[], is_final: boolean): Promise<void> {
    for (const [at, content] of pieces.entries()) {
      const isLast = is_final && at === pieces.length - 1
      const before = pending ?? place({ event_type: 'text', content: '', is_final: false } as const)
      pending = { ...before, content: before.content + content, is_final: isLast }
      sendToAll({ ...pending, content, offset: before.content.length })
      await new Promise(setImmediate)
    }
    logText()
  }

  function replay(connection: TestConnection, point: ResumePoint): void {
    const sentSoFar = pending && { ...pending, offset: 0 }
    for (const event of sentSoFar ? [...log, sentSoFar] : log) {
      const rest = restAfter(event, point)
      if (rest) connection.sendEvent(rest)
    }
    connection.tell({ event_type: 'caught_up', seq: log.length })
    following.add(connection)
  }

  function hear(connection: TestConnection, message: WebSocketMessage): void {
    if (message.type === 'resume') replay(connection, message.payload)
    if (message.type === 'ping') connection.tell({ event_type: 'pong' })
    if (message.type === 'authenticate') {
      if (message.payload.api_key.reveal() === apiKey) greet(connection)
      else connection.socket.close(4401)
    }
    if (message.type === 'chat') {
      const { message: content, message_id = 'none' } = message.payload
      append({ event_type: 'user_message', message_id, content })
    }
    if (message.type === 'hitl_decision') {
      const { approval_id, decision } = message.payload
      const decided = { via: 'person', decided_by: 'ana' } as const
      append({ event_type: 'approval_decided', approval_id, decision, ...decided })
    }
  }

  function greet(connection: TestConnection): void {
    const connected = { session_id: 's1', seq: log.length, status: 'running' } as const
    connection.tell({ event_type: 'connected', ...connected } as Bare<NoticeOf<'connected'>>)
  }

  server.on('connection', (socket) => {
    const connection = toConnection(socket, connections.length, hooks)
    connections.push(connection)
    socket.on('close', () => following.delete(connection))
    socket.on('message', (data) => {
      if (socket.readyState !== socket.OPEN) return
      const message = parseClientMessage(String(data))
      if (hooks.onMessage?.(connection, message)) return
      connection.received.push(message)
      hear(connection, message)
    })
    if (hooks.onOpen?.(connection) || apiKey !== undefined) return
    greet(connection)
  })

  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ connections, log, append, say },
    async [Symbol.asyncDispose]() {
      for (const socket of server.clients) socket.terminate()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function toConnection(socket: WebSocket, number: number, hooks: ChatServerHooks): TestConnection {
  let count = 0
  const send = (message: object) => {
    if (socket.readyState !== socket.OPEN) return
    socket.send(JSON.stringify(message))
    count += 1
    hooks.onSent?.(connection, count)
  }
  const connection: TestConnection = {
    ...{ number, socket, received: [] },
    tell: (notice) => send({ timestamp: 1, ...notice }),
    sendEvent: send,
  }
  return connection
}
