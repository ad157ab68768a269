import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type Exchange, refuse, reply } from './exchange.ts'
import { createStreamPeer, openEvents } from './http-peers.ts'
import type { Peer, Scene } from './mode.ts'
import { takeMessage } from './scene.ts'
import type { ServeExchange } from './serve-streamable.ts'

/** HTTP+SSE of 2024-11-05: a GET opens the stream that carries every answer. */
export function createSse(scene: Scene): ServeExchange {
  const peers = new Map<string, Peer>()

  return async (exchange, mode) => {
    const { message } = exchange
    if (!message) return open(exchange)
    const session = exchange.url.searchParams.get('session') ?? ''
    const peer = peers.get(session)
    if (!peer) return refuse(exchange, 404, -32000)
    reply(exchange, { status: 202, body: 'Accepted' })
    await takeMessage(message, { peer, scene, mode })
  }

  async function open({ response }: Exchange): Promise<void> {
    const session = randomUUID()
    openEvents(response)
    response.write(`event: endpoint\ndata: /messages?session=${session}\n\n`)
    peers.set(session, createStreamPeer(session, response))
    await once(response, 'close')
    peers.delete(session)
  }
}
