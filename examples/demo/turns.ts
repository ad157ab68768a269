import type { ChatSocket, Client } from '@dataagent/client'
import { type AnyEvent, type ExecutionEvent, isKnownEvent } from '@dataagent/schema'

/** Events up to the end of the turn; `look` sees each, with those before it. */
export async function readTurn(
  socket: ChatSocket,
  look: (event: ExecutionEvent, seen: readonly AnyEvent[]) => void,
): Promise<AnyEvent[]> {
  const seen: AnyEvent[] = []
  for await (const event of socket) {
    seen.push(event)
    if (isKnownEvent(event)) look(event, seen)
    if (event.event_type === 'done') break
  }
  return seen
}

/** One turn by REST, when it has ended. */
export async function say(client: Client, message: string, assistant_id: string) {
  const { events } = await client.chat.send({ message, assistant_id })
  return events
}

/** The last event of a kind. */
export function lastOf<K extends ExecutionEvent['event_type']>(
  events: readonly AnyEvent[],
  kind: K,
) {
  const isOfKind = (event: ExecutionEvent): event is Extract<ExecutionEvent, { event_type: K }> =>
    event.event_type === kind
  return events.filter(isKnownEvent).findLast(isOfKind)
}

/** What was said: a text that `restarts` voids what came of the reply before. */
export function textOf(events: readonly AnyEvent[]): string {
  let text = ''
  for (const event of events.filter(isKnownEvent)) {
    if (event.event_type !== 'text') continue
    text = event.restarts ? event.content : text + event.content
  }
  return text
}
