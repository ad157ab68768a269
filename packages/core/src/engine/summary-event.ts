import type { SummaryEvent } from '@dataagent/schema'
import type { SummaryUpdate } from '../middleware/index.ts'
import { estimateMessages } from '../models/index.ts'
import type { Run } from './run.ts'

/** The event that makes a summary last, with what it saves. */
export function toSummaryEvent(
  { conversation, means }: Pick<Run, 'conversation' | 'means'>,
  { content, count }: SummaryUpdate,
): SummaryEvent & { tokens_before: number; tokens_after: number } {
  const { messages, messageIds: message_ids } = conversation
  const untrusted = [...conversation.untrusted]
  const kept = estimateMessages(messages.slice(count))
  return {
    event_type: 'summary',
    timestamp: means.clock.now(),
    content,
    through_seq: conversation.seqThrough(count),
    ...(message_ids.length > 0 && { message_ids: [...message_ids] }),
    ...(untrusted.length > 0 && { untrusted }),
    tokens_before: estimateMessages(messages),
    tokens_after: estimateMessages([{ role: 'user', content }]) + kept,
  }
}
