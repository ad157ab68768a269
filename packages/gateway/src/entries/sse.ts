import type { Clock } from '@dataagent/guard'
import { isAppError } from '@dataagent/schema/base'
import { type Caller, invalidCredential, rpcCodes } from '../protocol/index.ts'
import type { CallerStreams } from './caller-streams.ts'
import type { Admission, Admit, Endpoint, Visit } from './contract.ts'
import { messagesPathOf } from './endpoints.ts'
import { openEventStream } from './event-stream.ts'
import { readBody } from './read-body.ts'
import { isCutOff, takenBack, type WatchRequest } from './request-watch.ts'
import { bearerOf, sendChallenge, sendFault, sendNothing } from './send.ts'
import { createSseConnections, letterBound, type SseConnectionsOptions } from './sse-connection.ts'
import type { Letter, SseSessions, Taken } from './sse-sessions.ts'
import type { IsTakenBack, StillHolds } from './still-holds.ts'
import type { StreamWatch } from './stream-watch.ts'

export interface SseOptions extends SseConnectionsOptions {
  admit: Admit
  sessions: SseSessions
  stillHolds: StillHolds
  isTakenBack: IsTakenBack
  watch: StreamWatch
  watchRequest: WatchRequest
  streams: CallerStreams
  hashOf(token: string): string
  /** Whether one posts to streams of the endpoint without a credential. */
  isOpen(endpoint: Endpoint): boolean
  publicUrl(): string
  body: { maxBytes: number; withinMs: number }
  clock: Clock
}

const patienceMs = 10_000

/** HTTP+SSE: every answer goes over the stream, whatever it says. */
export function createSse(options: SseOptions) {
  const { admit, sessions, streams, watch, hashOf, sealed, publicUrl, clock } = options
  const connect = createSseConnections(options)

  /**
   * Opens a stream and says where to post. `caller` opened it and alone may post; without, the
   * first that may is taken for the one, and has 10 s; `onKnown` is told then.
   */
  function open(caller: Caller | undefined, visit: Visit, onKnown = () => {}): void {
    const { request, response, endpoint } = visit
    if (caller === undefined ? response.destroyed : !streams.enter(caller, response)) return
    const stream = openEventStream({ response, clock, onBeat: () => look() })
    const { leaving } = visit
    const { signal } = leaving
    const holds = (shown: string | undefined) => options.stillHolds(shown, endpoint)
    const isTakenBack = (by: Caller, credential: string | undefined) =>
      options.isTakenBack({ caller: by, credential, endpoint })
    const cutOff = () => leaving.abort(takenBack)
    const look = () => void connection.look()
    const meet = (owner: Caller) => {
      onKnown()
      watch.add(owner, response, look)
      if (!streams.enter(owner, response)) stream.end()
    }
    const opener = caller && { caller, shown: bearerOf(request.headers.authorization) }
    const connection = connect(opener, { stream, signal, holds, isTakenBack, cutOff, meet })
    if (caller !== undefined) watch.add(caller, response, look)
    const cancel = clock.after(patienceMs, () => connection.isKnown() || stream.end())
    const { session_id, end } = sessions.open(connection.take)
    stream.send(`${messagesPathOf(endpoint)}?sessionId=${session_id}`, 'endpoint')
    streams.onStop(response, connection.stop)
    response.on('close', () => {
      cancel()
      end()
      connection.end()
      leaving.abort()
    })
  }

  async function post(visit: Visit): Promise<void> {
    const { request, response, query, endpoint } = visit
    const shown = bearerOf(request.headers.authorization)
    const admission = await admit(shown, endpoint).catch(toUnsure)
    if (admission.status === 'missing' && !options.isOpen(endpoint)) {
      return sendChallenge(visit, admission, publicUrl())
    }
    const session_id = query.get('sessionId') ?? ''
    const isKnown = admission.status === 'ok'
    const letter = {
      caller: isKnown ? admission.caller : undefined,
      credential: shown === undefined ? undefined : hashOf(shown),
      sealed: isKnown && shown !== undefined ? sealed.seal({ shown }, letterBound) : undefined,
      isUnsure: admission.status === 'unsure',
    }
    if (isKnown) options.watchRequest(visit, { caller: admission.caller, credential: shown })
    const bring = (content: Letter['content']) => sessions.post(session_id, { ...letter, content })
    // Of one who is not let in, the stream alone can tell whether it is worth reading.
    const knocked = isKnown ? 'accepted' : await bring({ kind: 'knock' })
    if (knocked !== 'accepted') return refusePost(visit, knocked, admission)
    const taken = await readBody(request, options.body).then(
      (text) => (isCutOff(visit.leaving.signal) ? 'cut_off' : bring({ kind: 'message', text })),
      async (error: unknown) => {
        if (isAppError(error, 'too_large')) await bring({ kind: 'too_large' })
        throw error
      },
    )
    if (taken === 'cut_off') return sendChallenge(visit, { status: 'invalid' }, publicUrl())
    if (taken !== 'accepted') return refusePost(visit, taken, admission)
    sendNothing(response, 202)
  }

  /** Whether there is such a stream, only those learn who would be let in. */
  function refusePost(
    visit: Visit,
    taken: Exclude<Taken, 'accepted'>,
    admission: Admission | { status: 'unsure' },
  ): void {
    const { response } = visit
    if (admission.status === 'missing' || admission.status === 'invalid') {
      return void sendChallenge(visit, admission, publicUrl())
    }
    if (taken === 'gone') {
      const message = 'There is no such stream (any more).'
      return void sendFault(response, 404, { code: rpcCodes.noSession, message })
    }
    const data = { error_code: 'forbidden', detail: 'The stream is another client’s.' }
    sendFault(response, 403, { code: rpcCodes.params, message: invalidCredential, data })
  }

  return {
    open,
    async serve(visit: Visit): Promise<void> {
      const { request, response, endpoint } = visit
      if (endpoint.kind === 'messages') {
        if (request.method === 'POST') return post(visit)
        return sendNothing(response, 405, { allow: 'POST' })
      }
      if (request.method !== 'GET') return sendNothing(response, 405, { allow: 'GET' })
      const admission = await admit(bearerOf(request.headers.authorization), endpoint)
      if (admission.status !== 'ok') return sendChallenge(visit, admission, publicUrl())
      open(admission.caller, visit)
    },
  }
}

/** A refusal by status would let the client of a live stream hang. */
function toUnsure(error: unknown): { status: 'unsure' } {
  if (isAppError(error, 'store_unavailable')) return { status: 'unsure' }
  throw error
}
