import type { Clock } from '@dataagent/guard'
import type { McpError } from '../../errors.ts'
import type { Sorted } from '../../rpc/messages.ts'
import type { TransportEvents } from '../transport.ts'
import type { HttpSession, PostSession } from './session.ts'

/** What the calls of one transport share. */
export interface CallContext {
  readonly session: PostSession
  readonly events: TransportEvents
  readonly clock: Clock
  readonly maxMessageBytes: number
  readonly active: Set<UnderWay>
  /** Takes a message that was not for the one who got it. */
  deliver(sorted: Sorted): void
}

/** The same, of one that can be sent more than messages. */
export interface HttpContext extends CallContext {
  readonly session: HttpSession
}

/** Something that waits for an answer, or for the end of a stream after it. */
export interface UnderWay {
  /** Ends it, whatever its state; `toError` is told whether the server may have acted on it. */
  abandon(toError: (mayHaveRun: boolean) => McpError): void
  /** Whether the answer `id` may come to it on any stream. */
  waitsFor(id: unknown): boolean
  message(sorted: Sorted): void
}
