import { isNotice, type SentEvent, type ServerMessage } from '@dataagent/schema'

/** Whether a message of the server is an event of the session: it has a place in its log. */
export function isSentEvent(message: ServerMessage): message is SentEvent {
  return !isNotice(message) && 'seq' in message
}
