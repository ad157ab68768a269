import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '@dataagent/guard'
import type { FastifyInstance } from 'fastify'
import { endLate } from './client-error.ts'

/** Node's own limit for a request to arrive is one for all: ours know what they wait for. */
export const noRequestTimeout = 0

export interface BodyTimeOptions {
  clock: Clock
  withinMs: number
}

/**
 * Cuts off bodies that do not arrive in time, also where nobody reads them. A file that the caller
 * may upload takes as long as it takes: it is cut off when nothing of it comes for that time.
 */
export function addBodyTime(app: FastifyInstance, { clock, withinMs }: BodyTimeOptions): void {
  const files = new WeakSet<IncomingMessage>()
  app.addHook('preHandler', async ({ raw, routeOptions }) => {
    if (routeOptions.config.takesRaw) files.add(raw)
  })
  // Every request, also those that are refused before they come to a route.
  app.server.prependListener('request', watch)
  app.server.on('checkExpectation', (_request, response: ServerResponse) => {
    response.writeHead(417, { connection: 'close' }).end()
  })

  function watch(request: IncomingMessage, response: ServerResponse): void {
    if (!hasBody(request)) return
    let had = request.socket.bytesRead
    let cancel = clock.after(withinMs, look)
    request.once('end', () => cancel())
    request.once('close', () => cancel())

    function look(): void {
      if (request.complete) return
      const now = request.socket.bytesRead
      const goesOn = files.has(request) && !response.headersSent && now > had
      if (!goesOn && !isBehindOthers(response))
        return void endLate(request.socket, { clock, isAnswered: response.headersSent })
      had = now
      cancel = clock.after(withinMs, look)
    }
  }
}

/** On one connection answers go out in order: those before it must not be cut off with it. */
function isBehindOthers({ socket, writableFinished }: ServerResponse): boolean {
  return socket === null && !writableFinished
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0
}
