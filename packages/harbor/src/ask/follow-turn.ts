import { type Client, ClientError } from '@dataagent/client'
import type { SentEvent } from '@dataagent/schema'

export interface TurnOptions {
  client: Client
  session_id: string
  message: string
  /** Leaves the turn as it is. */
  signal: AbortSignal
  onEvent(event: SentEvent): void
}

/**
 * Sends the message and hands on every event of its turn. Resolves when it has ended; rejects with
 * a ClientError, or with the reason of the signal.
 */
export type FollowTurn = (options: TurnOptions) => Promise<void>

/** By the stream of events, which tells when each came; the answer as a whole would not. */
export const followOverRest: FollowTurn = async (options) => {
  const { client, session_id, message, signal, onEvent } = options
  // The message has an id of its own, by which it counts once.
  const unkept = { signal, idempotencyKey: null }
  for await (const event of client.chat.stream({ session_id, message }, unkept)) onEvent(event)
}

export const followOverSocket: FollowTurn = async (options) => {
  const { client, session_id, message, signal, onEvent } = options
  const ended = Promise.withResolvers<void>()
  using socket = client.connect(session_id, {
    signal,
    onEvent(event) {
      onEvent(event)
      if (event.event_type === 'done') ended.resolve()
    },
    onState(state) {
      if (state.status !== 'closed') return
      const error_code = state.reason
      const message = `The socket was closed: ${error_code}.`
      ended.reject(
        signal.aborted ? signal.reason : new ClientError(message, { status: 0, error_code }),
      )
    },
  })
  socket.send(message).accepted.catch(ended.reject)
  await ended.promise
}
