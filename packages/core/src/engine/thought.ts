import type { ExecutionEvent } from '@dataagent/schema'
import type { ModelReply } from '../middleware/index.ts'
import type { Run } from './run.ts'

/** What the model thought, for the log. */
export function toThought(
  { means }: Pick<Run, 'means'>,
  thought: ModelReply['reasoning'][number],
): ExecutionEvent {
  const { text, signature, redacted } = thought
  return {
    event_type: 'reasoning',
    timestamp: means.clock.now(),
    content: text,
    ...(signature !== undefined && { signature }),
    ...(redacted !== undefined && { redacted }),
  }
}
