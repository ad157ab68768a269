import type { Client } from '@dataagent/client'
import type { SentEvent } from '@dataagent/schema'

export interface TurnOptions {
  client: Client
  session_id: string
  message: string
  /** Stops the turn at the platform. */
  stop: AbortSignal
  /** Resolves with the reason where the platform has ended. */
  lost: Promise<string>
  onEvent(event: SentEvent): void
}

/** How long the end of a turn that was stopped is waited for. */
const endMs = 15_000

/**
 * Sends the message and hands on every event of its turn. Resolves when it has ended, or was
 * stopped; rejects where the platform fails.
 */
export async function followTurn(options: TurnOptions): Promise<void> {
  const { client, session_id, message, stop, onEvent } = options
  const leave = new AbortController()
  let hasBegun = false
  let timer: NodeJS.Timeout | undefined

  const end = async () => {
    // Before its first event what runs in the session may be another's turn.
    if (!hasBegun) return leave.abort()
    timer = setTimeout(() => leave.abort(), endMs)
    await client.chat.cancel(session_id).catch(() => leave.abort())
  }
  const onStop = () => void end()
  stop.addEventListener('abort', onStop, { once: true })
  let reason: string | undefined
  void options.lost.then((why) => {
    reason = why
    leave.abort()
  })
  try {
    stop.throwIfAborted()
    const events = client.chat.stream({ message, session_id }, { signal: leave.signal })
    for await (const event of events) {
      hasBegun = true
      onEvent(event)
    }
  } catch (error) {
    if (reason !== undefined) throw new Error(reason, { cause: error })
    if (!stop.aborted) throw error
  } finally {
    clearTimeout(timer)
    stop.removeEventListener('abort', onStop)
  }
}
