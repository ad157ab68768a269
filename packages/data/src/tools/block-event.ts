import type { Clock } from '@dataagent/guard'
import type { ResultBlock, ResultBlockEvent } from '@dataagent/schema'

/** What a tool shows people beside its words. */
export function toBlockEvent(
  clock: Clock,
  tool_call_id: string | undefined,
  block: ResultBlock,
): ResultBlockEvent {
  return {
    event_type: 'result_block',
    timestamp: Math.floor(clock.now()),
    ...(tool_call_id !== undefined && { tool_call_id }),
    block,
  }
}
