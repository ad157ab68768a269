import type { SpanOptions } from '@dataagent/hub'
import type { CancelResponse, ResumePoint, SentEvent, Session } from '@dataagent/schema'
import type { Principal } from '../identity/index.ts'

/** A turn that is to run. */
export interface RunRequest {
  principal: Principal
  session: Session
  message: string
  message_id?: string | undefined
  /** Whether a person is there to be asked. Without one, what asks is refused. */
  canAsk: boolean
  /** What it is part of. */
  trace?: SpanOptions['parent']
  /** Gives up waiting for a turn. */
  signal?: AbortSignal | undefined
}

/** A run that this process carries out. */
export interface StartedRun {
  run_id: string
  /** The seq of its first event. */
  first_seq: number
  /** Resolves when it is over here; never rejects. */
  ended: Promise<void>
}

/** One who reads a session's events, in order and without gaps, wherever its run is. */
export interface Follower {
  /** Resolves when everything that is in the log now has been given. */
  caughtUp(): Promise<void>
  /** Ends it. Where nobody else follows the session, its run ends after the reconnect window. */
  close(): void
}

export interface FollowOptions {
  session_id: string
  /** What the reader has already. */
  after: ResumePoint
  /** Called in order, and no more after `close`. Must not throw. */
  onEvent(event: SentEvent): void
  /** Resolves when the reader can take more of what is read from the log. */
  ready?(): Promise<void> | undefined
  /** Called once: all that was in the log when it began has been given, up to `seq`. */
  onCaughtUp?(seq: number): void
  /** Told where events cannot be read for now; it goes on by itself. Must not throw. */
  onFault?(error: unknown): void
}

/** Runs of all sessions, whichever process carries them out. */
export interface RunBook {
  /**
   * Begins a turn here; resolves when its first event is in the log. Rejects with `conflict` where
   * the session is busy (`data.busy`) or the message was received already (`data.received`),
   * `unavailable` where the server is (`data.retryAfterMs`), `store_unavailable`.
   */
  start(request: RunRequest): Promise<StartedRun>
  /** Goes on with what a run left, after a recoverable error. Undefined where nothing was left. */
  resume(request: Omit<RunRequest, 'message' | 'message_id'>): Promise<StartedRun | undefined>
  /** Shortens what a model reads of the session. Undefined where there was nothing to shorten. */
  compact(request: Omit<RunRequest, 'message' | 'message_id'>): Promise<StartedRun | undefined>
  follow(options: FollowOptions): Follower
  /** Says that someone waits for the session's run; the function that they have left. */
  watch(session_id: string): () => void
  /** The end of the session's run here; undefined where it has none here. */
  endOf(session_id: string): Promise<void> | undefined
  /** Stops the run of a session, in whichever process. Resolves when it has ended, or after 1 s. */
  cancel(session_id: string): Promise<CancelResponse>
  /**
   * To be called when a user, or one key of theirs, has lost a right: stops what was begun with it,
   * also in the name of others. Gives how many there were.
   */
  cancelOf(whose: { tenant_id: string; user_id: string; api_key?: string }): Promise<number>
  /** Turns that run here now. */
  readonly running: number
  /** New turns that wait for a place here. */
  readonly waiting: number
  /** From now on picks up what dead processes left. */
  begin(): void
  /** Begins no more; lets runs finish within `graceMs`, then leaves the rest to other processes. */
  stop(graceMs: number): Promise<void>
}
