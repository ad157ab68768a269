import type { Clock } from '@dataagent/guard'
import type { Span, SpanOptions } from '@dataagent/hub'
import {
  AppError,
  isAppError,
  type Notice,
  parseClientMessage,
  type ResumePoint,
  toErrorResponse,
  type WebSocketMessage,
} from '@dataagent/schema'
import type { Principal } from '../identity/index.ts'
import { inRequest, inSpan } from '../log/index.ts'
import type { Platform } from '../platform/index.ts'
import type { Follower, RunRequest } from '../runs/index.ts'
import { closeCodes, type Link } from './link.ts'
import { startMessageSpan } from './message-span.ts'

export interface ChatSocketOptions {
  link: Link
  platform: Pick<Platform, 'runs' | 'hitl' | 'stores' | 'sessions' | 'tracer'>
  session_id: string
  /** Who it is now; throws `unauthenticated` where the credential has been withdrawn. */
  whoIsIt(): Promise<Principal>
  clock: Clock
  request_id: string
  /** The trace that the upgrade named: each message is a span within it. */
  parent: SpanOptions['parent']
  /** Told of each message. */
  onMessage(type: string): void
  /** Told of what is not expected. */
  onError(error: unknown): void
}

const resumeEveryMs = 500

type Ordered = Exclude<WebSocketMessage, { type: 'ping' }>

/** A frame whose work is under way; the next one does not wait for the rest of it. */
interface Begun {
  rest: unknown
}

/** What a person says on a socket, and what the session says to them. */
export interface ChatSocket {
  /** The newest row of the log when it was opened. */
  readonly head: number
  /** Takes a frame; never rejects. */
  take(text: string): Promise<void>
  /** Begins to send what happens from now on, unless the client has said where it stands. */
  begin(): Promise<void>
  close(): void
}

export async function createChatSocket(options: ChatSocketOptions): Promise<ChatSocket> {
  const { link, platform, session_id, clock, request_id } = options
  const head = await platform.stores.events.head(session_id)
  let follower: Follower | undefined
  /** Frames begin in the order in which they came: a cancel finds the turn that came before it. */
  let before: Promise<unknown> = Promise.resolve()
  let isClosed = false
  let resumedAt = Number.NEGATIVE_INFINITY

  function follow(after: ResumePoint): void {
    if (isClosed) return
    follower?.close()
    follower = platform.runs.follow({
      ...{ session_id, after, ready: link.ready },
      onEvent: link.send,
      onCaughtUp: (seq) => notify({ event_type: 'caught_up', timestamp: clock.now(), seq }),
      onFault: (error) => refuse(error, undefined),
    })
  }

  /** Each reads the log from there: not as often as one likes. */
  function resume(point: ResumePoint): void {
    const now = clock.monotonic()
    if (now - resumedAt < resumeEveryMs)
      throw new AppError('rate_limited', 'Resume once a connection.', {
        data: { retryAfterMs: 1_000 },
      })
    resumedAt = now
    follow(point)
  }

  function notify(notice: Notice): void {
    link.send(notice)
  }

  function refuse(error: unknown, in_reply_to: string | undefined): void {
    if (!isAppError(error)) options.onError(error)
    const { body } = toErrorResponse(error, request_id)
    const wait = isAppError(error) ? error.data?.retryAfterMs : undefined
    notify({
      ...{ event_type: 'refused', timestamp: clock.now(), ...body },
      ...(in_reply_to === undefined ? {} : { in_reply_to }),
      ...(typeof wait === 'number' ? { retry_after_ms: wait } : {}),
    })
    if (isAppError(error, 'unauthenticated'))
      link.close(closeCodes.unauthenticated, 'sign in again')
  }

  async function begin(message: Ordered, span: Span | undefined): Promise<Begun> {
    const principal = await options.whoIsIt()
    if (message.type === 'resume') return { rest: resume(message.payload) }
    if (follower === undefined) follow({ seq: head, offset: 0 })
    switch (message.type) {
      case 'chat': {
        const session = await platform.sessions.getSession(principal, session_id)
        const trace = span?.context
        const request = { principal, session, canAsk: true, trace, ...message.payload }
        return { rest: startTurn(request, span) }
      }
      case 'cancel':
        return { rest: cancel() }
      case 'hitl_decision': {
        const { approval_id, decision } = message.payload
        return { rest: platform.hitl.decide(principal, approval_id, decision) }
      }
      case 'authenticate':
        throw new AppError('conflict', 'This socket is signed in already.')
    }
  }

  /** The span of the message is that of its turn: it lasts as long. */
  async function startTurn(request: RunRequest, span: Span | undefined): Promise<void> {
    const { run_id, ended } = await platform.runs.start(request)
    span?.set({ 'dataagent.run_id': run_id })
    void ended.then(() => span?.end())
  }

  async function cancel(): Promise<void> {
    const { cancelled } = await platform.runs.cancel(session_id)
    if (!cancelled) throw new AppError('conflict', 'Nothing runs in this session.')
  }

  async function answer(message: WebSocketMessage): Promise<void> {
    if (message.type === 'ping') return notify({ event_type: 'pong', timestamp: clock.now() })
    const span = startMessageSpan(options, message.type)
    try {
      await inSpan(span, () => carryOut(message, span))
      if (message.type !== 'chat') span?.end()
    } catch (error) {
      const type = isAppError(error) ? error.code : 'internal'
      span?.end({ error: { type, message: 'the message was refused' } })
      throw error
    }
  }

  async function carryOut(message: Ordered, span: Span | undefined): Promise<void> {
    const begun = before.then(() => begin(message, span))
    before = begun.catch(() => {})
    const { rest } = await begun
    await rest
  }

  async function takeFrame(text: string): Promise<void> {
    let type: string | undefined
    try {
      const message = parseClientMessage(text)
      type = message.type
      options.onMessage(type)
      await answer(message)
    } catch (error) {
      // Not begun, and not refused: the client comes back, to another process, and says it again.
      if (isAppError(error) && error.data?.stopping === true)
        link.close(closeCodes.goingAway, 'the server restarts')
      else refuse(error, type)
    }
  }

  return {
    head,
    take: (text) => inRequest(request_id, () => takeFrame(text)),
    async begin() {
      if (follower === undefined) follow({ seq: head, offset: 0 })
    },
    close() {
      isClosed = true
      follower?.close()
    },
  }
}
