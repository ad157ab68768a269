import type { AnyEvent, ChatResponse, EventsPage, SentEvent } from '@dataagent/schema'
import { type FollowOptions, readRest } from './follow-turn.ts'

export interface WholeTurnOptions extends FollowOptions {
  /** A page of the session's log. */
  readPage(session_id: string, after_seq: number): Promise<EventsPage>
}

/** The answer with all events of its turn, also where a server that stopped has left it half. */
export async function toWholeTurn(
  answer: ChatResponse,
  options: WholeTurnOptions,
): Promise<ChatResponse> {
  const last = answer.events.at(-1)
  if (last === undefined || last.event_type === 'done' || !isPlaced(last)) return answer
  for await (const _event of readRest(last, options));
  const events: AnyEvent[] = [...answer.events]
  for (let after = last.seq, more = true; more; ) {
    const page = await options.readPage(answer.session_id, after)
    const end = page.events.findIndex(({ event_type }) => event_type === 'done')
    events.push(...(end === -1 ? page.events : page.events.slice(0, end + 1)))
    after = page.events.at(-1)?.seq ?? after
    more = page.more && end === -1
  }
  return { ...answer, events }
}

function isPlaced(event: AnyEvent): event is SentEvent {
  return 'seq' in event && 'session_id' in event
}
