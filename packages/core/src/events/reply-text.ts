import type { ExecutionEvent } from '@dataagent/schema'

/**
 * What the assistant said in these events: text that was begun anew counts once. Give one run's
 * events; of several replies in a run the texts are joined by an empty line.
 */
export function toReplyText(events: Iterable<ExecutionEvent>): string {
  const replies: string[] = []
  let reply = ''
  for (const event of events) {
    if (event.event_type !== 'text' || 'parent_tool_call_id' in event) continue
    reply = event.restarts ? event.content : reply + event.content
    if (!event.is_final) continue
    if (reply !== '') replies.push(reply)
    reply = ''
  }
  return [...replies, ...(reply === '' ? [] : [reply])].join('\n\n')
}
