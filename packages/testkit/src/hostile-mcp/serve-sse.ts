import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { type Exchange, refuse, reply } from './exchange.ts'
import { createStreamPeer, openEvents } from './http-peers.ts'
import type { Scene } from './mode.ts'
import { takeMessage } from './scene.ts'
import type { ServeExchange } from './serve-streamable.ts'

/** HTTP+SSE of 2024-11-05: a GET opens the stream that carries every answer. */
export function createSse(scene: Scene): ServeExchange {
  const streams = new Map<string, ServerResponse>()

  return async (exchange, mode) => {
    const { message } = exchange
    if (!message) return open(exchange)
    const session = exchange.url.searchParams.get('session') ?? ''
    const stream = streams.get(session)
    if (!stream) return refuse(exchange, 404, -32000)
    reply(exchange, { status: 202, body: 'Accepted' })
    await takeMessage(message, { peer: createStreamPeer(session, stream), scene, mode })
  }

  async function open({ response }: Exchange): Promise<void> {
    const session = randomUUID()
    openEvents(response)
    response.write(`event: endpoint\ndata: /messages?session=${session}\n\n`)
    streams.set(session, response)
    await once(response, 'close')
    streams.delete(session)
  }
}
