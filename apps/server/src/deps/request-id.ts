import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { inRequest } from '../log/index.ts'

const header = 'x-request-id'

/** The id that the caller sent, where it is well-formed, else a new one. */
export function chooseRequestId(request: IncomingMessage): string {
  const sent = request.headers[header]
  return typeof sent === 'string' && /^[A-Za-z0-9._:-]{1,128}$/.test(sent) ? sent : randomUUID()
}

/** Puts the request's id into its answer and into everything that is logged on its way. */
export function addRequestId(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header(header, request.id)
    inRequest(request.id, done)
  })
}
