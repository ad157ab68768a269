import type { Clock } from '@dataagent/guard'
import type { ExecutionEvent } from '@dataagent/schema'
import type { Conversation } from './conversation.ts'
import type { RunLog } from './run-log.ts'

export interface SubLogOptions {
  /** That of the caller's run, which stores and sends. */
  log: RunLog
  /** The sub-agent's own, in memory alone. */
  conversation: Conversation
  clock: Clock
  /** The call that the sub-agent works for. */
  parent_tool_call_id: string
}

/**
 * The log of a sub-agent within its caller's: each event says which call it belongs to. Its text is
 * told reply by reply, for several may speak at once.
 */
export function createSubLog(options: SubLogOptions): RunLog {
  const { log, conversation, clock, parent_tool_call_id } = options
  let content = ''

  function take(events: readonly ExecutionEvent[]): ExecutionEvent[] {
    for (const event of events) conversation.apply(event, { seq: conversation.head + 1 })
    return events.map((event) => Object.assign({}, event, { parent_tool_call_id }))
  }

  return {
    failed: log.failed,
    write: (...events) => log.write(...take(events)),
    note: (...events) => log.note(...take(events)),
    text(piece) {
      content += piece
    },
    restartText() {
      content = ''
    },
    voidText() {},
    endText() {
      const event = { event_type: 'text', timestamp: clock.now(), content, is_final: true } as const
      if (content !== '') log.note(...take([event]))
      content = ''
    },
    flush: log.flush,
    close() {},
  }
}
