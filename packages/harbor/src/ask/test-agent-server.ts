import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { json } from 'node:stream/consumers'
import { acceptSocket } from './test-socket.ts'

/** An event without its place, which the server adds. */
export type TurnEvent = { event_type: string } & Record<string, unknown>

export interface Turn {
  message: string
  session_id: string
  /** Sends one event of the turn. */
  send(event: TurnEvent): void
  /** Resolves when the turn was cancelled, or its reader has gone. */
  cancelled: Promise<void>
}

export interface AgentServerOptions {
  /** Sends the events of a turn; what follows is its `done`, unless it has sent one. */
  turn(turn: Turn): Promise<void> | void
  /** Answers other requests; undefined leaves them to the server. */
  answer?(request: SeenRequest): { status: number; body: unknown } | undefined
}

export interface SeenRequest {
  method: string
  path: string
  body: Record<string, unknown>
  /** Whether it has an Idempotency-Key. */
  isKeyed: boolean
}

export interface AgentServer extends AsyncDisposable {
  baseUrl: string
  requests: readonly SeenRequest[]
  /** Connections that are open now. */
  connections(): Promise<number>
}

/** Who follows a turn, over whatever. */
interface Reader {
  tell(event: object): void
  onGone(listener: () => void): void
}

export const text = (content: string): TurnEvent => ({
  ...{ event_type: 'text', content, is_final: true },
})
export const done = (cancelled: boolean): TurnEvent => ({ event_type: 'done', cancelled })

/** Over real HTTP and WebSockets as much of the platform as an asker needs; a test writes turns. */
export async function startAgentServer(options: AgentServerOptions): Promise<AgentServer> {
  const requests: SeenRequest[] = []
  const cancels = new Map<string, () => void>()
  const sockets = new Set<Duplex>()
  let sessions = 0

  function createSession(body: SeenRequest['body']) {
    sessions += 1
    const info = { user_id: 'ada', assistant_id: 'default', created_at: 1, last_active: 1 }
    return { session_id: `s${sessions}`, ...info, ...body }
  }

  async function takeTurn(asked: Record<string, string>, reader: Reader): Promise<void> {
    const { message = '', message_id, session_id = '' } = asked
    const cancelled = Promise.withResolvers<void>()
    cancels.set(session_id, cancelled.resolve)
    reader.onGone(cancelled.resolve)
    let seq = 0
    let isDone = false
    const send = (event: TurnEvent) => {
      seq += 1
      isDone ||= event.event_type === 'done'
      reader.tell({ timestamp: 1, session_id, seq, ...event })
    }
    send({ event_type: 'user_message', message_id, content: message })
    await options.turn({ message, session_id, send, cancelled: cancelled.promise })
    if (!isDone) send(done(false))
  }

  async function takeStreamed(body: SeenRequest['body'], response: ServerResponse): Promise<void> {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    await takeTurn(body as Record<string, string>, {
      tell: (event) => void response.write(`data: ${JSON.stringify(event)}\n\n`),
      onGone: (listener) => void response.once('close', listener),
    })
    response.end()
  }

  function takeSocket(incoming: IncomingMessage, stream: Duplex): void {
    const session_id = `${incoming.url}`.replace(/^.*\//, '')
    sockets.add(stream.once('close', () => sockets.delete(stream)))
    const { send } = acceptSocket(incoming, stream, ({ type, payload }) => {
      if (type === 'resume') {
        send({ event_type: 'connected', timestamp: 1, session_id, seq: 0, status: 'idle' })
        send({ event_type: 'caught_up', timestamp: 1, seq: 0 })
      }
      if (type !== 'chat') return
      const onGone = (listener: () => void) => void stream.once('close', listener)
      void takeTurn({ ...Object(payload), session_id }, { tell: send, onGone })
    })
  }

  function answer(request: SeenRequest): { status: number; body: unknown } {
    const { method, path, body } = request
    const own = options.answer?.(request)
    if (own) return own
    const [, session_id = ''] = path.match(/^\/chat\/(.+)\/cancel$/) ?? []
    if (session_id !== '') {
      const cancel = cancels.get(session_id)
      cancel?.()
      return { status: 200, body: { session_id, cancelled: cancel !== undefined } }
    }
    if (method === 'DELETE') return { status: 200, body: {} }
    return { status: 200, body: createSession(body) }
  }

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = `${incoming.url}`.replace('/api/v1', '').replace(/\?.*/, '')
    const hasBody = incoming.headers['content-type'] === 'application/json'
    const body = hasBody ? ((await json(incoming)) as SeenRequest['body']) : {}
    const isKeyed = incoming.headers['idempotency-key'] !== undefined
    const request = { method: `${incoming.method}`, path, body, isKeyed }
    requests.push(request)
    if (path === '/chat') return takeStreamed(body, response)
    const { status, body: told } = answer(request)
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(told))
  }

  const server = createServer((incoming, response) => void handle(incoming, response))
  server.on('upgrade', takeSocket)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    connections: () =>
      new Promise((resolve) => server.getConnections((_error, count) => resolve(count))),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
