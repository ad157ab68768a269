import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { type Exchange, toExchange } from './exchange.ts'
import type { Knobs, Mode } from './mode.ts'
import { type HostileMode, modes } from './modes/table.ts'
import { createNotes, type NoteKind, type Notes } from './notes.ts'
import { createScene, noteArrival } from './scene.ts'
import { createSse } from './serve-sse.ts'
import { createStreamable } from './serve-streamable.ts'
import { goodTools } from './tools.ts'

/** A hostile server on a free port of loopback. Disposing of it resets what is open. */
export interface HostileHttp extends AsyncDisposable {
  /** Of Streamable HTTP. */
  readonly url: string
  /** Of HTTP+SSE. */
  readonly sseUrl: string
  /** What it has noted so far, oldest first. */
  notes(kind: NoteKind): string[]
  /** How many connections are open now. */
  connections(): number
  /** Behaves so from now on; connections, sessions and notes stay, all else begins anew. */
  set(mode: HostileMode, knobs?: Knobs): Promise<void>
}

/** Starts a server that behaves well but for its mode, over both HTTP transports. */
export async function startHostileHttp(
  name: HostileMode,
  knobs: Knobs = {},
  notes: Notes = createNotes(),
): Promise<HostileHttp> {
  const scene = createScene(knobs, notes)
  const streamable = createStreamable(scene)
  const sse = createSse(scene)
  const sockets = new Set<Socket>()
  let mode: Mode = modes[name]

  const http = createHttpServer((request, response) => {
    notes.add('request', `${request.method} ${request.url}`)
    response.on('error', () => {})
    toExchange(request, response)
      .then(serve)
      .catch(() => response.destroy())
  })
  http.requestTimeout = 0
  http.keepAliveTimeout = 60_000

  async function serve(exchange: Exchange): Promise<void> {
    if (exchange.message) noteArrival(exchange.message, scene)
    if (await mode.request?.(exchange, scene)) return
    const serveUsual = exchange.url.pathname === '/mcp' ? streamable : sse
    await serveUsual(exchange, mode)
  }

  const server = createServer((socket) => {
    notes.add('connection', sockets.size)
    sockets.add(socket)
    socket.setNoDelay()
    socket.on('error', () => {})
    socket.once('close', () => {
      sockets.delete(socket)
      notes.add('disconnection', sockets.size)
    })
    if (!mode.connection?.(socket, scene)) http.emit('connection', socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    url: `${origin}/mcp`,
    sseUrl: `${origin}/sse`,
    notes: notes.read,
    connections: () => sockets.size,
    async set(next, nextKnobs = {}) {
      mode = modes[next]
      Object.assign(scene, { knobs: nextKnobs, calls: 0, tools: goodTools() })
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.resetAndDestroy()
      http.close()
      await closed
    },
  }
}
