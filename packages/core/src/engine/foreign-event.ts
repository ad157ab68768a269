import { type ExecutionEvent, parseEvent } from '@dataagent/schema'
import { tooLarge } from './event-size.ts'
import type { Run } from './run.ts'

/**
 * Logs an event that a tool or a middleware has made. One that could not be read back, or is too
 * large, is left out and reported: a session whose log cannot be read is lost.
 */
export function noteForeign(
  { log, means, session_id, run_id }: Pick<Run, 'log' | 'means' | 'session_id' | 'run_id'>,
  event: ExecutionEvent,
): void {
  try {
    parseEvent(event)
    const fault = tooLarge(event.event_type, JSON.stringify(event))
    if (fault) throw fault
    log.note(event)
  } catch (error) {
    means.onError?.(error, { session_id, run_id })
  }
}
