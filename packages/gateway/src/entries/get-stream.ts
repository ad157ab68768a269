import type { Clock } from '@dataagent/guard'
import type { GatewayLimits } from '../limits/index.ts'
import { type Caller, rpcCodes } from '../protocol/index.ts'
import type { CallerStreams } from './caller-streams.ts'
import type { Visit } from './contract.ts'
import { openEventStream } from './event-stream.ts'
import type { News } from './news.ts'
import { bearerOf, sendFault, sendNothing } from './send.ts'
import type { StillHolds } from './still-holds.ts'
import type { StreamWatch } from './stream-watch.ts'
import type { TransportSession, TransportSessions } from './transport-sessions.ts'
import { sendLimited } from './write-reply.ts'

export interface GetStreamOptions {
  sessions: TransportSessions
  limits: GatewayLimits
  news: News
  stillHolds: StillHolds
  streams: CallerStreams
  watch: StreamWatch
  publicUrl(): string
  clock: Clock
}

/** GET and DELETE of Streamable HTTP in the legacy era. */
export function createGetStream(options: GetStreamOptions) {
  const { sessions, limits, news, stillHolds, streams, watch, clock } = options

  async function findSession(caller: Caller, { request, response }: Visit) {
    const session_id = request.headers['mcp-session-id']
    if (session_id === undefined) return void refuse(response)
    const session = await sessions.find(String(session_id), caller)
    if (session !== undefined) return session
    return void sendFault(response, 404, {
      code: rpcCodes.noSession,
      message: 'Session not found.',
    })
  }

  /** What changes is told here, as long as the client listens and the session lasts. */
  async function open(caller: Caller, visit: Visit): Promise<void> {
    const { request, response } = visit
    if (!(request.headers.accept ?? '').includes('text/event-stream')) return refuse(response)
    if (request.headers['mcp-session-id'] === undefined) return refuse(response)
    // Each opening subscribes anew to all that the session wants to hear of.
    const verdict = await limits.take(caller, { method: 'stream' })
    if (verdict.status === 'limited') {
      return sendLimited(visit, verdict.retryAfterMs, options.publicUrl())
    }
    const session = await findSession(caller, visit)
    if (session === undefined || !streams.enter(caller, response)) return
    const { session_id } = session
    const shown = bearerOf(request.headers.authorization)
    const stream = openEventStream({
      ...{ response, clock, headers: { 'mcp-session-id': session_id } },
      onBeat: () => look(),
    })
    const whileItHolds = async (go: () => void) =>
      (await stillHolds(shown, visit.endpoint)) ? go() : stream.end()
    const look = () => void whileItHolds(() => {})
    watch.add(caller, response, look)
    const listening = news.listen(caller, wantsOf(session), (method, params) => {
      const text = JSON.stringify({ jsonrpc: '2.0', method, params })
      void whileItHolds(() => stream.send(text))
    })
    const endWatch = sessions.onChange((changed) => {
      if (changed !== session_id) return
      void sessions.find(session_id, caller).then(
        (now) => (now === undefined ? stream.end() : listening.change(wantsOf(now))),
        () => stream.end(),
      )
    })
    streams.onStop(response, stream.end)
    response.on('close', () => {
      endWatch()
      listening.end()
    })
  }

  return {
    open,
    async end(caller: Caller, visit: Visit): Promise<void> {
      const session = await findSession(caller, visit)
      if (session === undefined) return
      await sessions.end(session)
      sendNothing(visit.response, 204)
    },
  }
}

const wantsOf = ({ subscriptions }: TransportSession) => ({
  ...{ tools: true, prompts: true, resources: true },
  uris: subscriptions,
})

/** Without a session there is nothing to listen to: the modern era listens by POST. */
function refuse(response: Visit['response']): void {
  sendFault(response, 405, {
    ...{ code: rpcCodes.server, message: 'Method not allowed without a session.' },
    headers: { allow: 'POST, GET, DELETE' },
  })
}
