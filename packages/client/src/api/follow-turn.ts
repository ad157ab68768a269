import {
  isNotice,
  type Notice,
  type SentEvent,
  toResumePoint,
  type UnknownEvent,
} from '@dataagent/schema'
import { ClientError, isClientError } from '../client-error.ts'
import type { ChatSocket, ConnectOptions } from '../socket/index.ts'

export type Connect = (session_id: string, options: ConnectOptions) => ChatSocket

export interface FollowOptions {
  connect: Connect
  signal: AbortSignal | undefined
}

/** The events of a turn; where they break off, the rest is read from its session. */
export async function* followTurn(
  events: AsyncIterable<SentEvent>,
  options: FollowOptions,
): AsyncGenerator<SentEvent, void> {
  let last: SentEvent | undefined
  try {
    for await (const event of events) {
      last = event
      yield event
    }
    return
  } catch (error) {
    if (!last || !isClientError(error, 'network_failed')) throw error
  }
  yield* readRest(last, options)
}

/**
 * What follows `last` up to the turn's `done`. By a socket, because that comes back by itself and
 * counts as a reader of the turn, which is else cancelled.
 */
export async function* readRest(
  last: SentEvent,
  { connect, signal }: FollowOptions,
): AsyncGenerator<SentEvent, void> {
  using socket = connect(last.session_id, {
    ...{ after: toResumePoint(last), signal },
    onNotice: onceOver(() => socket.close()),
  })
  for await (const event of socket) {
    yield event
    if (event.event_type === 'done') return
  }
  signal?.throwIfAborted()
  const message = 'The turn broke off, and its session does not go on with it.'
  throw new ClientError(message, { status: 0, error_code: 'network_failed' })
}

/** Tells when all has come of a session in which nothing runs. */
function onceOver(tell: () => void): (notice: Notice | UnknownEvent) => void {
  let isIdle = false
  return (notice) => {
    if (!isNotice(notice)) return
    if (notice.event_type === 'connected')
      isIdle = notice.status === 'idle' || notice.status === 'error'
    if (notice.event_type === 'caught_up' && isIdle) tell()
  }
}
