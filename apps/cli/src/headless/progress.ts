import type { ExecutionEvent, SentEvent } from '@dataagent/schema'
import { toPlainLine } from '../ui/index.ts'

/** One line for each step of a turn, for whoever watches standard error. */
export function createProgress(write: (line: string) => void): (event: SentEvent) => void {
  const names = new Map<string, string>()

  return (sent) => {
    const event = sent as SentEvent & ExecutionEvent
    if (event.event_type === 'tool_call') {
      const name = toPlainLine(event.tool_name, 80)
      names.set(event.tool_call_id, name)
      write(`- ${name} ${toPlainLine(JSON.stringify(event.tool_args), 100)}`)
    }
    if (event.event_type === 'tool_result') {
      const name = names.get(event.tool_call_id) ?? '?'
      const took = event.duration_ms === undefined ? '' : `, ${event.duration_ms} ms`
      write(`- ${name}: ${event.outcome ?? event.status}${took}`)
    }
    if (event.event_type === 'file_operation' && event.operation !== 'read') {
      const { path, operation, additions, deletions } = event
      write(`- ${operation} ${toPlainLine(path, 100)} +${additions} -${deletions}`)
    }
  }
}
