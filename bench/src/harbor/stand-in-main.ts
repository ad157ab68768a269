// A server that does nothing but answer, in a process of its own. Tells its port once it listens.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type WebSocket, WebSocketServer } from 'ws'

/** So long that many are under way at once. */
const answerMs = 50

let sessions = 0
const place = { timestamp: 1, session_id: 's' }
const words = ['There ', 'are ', '42 ', 'orders ', 'open.']

const toEvents = (message_id: string) => [
  {
    event_type: 'user_message',
    message_id,
    content: 'How many orders are open?',
    ...place,
    seq: 1,
  },
  ...words.map((content, at) => ({
    ...{ event_type: 'text', content, is_final: at === words.length - 1, ...place, seq: 2 },
    offset: words.slice(0, at).join('').length,
  })),
  { event_type: 'done', cancelled: false, ...place, seq: 3 },
]

const server = createServer(async (request, response) => {
  const body = JSON.parse((await text(request)) || '{}')
  if (!request.url?.startsWith('/api/v1/chat')) {
    sessions += 1
    const info = { user_id: 'u', assistant_id: 'default', created_at: 1, last_active: 1 }
    response.writeHead(201, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ session_id: `s${sessions}`, ...info }))
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const frames = toEvents(body.message_id ?? 'm').map(
    (event) => `data: ${JSON.stringify(event)}\n\n`,
  )
  setTimeout(() => response.end(frames.join('')), answerMs)
})

function answer(
  socket: WebSocket,
  { type, payload }: { type: string; payload?: { message_id: string } },
) {
  const send = (message: object) => socket.send(JSON.stringify(message))
  if (type === 'resume') {
    send({ event_type: 'connected', ...place, seq: 0, status: 'idle' })
    send({ event_type: 'caught_up', timestamp: 1, seq: 0 })
  }
  if (type !== 'chat') return
  const events = toEvents(payload?.message_id ?? 'm')
  setTimeout(() => events.forEach(send), answerMs)
}

// A bare loop does not ask again when a connection is closed that it was about to use.
server.keepAliveTimeout = 600_000

const sockets = new WebSocketServer({ server })
sockets.on('connection', (socket) => {
  socket.on('error', () => {})
  socket.on('message', (data) => answer(socket, JSON.parse(data.toString())))
})

process.on('disconnect', () => process.exit())
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
