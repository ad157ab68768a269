import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type Exchange, refuse, reply } from './exchange.ts'
import { modernVersion } from './good-server.ts'
import { createPostPeer, openEvents, toEvent } from './http-peers.ts'
import type { Message, Mode, Scene } from './mode.ts'
import { hangUp, takeMessage } from './scene.ts'

export type ServeExchange = (exchange: Exchange, mode: Mode) => Promise<unknown>

/** Streamable HTTP: with sessions and a stream of notices where the era is legacy. */
export function createStreamable(scene: Scene): ServeExchange {
  const sessions = new Set<string>()

  return async (exchange, mode) => {
    const isModern = scene.knobs.era === 'modern'
    if (exchange.message) return (isModern ? takeModern : takeLegacy)(exchange, mode)
    if (isModern) return reply(exchange, { status: 405 })
    if (exchange.method === 'GET') return serveNotices(exchange)
    sessions.delete(sessionOf(exchange))
    return reply(exchange, { status: 200 })
  }

  async function takeLegacy(exchange: Exchange, mode: Mode) {
    const { method } = exchange.message as Message
    if (method === 'initialize') sessions.add(beginSession(exchange))
    else if (method !== 'server/discover' && !sessions.has(sessionOf(exchange)))
      return refuse(exchange, sessionOf(exchange) === '' ? 400 : 404, -32000)
    await take(exchange, mode)
  }

  async function takeModern(exchange: Exchange, mode: Mode) {
    const { headers } = exchange.request
    const { method, params = {} } = exchange.message as Message
    const isSame =
      headers['mcp-protocol-version'] === modernVersion &&
      headers['mcp-method'] === method &&
      (method !== 'tools/call' || headers['mcp-name'] === params.name)
    return isSame ? take(exchange, mode) : refuse(exchange, 400, -32020)
  }

  async function take(exchange: Exchange, mode: Mode) {
    const { response } = exchange
    const message = exchange.message as Message
    const peer = createPostPeer(sessionOf(exchange), response, scene.knobs.reply ?? 'sse')
    response.once('close', () => response.writableFinished || hangUp(message, peer, scene))
    await takeMessage(message, { peer, scene, mode })
  }

  async function serveNotices(exchange: Exchange) {
    if (!sessions.has(sessionOf(exchange))) return refuse(exchange, 404, -32000)
    const { response } = exchange
    const tell = (message: Message) => void response.write(toEvent(message))
    openEvents(response)
    scene.listeners.add(tell)
    await once(response, 'close')
    scene.listeners.delete(tell)
  }
}

function beginSession({ request, response }: Exchange): string {
  const session = randomUUID()
  response.setHeader('mcp-session-id', session)
  request.headers['mcp-session-id'] = session
  return session
}

function sessionOf({ request }: Exchange): string {
  return String(request.headers['mcp-session-id'] ?? '')
}
