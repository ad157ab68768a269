import type { Clock } from '@dataagent/guard'
import type { ExecutionEvent } from '@dataagent/schema'
import type { RunLog } from './run-log.ts'

/**
 * The log of a sub-agent within its caller's: each event says which call it belongs to. Its text is
 * told reply by reply, for several may speak at once.
 */
export function createSubLog(log: RunLog, clock: Clock, parent_tool_call_id: string): RunLog {
  let content = ''
  const mark = (events: readonly ExecutionEvent[]) =>
    events.map((event): ExecutionEvent => Object.assign({}, event, { parent_tool_call_id }))

  return {
    failed: log.failed,
    write: (...events) => log.write(...mark(events)),
    note: (...events) => log.note(...mark(events)),
    text(piece) {
      content += piece
    },
    restartText() {
      content = ''
    },
    voidText() {},
    endText() {
      const event = { event_type: 'text', timestamp: clock.now(), content, is_final: true } as const
      if (content !== '') log.note(...mark([event]))
      content = ''
    },
    flush: log.flush,
    close() {},
  }
}
