import { randomUUID } from 'node:crypto'
import { legacyVersions } from '@dataagent/mcp'
import { type LimitVerdict, withinLimits } from '../limits/index.ts'
import {
  type Caller,
  type Incoming,
  isLogLevel,
  type Message,
  type Reply,
  type RpcRequest,
  rpcCodes,
  toErrorReply,
  toFaultReply,
  versionWithoutHeader,
} from '../protocol/index.ts'
import { toCapabilities } from './client-facts.ts'
import type { Visit } from './contract.ts'
import type { LegacyClient, LegacyDesk } from './legacy-desk.ts'
import type { Outlet } from './outlet.ts'
import { toTakenBackReply } from './request-watch.ts'
import { sendFault, sendNothing } from './send.ts'
import type { Subscribing } from './subscribing.ts'
import type { TransportSession, TransportSessions } from './transport-sessions.ts'
import { sendLimited, toAnswerText, toReplyHeaders } from './write-reply.ts'

export interface StreamableLegacyOptions {
  desk: LegacyDesk
  sessions: TransportSessions
  subscribing: Subscribing
  initialize(caller: Caller, request: RpcRequest): Promise<Reply>
  createOutlet(visit: Visit, session_id?: string): Outlet
  publicUrl(): string
  onInternal(error: unknown, reference: string): void
}

/** POST of the revisions 2025-03-26 to 2025-11-25, and of clients that give no version. */
export function createStreamableLegacy(options: StreamableLegacyOptions) {
  const { desk, sessions, subscribing, initialize, createOutlet, publicUrl } = options

  async function begin(caller: Caller, request: RpcRequest, visit: Visit): Promise<void> {
    const reply = await initialize(caller, request)
    if (reply.kind !== 'result')
      return finish(request, reply, { visit, outlet: createOutlet(visit) })
    const session = await sessions.open(caller, {
      version: String(reply.result.protocolVersion),
      capabilities: toCapabilities(request.params?.capabilities),
    })
    finish(request, reply, { visit, outlet: createOutlet(visit, session.session_id) })
  }

  async function answer(caller: Caller, request: RpcRequest, client: Client, outlet: Outlet) {
    const send = outlet.canStream ? outlet.send : undefined
    const own = await ownMethod(caller, request, client)
    const way = { signal: outlet.signal, send }
    const reply = own ?? (await desk.serve(caller, request, client, way))
    return toTakenBackReply(outlet.signal) ?? reply
  }

  /** What a session remembers. */
  async function ownMethod(
    caller: Caller,
    request: RpcRequest,
    { session }: Client,
  ): Promise<Reply | undefined> {
    if (session === undefined) return undefined
    const { session_id } = session
    const level = request.params?.level
    if (request.method === 'logging/setLevel' && isLogLevel(level)) {
      await sessions.change(session_id, () => ({ log_level: level }))
    }
    return subscribing.answer(caller, request, (update) =>
      sessions.change(session_id, (now) => ({ subscriptions: update(now.subscriptions) })),
    )
  }

  async function one(caller: Caller, message: Message, client: Client, visit: Visit) {
    if (message.kind === 'broken') return refuse(visit, message)
    if (message.kind !== 'request') {
      return accept(await take(caller, message, client), visit)
    }
    const outlet = createOutlet(visit, client.session?.session_id)
    const { message: request } = message
    finish(request, await answer(caller, request, client, outlet), { visit, outlet })
  }

  function finish({ id }: RpcRequest, reply: Reply, to: { visit: Visit; outlet: Outlet }): void {
    const status = reply.kind === 'error' ? reply.status : undefined
    const headers = toReplyHeaders(reply, to.visit, publicUrl())
    to.outlet.end(toAnswerText(id, reply), { headers, ...(status !== undefined && { status }) })
  }

  function take(caller: Caller, message: Unanswered, client: Client): Promise<LimitVerdict> {
    if (message.kind === 'answer') return desk.receive(caller, message.message, client)
    return desk.hear(caller, message.message, client)
  }

  /** What was left is to come again: a call waits for it. */
  function accept(verdict: LimitVerdict, visit: Visit): void {
    if (verdict.status === 'ok') sendNothing(visit.response, 202)
    else sendLimited(visit, verdict.retryAfterMs, publicUrl())
  }

  async function many(caller: Caller, messages: Message[], client: Client, visit: Visit) {
    if (client.version !== versionWithoutHeader) return refuseBatch(visit)
    const outlet = createOutlet(visit, client.session?.session_id)
    // What becomes of one leaves the others their answers.
    const toReply = (error: unknown) => toErrorReply(error, options.onInternal)
    const done = await Promise.all(
      messages.map(async (message) => {
        if (message.kind === 'broken') return toAnswerText(message.id, toBrokenReply(message))
        if (message.kind !== 'request') return take(caller, message, client)
        const { message: request } = message
        const reply = await answer(caller, request, client, outlet).catch(toReply)
        return toAnswerText(request.id, reply)
      }),
    )
    const texts = done.filter((one) => typeof one === 'string')
    if (texts.length > 0) return outlet.end(`[${texts.join(',')}]`)
    const verdicts = done.filter((one) => typeof one !== 'string')
    accept(verdicts.find(({ status }) => status === 'limited') ?? withinLimits, visit)
  }

  return async function post(caller: Caller, incoming: Incoming, visit: Visit): Promise<void> {
    const first = incoming.batch ? undefined : incoming.message
    if (first?.kind === 'request' && first.message.method === 'initialize') {
      return begin(caller, first.message, visit)
    }
    const found = await findClient(caller, visit)
    if (found === undefined) return
    if (incoming.batch) return many(caller, incoming.messages, found, visit)
    return one(caller, incoming.message, found, visit)
  }

  async function findClient(caller: Caller, { request, response }: Visit) {
    const version = request.headers['mcp-protocol-version']
    if (version !== undefined && !legacyVersions.includes(String(version))) {
      const message = `Unsupported protocol version: ${version}. Known: ${legacyVersions.join(', ')}`
      return void sendFault(response, 400, { code: rpcCodes.request, message })
    }
    const session_id = request.headers['mcp-session-id']
    if (session_id === undefined) return withoutSession(version)
    const session = await sessions.find(String(session_id), caller)
    if (session !== undefined) return toClient(session)
    const message = 'Session not found: initialise again.'
    return void sendFault(response, 404, { code: rpcCodes.noSession, message })
  }
}

type Client = LegacyClient & { session: TransportSession | undefined }

function toClient(session: TransportSession): Client {
  const { session_id, version, capabilities, log_level } = session
  return { scope: session_id, isShared: true, version, capabilities, log_level, session }
}

/** One that asks without a handshake can be answered, and neither asked nor told anything. */
function withoutSession(version: unknown): Client {
  return {
    // Others with the same key may use the same ids: nobody can cancel what this one asks.
    ...{ scope: randomUUID(), isShared: false, session: undefined, log_level: undefined },
    version: typeof version === 'string' ? version : versionWithoutHeader,
    capabilities: {},
  }
}

type Broken = Extract<Message, { kind: 'broken' }>
type Unanswered = Exclude<Message, { kind: 'request' | 'broken' }>

function toBrokenReply({ error }: Broken): Reply {
  return toFaultReply(error.code, error.message)
}

function refuse({ response }: Visit, { error }: Broken): void {
  sendFault(response, 400, error)
}

function refuseBatch({ response }: Visit): void {
  const message = 'This revision of the protocol has no batches.'
  sendFault(response, 400, { code: rpcCodes.request, message })
}
