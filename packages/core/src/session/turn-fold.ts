import { createHash } from 'node:crypto'
import { isKnownEvent, parseEventText } from '@dataagent/schema'
import type { LoggedEntry, StoredMessage } from './contract.ts'

/** Finds the turns of a session in its log, as people read them. */
export interface TurnFold {
  /** Takes the next event. Gives the messages of a turn when this is the one that ends it. */
  take(entry: LoggedEntry): StoredMessage[] | undefined
}

/** The others say nothing that a message holds. */
const kinds = new Set(['user_message', 'text', 'tool_call', 'done'])
/** Every database takes a text of so many characters. */
const contentMax = 1_000_000

/**
 * The user's words are a message at the seq of their event; all that the agent said in the turn is
 * one at the seq of its end. A reply that was begun anew counts as it ended. Who said nothing has
 * no message.
 */
export function createTurnFold(session_id: string): TurnFold {
  let rows: StoredMessage[] = []
  let replies: string[] = []
  let reply = ''

  function toMessage(fields: Pick<StoredMessage, 'seq' | 'role' | 'content' | 'created_at'>) {
    const content = fields.content.slice(0, contentMax)
    return { message_id: toMessageId(session_id, fields.seq), session_id, ...fields, content }
  }

  function endReply(): void {
    if (reply !== '') replies.push(reply)
    reply = ''
  }

  function endTurn(seq: number, created_at: number): StoredMessage[] {
    endReply()
    const content = replies.join('\n\n')
    if (content !== '') rows.push(toMessage({ seq, role: 'assistant', content, created_at }))
    const turn = rows
    rows = []
    replies = []
    return turn
  }

  return {
    take({ seq, kind, json }) {
      if (!kinds.has(kind)) return undefined
      const event = parseEventText(json)
      // What a sub-agent says is told to its caller alone.
      if (!isKnownEvent(event) || 'parent_tool_call_id' in event) return undefined
      const { timestamp: created_at } = event
      if (event.event_type === 'done') return endTurn(seq, created_at)
      if (event.event_type === 'user_message') {
        rows.push(toMessage({ seq, role: 'user', content: event.content, created_at }))
      } else if (event.event_type === 'tool_call') endReply()
      else if (event.event_type === 'text') {
        reply = event.restarts ? event.content : reply + event.content
      }
      return undefined
    },
  }
}

/** The same whenever and wherever the message is saved; a client's own ids are not unique. */
function toMessageId(session_id: string, seq: number): string {
  const digest = createHash('sha256').update(`${session_id}:${seq}`).digest('hex')
  return `msg-${digest.slice(0, 32)}`
}
