import type { Clock, ProcessHandle } from '@dataagent/guard'
import { cancelledError, closedHereError, type McpError } from '../../errors.ts'
import type {
  JsonRpcMessage,
  JsonRpcRequest,
  JsonRpcResponse,
  RequestId,
} from '../../rpc/messages.ts'
import { createWarnings } from '../../rpc/warnings.ts'
import type { Confidences } from '../shared/confidences.ts'
import { createOversizedLines } from '../shared/oversized-lines.ts'
import type { TransportEvents } from '../transport.ts'
import { createCalls } from './calls.ts'
import { type End, toClosedError } from './closed-error.ts'
import { createInbox } from './inbox.ts'
import { createOutbox } from './outbox.ts'
import { sendLetter } from './send-letter.ts'
import { watchForEnd } from './server-end.ts'

/** A started server and its two streams. */
export interface Link {
  call(request: JsonRpcRequest, signal: AbortSignal | undefined): Promise<JsonRpcResponse>
  send(message: JsonRpcMessage, signal: AbortSignal | undefined): Promise<void>
  close(): Promise<void>
}

export function createLink(needs: {
  child: ProcessHandle
  events: TransportEvents
  maxBytes: number
  confidences: Confidences
  clock: Clock
}): Link {
  const { child, events, maxBytes, confidences, clock } = needs
  const over = new AbortController()
  const onWarning = (text: string) => events.onWarning(confidences.inText(text))
  const warn = createWarnings({ onWarning, clock })
  const outbox = createOutbox(child.stdin)
  const onLateAnswer = (id: RequestId) => events.onLateAnswer?.(id)
  const calls = createCalls({ outbox, warn, onLateAnswer })
  const oversized = createOversizedLines({ calls, maxBytes, warn, clock })
  const inbox = createInbox({
    stream: child.stdout,
    maxBytes,
    signal: over.signal,
    oversized,
    confidences,
    warn,
    onMessage(sorted) {
      if (sorted.kind === 'response') calls.settle(confidences.inAnswer(sorted.message))
      else if (sorted.kind === 'broken') calls.settleBroken(sorted)
      else events.onMessage(sorted.message)
    },
  })
  const end = watchForEnd({ child, inbox, outbox, confidences, clock })
  const gone = end.complete.then(finish)
  let isClosed = false

  /** The server has gone by itself. */
  async function finish(how: End): Promise<void> {
    if (over.signal.aborted) return
    stopAll((mayHaveRun) => toClosedError(how, mayHaveRun))
    events.onClose(toClosedError(how, false))
    await child.stop()
  }

  function stopAll(toError: (mayHaveRun: boolean) => McpError): void {
    over.abort()
    oversized.close()
    calls.failAll(toError)
    outbox.close()
  }

  function toRefusal(signal: AbortSignal | undefined): McpError | undefined {
    if (signal?.aborted) return cancelledError(signal, false)
    if (isClosed) return closedHereError('the transport is closed')
    const how = end.soFar()
    return how && toClosedError(how, false)
  }

  return {
    call(request, signal) {
      const refusal = toRefusal(signal)
      return refusal ? Promise.reject(refusal) : calls.make(request, signal)
    },
    async send(message, signal) {
      const refusal = toRefusal(signal)
      if (refusal) throw refusal
      await sendLetter({ message, outbox, signal })
    },
    async close() {
      isClosed = true
      if (!over.signal.aborted)
        stopAll((mayHaveRun) => closedHereError('the transport was closed', mayHaveRun))
      await child.stop()
      await Promise.all([inbox.ended, gone])
    },
  }
}
