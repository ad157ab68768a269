import type {
  DecisionRequestInput,
  Notice,
  ResumePoint,
  SentEvent,
  UnknownEvent,
} from '@dataagent/schema'

/** Why a socket will not come back. */
export type CloseReason =
  | 'closed_by_client'
  /** Nobody is signed in, or the key is wrong. */
  | 'unauthenticated'
  | 'forbidden'
  /** There is no such session, or it is not the caller's. */
  | 'not_found'
  /** The server does not take what this client sends. */
  | 'refused'
  /** The server sent what this version cannot read. */
  | 'unreadable'
  /** The session's log has fewer events than this client has seen. */
  | 'log_reset'

export type SocketState =
  | { status: 'connecting' }
  /** What was missed is coming. */
  | { status: 'catching_up' }
  | { status: 'live' }
  /** Away; the next attempt begins after `ms`. */
  | { status: 'waiting'; ms: number }
  | { status: 'closed'; reason: CloseReason }

/** The handlers must not throw. */
export interface ConnectOptions {
  /** Where to go on; without it all events of the session come. */
  after?: ResumePoint | undefined
  /** Told of every event once, in order, whatever happens to the connection. */
  onEvent?: ((event: SentEvent) => void) | undefined
  /** Told of notices, also of kinds that a newer server has added. */
  onNotice?: ((notice: Notice | UnknownEvent) => void) | undefined
  onState?: ((state: SocketState) => void) | undefined
  /** Closes the socket. */
  signal?: AbortSignal | undefined
  /** How often it is asked whether the server is still there. Default 20 s. */
  heartbeatMs?: number | undefined
  /** Pauses before attempts to reconnect, doubled from the first to the longest. */
  backoff?: { firstMs: number; maxMs: number } | undefined
}

export interface SentMessage {
  message_id: string
  /**
   * Resolves when the server has the message; rejects with a ClientError where it is refused or the
   * socket closes before. May be ignored.
   */
  accepted: Promise<void>
}

/**
 * A session as it happens. It reconnects by itself, goes on where it was, and sends what was said
 * meanwhile.
 */
export interface ChatSocket extends AsyncIterable<SentEvent>, Disposable {
  readonly state: SocketState
  /** How far the events that were handed out go: `after` of a later socket. */
  readonly point: ResumePoint
  /**
   * Counts once, however often it must be sent. While away it waits, and while the session is busy:
   * messages that are sent meanwhile follow each other, each after the run of the one before.
   */
  send(message: string, options?: { message_id?: string }): SentMessage
  /**
   * Takes a message back that the server does not have. True where it was not sent; where it was,
   * and turns out not to have arrived, it is not sent again. Of both `accepted` rejects with the
   * code `cancelled`.
   */
  takeBack(message_id: string): boolean
  /**
   * Stops the run that is under way now; while away, as soon as it is back. Messages that wait for
   * its end are not taken back: they are sent then.
   */
  cancel(): void
  /** `accepted` of `SentMessage`, for a decision. */
  decide(approval_id: string, decision: DecisionRequestInput): Promise<void>
  close(): void
  /** Events from now on. Ends when the client closes; throws a ClientError for other reasons. */
  [Symbol.asyncIterator](): AsyncIterator<SentEvent, void>
}

/** What is needed of a WebSocket: that of browsers, of Node, or of the package ws. */
export interface SocketLike {
  readonly readyState: number
  send(data: string): void
  close(): void
  addEventListener(type: 'open' | 'error', listener: () => void): void
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void
  addEventListener(type: 'close', listener: (event: { code: number }) => void): void
}

export type SocketConstructor = new (url: string) => SocketLike
