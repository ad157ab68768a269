import type { Clock } from '@dataagent/guard'
import { AppError, isAppError, parseClientMessage, toErrorResponse } from '@dataagent/schema'
import websocket from '@fastify/websocket'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { WebSocket } from 'ws'
import { contextOf, createTally, type ServerMetrics } from '../deps/index.ts'
import { mayAccess, type Principal } from '../identity/index.ts'
import type { GetPlatform } from '../platform/index.ts'
import { toSessionStatus } from '../runs/index.ts'
import { type ChatSocket, createChatSocket } from './chat-socket.ts'
import { createInbox, type Inbox } from './inbox.ts'
import { closeCodes, createLink, type Link } from './link.ts'
import type { Sockets } from './sockets.ts'

/** Finds who is at the other end of a socket. */
export interface Identify {
  /** By what the upgrade carried; undefined where that is nothing. Throws `unauthenticated`. */
  byRequest(request: FastifyRequest): Promise<Principal | undefined>
  /** By a key in the first message. Throws `unauthenticated`. */
  byKey(api_key: string, request: FastifyRequest): Promise<Principal>
}

export interface SocketsOptions {
  platform: GetPlatform
  identify: Identify
  sockets: Sockets
  clock: Clock
  metrics: Pick<ServerMetrics, 'socketMessage'>
  /** Sockets of one address that may wait at once to say who they are. */
  maxStrangers: number
  heartbeatMs?: number | undefined
}

/** The longest frame a client may send. */
const frameMax = 1_048_576
/** How long a client may take to say who it is. */
const signInMs = 10_000
/** How long a client may take to say where it stands before it is sent what happens. */
const resumeMs = 300

/** Adds /ws/chat/{session_id}. */
export async function addSockets(app: FastifyInstance, options: SocketsOptions): Promise<void> {
  await app.register(websocket, {
    options: { maxPayload: frameMax, perMessageDeflate: false },
    // Sockets are closed by us, each with the code that tells its client what to do.
    preClose: (done) => done(),
    errorHandler: (error, socket) => void (error ? socket.terminate() : undefined),
  })
  // A refused upgrade is answered on a connection that nobody else closes.
  app.addHook('onResponse', async ({ headers, raw }) => {
    if (headers.upgrade !== undefined) raw.socket.destroySoon()
  })
  const strangers = createTally(options.maxStrangers, 'sockets of your address without a key')
  app.get(
    '/ws/chat/:session_id',
    { websocket: true, config: { access: 'public', lane: 'reserved' } },
    (socket, request) => void serve(socket, request, { ...options, strangers }),
  )
}

interface ServeOptions extends SocketsOptions {
  strangers: ReturnType<typeof createTally>
}

/** One socket, from its opening to its end. Never rejects. */
async function serve(socket: WebSocket, request: FastifyRequest, options: ServeOptions) {
  const { clock } = options
  const link = createLink({ socket, clock, heartbeatMs: options.heartbeatMs })
  const inbox = createInbox(socket)
  const cleanup = new DisposableStack()
  socket.once('close', () => cleanup.dispose())
  try {
    const chat = await open({ link, inbox, request, cleanup, ...options })
    clock.after(resumeMs, () => void chat.begin())
    inbox.onMessage((text) => void chat.take(text))
  } catch (error) {
    refuse(link, error, { request, clock })
  }
}

interface Opening extends ServeOptions {
  link: Link
  inbox: Inbox
  request: FastifyRequest
  cleanup: DisposableStack
}

async function open(opening: Opening): Promise<ChatSocket> {
  const { link, request, cleanup, sockets, clock } = opening
  const identify = await signIn(opening)
  const whoIsIt = async () => assertChats(await identify())
  const principal = await whoIsIt()
  const platform = opening.platform()
  const { session_id } = request.params as { session_id: string }
  await platform.sessions.getSession(principal, session_id)
  const chat = await createChatSocket({
    ...{ link, platform, session_id, whoIsIt, clock, request_id: request.id },
    parent: contextOf(request.headers),
    onMessage: opening.metrics.socketMessage,
    onError: (error) => request.log.error({ error }, 'a socket message failed'),
  })
  if (cleanup.disposed) throw new AppError('cancelled', 'The socket has closed.')
  cleanup.defer(chat.close)
  cleanup.defer(sockets.add({ principal, session_id, link }))
  // The session stays alive as long as someone looks at it.
  const lookAgain = async () => {
    await whoIsIt()
    await platform.sessions.getSession(principal, session_id)
  }
  link.onBeat(() => void stayOrLeave(link, lookAgain, request))
  await greet(link, platform, { session_id, seq: chat.head, clock })
  return chat
}

/** How to tell who it is, now and later. */
async function signIn({ identify, request, inbox, clock, strangers }: Opening) {
  const known = await identify.byRequest(request)
  if (known) return async () => required(await identify.byRequest(request))
  const isNone = strangers.take(request.ip)
  const first = await inbox.first(clock, signInMs).finally(isNone)
  const message = first === undefined ? undefined : parseClientMessage(first)
  if (message?.type !== 'authenticate')
    throw new AppError('unauthenticated', 'Send your API key in the first message: authenticate.')
  const { api_key } = message.payload
  return () => identify.byKey(api_key.reveal(), request)
}

/** What the role allows may change while the socket is open. */
function assertChats(principal: Principal): Principal {
  if (mayAccess(principal, 'user')) return principal
  throw new AppError('forbidden', 'An auditor does not chat.')
}

function required(principal: Principal | undefined): Principal {
  if (principal) return principal
  throw new AppError('unauthenticated', 'This credential is not valid any more.')
}

/**
 * Who has been signed out is cut off; a session that is gone is said to be. A look that fails for
 * another reason (a full disk, a store that is away) tells nothing of either: the socket stays.
 */
async function stayOrLeave(
  link: Link,
  lookAgain: () => Promise<void>,
  { log }: FastifyRequest,
): Promise<void> {
  try {
    await lookAgain()
  } catch (error) {
    if (isAppError(error, 'unauthenticated'))
      link.close(closeCodes.unauthenticated, 'sign in again')
    else if (isAppError(error, 'forbidden'))
      link.close(closeCodes.forbidden, 'not allowed any more')
    else if (isAppError(error, 'not_found')) link.close(closeCodes.notFound, 'no such session')
    else if (!isAppError(error) || error.code === 'internal')
      log.error({ error }, 'a socket could not be looked after')
  }
}

async function greet(
  link: Link,
  { tables }: ReturnType<GetPlatform>,
  { session_id, seq, clock }: { session_id: string; seq: number; clock: Clock },
): Promise<void> {
  const [run] = await tables.runs.latestOf([session_id])
  const status = toSessionStatus(run?.status)
  link.send({ event_type: 'connected', timestamp: clock.now(), session_id, seq, status })
}

function refuse(
  link: Link,
  error: unknown,
  { request, clock }: { request: FastifyRequest; clock: Clock },
): void {
  const { body, status } = toErrorResponse(error, request.id)
  if (status >= 500) request.log.error({ error }, 'a socket could not be opened')
  link.send({ event_type: 'refused', timestamp: clock.now(), ...body })
  link.close(codeOf(status), body.message.slice(0, 100))
}

function codeOf(status: number): number {
  if (status === 401) return closeCodes.unauthenticated
  if (status === 403) return closeCodes.forbidden
  if (status === 404) return closeCodes.notFound
  return status >= 500 || status === 429 ? closeCodes.tryAgain : closeCodes.tooMuch
}
