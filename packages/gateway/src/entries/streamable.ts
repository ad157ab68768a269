import { isAppError } from '@dataagent/schema/base'
import {
  type Caller,
  type Incoming,
  parseIncoming,
  type Reply,
  type RpcRequest,
  rpcCodes,
} from '../protocol/index.ts'
import { classify, type Envelope } from './classify.ts'
import type { Admit, Visit } from './contract.ts'
import type { createGetStream } from './get-stream.ts'
import type { createListen } from './listen.ts'
import type { createModernDesk } from './modern-desk.ts'
import type { Outlet } from './outlet.ts'
import type { createParamHeaderCheck } from './param-headers.ts'
import { readBody } from './read-body.ts'
import { toTakenBackReply, type WatchRequest } from './request-watch.ts'
import { bearerOf, sendChallenge, sendFault, sendNothing, sendText } from './send.ts'
import type { createStreamableLegacy } from './streamable-legacy.ts'
import { toAnswerText, toReplyHeaders } from './write-reply.ts'

export interface StreamableOptions {
  admit: Admit
  watchRequest: WatchRequest
  legacy: ReturnType<typeof createStreamableLegacy>
  getStream: ReturnType<typeof createGetStream>
  modern: Pick<ReturnType<typeof createModernDesk>, 'serve'>
  listen: Pick<ReturnType<typeof createListen>, 'serve'>
  checkParamHeaders: ReturnType<typeof createParamHeaderCheck>
  createOutlet(visit: Visit): Outlet
  publicUrl(): string
  body: { maxBytes: number; withinMs: number }
}

/** Streamable HTTP of every revision, on one URL. */
export function createStreamable(options: StreamableOptions) {
  const { admit, legacy, getStream, modern, listen, publicUrl } = options

  async function post(caller: Caller, visit: Visit): Promise<void> {
    if (!isJson(visit)) return refuseType(visit)
    const incoming = parseIncoming(await readBody(visit.request, options.body))
    if (incoming.batch) return legacy(caller, incoming, visit)
    const classified = classify(incoming.message, visit.request.headers)
    if (classified.era === 'legacy') return legacy(caller, incoming, visit)
    if (classified.era === 'neither') {
      const text = toAnswerText(idOf(incoming), { kind: 'error', error: classified.error })
      return sendText(visit.response, 400, { text })
    }
    return postModern(caller, incoming, { envelope: classified.envelope, visit })
  }

  async function postModern(
    caller: Caller,
    { message }: Extract<Incoming, { batch: false }>,
    { envelope, visit }: { envelope: Envelope; visit: Visit },
  ): Promise<void> {
    // One that is to cancel does nothing here: a client cancels by leaving, and ids of several
    // clients with the same key may be the same.
    if (message.kind === 'notification') return sendNothing(visit.response, 202)
    if (message.kind !== 'request') return
    const { message: request } = message
    const outlet = options.createOutlet(visit)
    if (request.method === 'subscriptions/listen') {
      return listen.serve(caller, request, { outlet, visit })
    }
    const fault =
      request.method === 'tools/call'
        ? options.checkParamHeaders(caller, request, visit.request.headers)
        : undefined
    const reply: Reply =
      fault === undefined
        ? await modern.serve(caller, request, { envelope, way: outlet })
        : { kind: 'error', error: fault }
    finish(request, reply, { visit, outlet })
  }

  function finish(request: RpcRequest, reply: Reply, to: { visit: Visit; outlet: Outlet }): void {
    const given = toTakenBackReply(to.outlet.signal) ?? reply
    const status = statusOf(given)
    const headers = toReplyHeaders(given, to.visit, publicUrl())
    to.outlet.end(toAnswerText(request.id, given), { status, headers })
  }

  return async function serve(visit: Visit): Promise<void> {
    const { request, response, endpoint } = visit
    const credential = bearerOf(request.headers.authorization)
    const admission = await admit(credential, endpoint)
    if (admission.status !== 'ok') return sendChallenge(visit, admission, publicUrl())
    const { caller } = admission
    try {
      if (request.method === 'POST') {
        // Before its message is read, which may take its time.
        options.watchRequest(visit, { caller, credential })
        return await post(caller, visit)
      }
      if (request.method === 'GET') return await getStream.open(caller, visit)
      if (request.method === 'DELETE') return await getStream.end(caller, visit)
      sendNothing(response, 405, { allow: 'POST, GET, DELETE' })
    } catch (error) {
      if (isAppError(error, 'too_large')) {
        return sendFault(response, 413, { code: rpcCodes.request, message: error.message })
      }
      throw error
    }
  }
}

/** What the transport itself refuses has a status; what a method answers has none but 200. */
function statusOf(reply: Reply): number {
  if (reply.kind !== 'error') return 200
  if (reply.status !== undefined) return reply.status
  const { code } = reply.error
  if (code === rpcCodes.method) return 404
  return code === rpcCodes.missingCapability || code === rpcCodes.headerMismatch ? 400 : 200
}

function idOf({ message }: Extract<Incoming, { batch: false }>): string | number | null {
  return message.kind === 'request' ? message.message.id : null
}

function isJson({ request }: Visit): boolean {
  return /^application\/json\b/i.test(request.headers['content-type'] ?? '')
}

function refuseType({ response }: Visit): void {
  const message = 'Send the message as application/json.'
  sendFault(response, 415, { code: rpcCodes.parse, message })
}
