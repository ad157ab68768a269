import { type McpError, tooLargeError } from '../../errors.ts'
import type { Sorted } from '../../rpc/messages.ts'
import type { HttpContext } from './call-context.ts'
import { GetStream } from './get-stream.ts'

export interface Listening {
  /** Opens the stream; once. */
  start(): void
  stop(): void
}

/**
 * Listens for what a server of the legacy era sends by itself, for as long as the connection lives.
 * A server that offers no such stream is left in peace. `onLost` is called when the stream cannot
 * be opened again because the server has forgotten the session.
 */
export function createListening(
  context: HttpContext,
  onLost: (error: McpError) => void,
): Listening {
  const { session, clock, maxMessageBytes, events } = context
  let stream: GetStream | undefined

  return {
    start() {
      if (stream !== undefined) return
      stream = createStream()
      stream.open()
    },
    stop: () => stream?.stop(),
  }

  function createStream(): GetStream {
    const failuresMax = Number.POSITIVE_INFINITY
    const message = (sorted: Sorted) => context.deliver(sorted)
    const taker = { message, unreadable, oversized, ended }
    return new GetStream({ session, clock, maxMessageBytes, failuresMax, taker })
  }

  function unreadable(error: McpError): void {
    events.onWarning(`an event of the server was skipped: ${error.message}`)
  }

  function oversized(): void {
    unreadable(tooLargeError(maxMessageBytes))
  }

  function ended(error: McpError | undefined): void {
    if (error?.kind === 'session_lost' && stream?.wasOpen) onLost(error)
  }
}
