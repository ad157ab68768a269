import { type ExecutionEvent, parseEvent } from '@dataagent/schema'

/** The event for `todos` that a `Command` sets in the state: they are the agent's plan. */
export function toPlan(todos: unknown): ExecutionEvent | undefined {
  if (!Array.isArray(todos)) return undefined
  try {
    const event = { event_type: 'todo_update', timestamp: Date.now(), todos }
    return parseEvent(event) as ExecutionEvent
  } catch {
    // Another tool's field of the same name.
    return undefined
  }
}
