import type { Clock } from '@dataagent/guard'
import type { McpError } from '../../errors.ts'
import type { RequestId, Sorted } from '../../rpc/messages.ts'
import type { MessageTaker } from '../event-stream/message-stream.ts'
import type { Confidences } from '../shared/confidences.ts'
import type { TransportEvents } from '../transport.ts'
import type { LateStops } from './late-stops.ts'
import type { HttpSession, PostSession } from './session.ts'

/** What the calls of one transport share. */
export interface CallContext {
  readonly session: PostSession
  readonly events: TransportEvents
  readonly clock: Clock
  readonly maxMessageBytes: number
  readonly confidences: Confidences
  readonly active: Set<UnderWay>
  /** Takes a message that was not for the one who got it. */
  deliver(sorted: Sorted, call?: RequestId): void
}

/** The same over Streamable HTTP. */
export interface HttpContext extends CallContext {
  readonly session: HttpSession
  readonly lateStops: LateStops
  /** The calls whose answer may come on any stream, because their own broke off. */
  readonly resuming: Map<RequestId, Pick<MessageTaker, 'message'>>
}

/** Something that waits for an answer, or for the end of a stream after it. */
export interface UnderWay {
  /** Ends it, whatever its state; `toError` is told whether the server may have acted on it. */
  abandon(toError: (mayHaveRun: boolean) => McpError): void
}
