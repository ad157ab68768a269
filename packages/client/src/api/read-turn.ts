import { parseServerMessage, type SentEvent } from '@dataagent/schema'
import { ClientError, isClientError } from '../client-error.ts'
import { createEventStreamReader, readPieces } from '../http/event-stream.ts'
import { isSentEvent } from '../is-sent-event.ts'

/** The events of one turn as they come, up to its `done`. */
export async function* readTurn(
  response: Response,
  signal: AbortSignal | undefined,
): AsyncGenerator<SentEvent, void> {
  try {
    yield* readEvents(response)
  } catch (cause) {
    signal?.throwIfAborted()
    if (isClientError(cause)) throw cause
    throw new ClientError('The stream of events broke off.', {
      ...{ status: response.status, error_code: 'network_failed', cause },
    })
  }
}

async function* readEvents({ status, body }: Response): AsyncGenerator<SentEvent, void> {
  const read = createEventStreamReader()
  for await (const piece of body ? readPieces(body) : []) {
    for (const data of read(piece)) {
      const message = parseServerMessage(data)
      if (message.event_type === 'refused' && 'error_code' in message) {
        const { message: why, error_code, details, retry_after_ms: retryAfterMs } = message
        throw new ClientError(why, { status, error_code: `${error_code}`, details, retryAfterMs })
      }
      if (isSentEvent(message)) yield message
      if (message.event_type === 'done') return
    }
  }
  throw new Error('no event says that the turn has ended')
}
