import type { Client } from '@dataagent/client'
import { isKnownEvent, type SentEvent } from '@dataagent/schema'

/** What a client saw of one turn. */
export interface SeenTurn {
  session_id: string
  events: SentEvent[]
  /** From the message to its last event. */
  ms: number
}

/** Begins a session and takes one turn in it over a socket that reconnects. */
export async function takeTurn(
  client: Client,
  message: string,
  signal = AbortSignal.timeout(60_000),
): Promise<SeenTurn> {
  const { session_id } = await client.sessions.create({}, { signal })
  const events: SentEvent[] = []
  const done = Promise.withResolvers<void>()
  signal.addEventListener('abort', () => done.reject(new Error(`no end: ${describe(events)}`)))
  const begun = performance.now()
  using socket = client.connect(session_id, {
    backoff: { firstMs: 50, maxMs: 500 },
    onState(state) {
      if (state.status === 'closed') done.reject(new Error(`closed: ${state.reason}`))
    },
    onEvent(event) {
      events.push(event)
      if (event.event_type === 'done') done.resolve()
    },
  })
  socket.send(message).accepted.catch(done.reject)
  await done.promise
  return { session_id, events, ms: performance.now() - begun }
}

function describe(events: readonly SentEvent[]): string {
  return events.map(({ seq, event_type }) => `${seq} ${event_type}`).join(', ')
}

/**
 * Throws unless these are the events of whole runs, in order, none twice and none missing. A text
 * may begin anew where it says so.
 */
export function assertExact(events: readonly SentEvent[]): void {
  let seq = 0
  let length = 0
  for (const event of events) {
    const isText = isKnownEvent(event) && event.event_type === 'text'
    const offset = 'offset' in event && typeof event.offset === 'number' ? event.offset : 0
    const isMore = isText && event.seq === seq && offset === length
    const isNext = event.seq === seq + 1 && offset === 0
    const isAnew = isText && event.restarts === true && event.seq === seq && offset === 0
    if (!isMore && !isNext && !isAnew)
      throw new Error(`after ${seq}+${length} came ${event.seq}+${offset} (${event.event_type})`)
    seq = event.seq
    length = offset + (isText ? event.content.length : 0)
  }
}
