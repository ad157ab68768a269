import { type ExecutionEvent, isKnownEvent, type SentEvent } from '@dataagent/schema'
import type { TranscriptEvent } from '../contract.ts'

const textMax = 500

/** Said in the question and the answer, or of no interest to who reads what happened. */
const untold = new Set(['user_message', 'usage', 'session_state'])

/** Collects the events of a turn in short; the pieces of a reply become one. */
export function createTranscript(since: () => number) {
  const events: TranscriptEvent[] = []

  function addText(content: string): void {
    const last = events.at(-1)
    if (last?.event_type === 'text') {
      if (last.text.length < textMax) last.text = cut(last.text + content)
    } else if (content !== '') {
      events.push({ ms: since(), event_type: 'text', text: cut(content) })
    }
  }

  return {
    add(event: SentEvent): void {
      const { event_type } = event
      if (untold.has(event_type)) return
      if (!isKnownEvent(event)) events.push({ ms: since(), event_type, text: '' })
      else if (event.event_type === 'text') addText(event.content)
      else events.push({ ms: since(), event_type, text: cut(toText(event)) })
    },
    events: (): readonly TranscriptEvent[] => events,
  }
}

function toText(event: ExecutionEvent): string {
  switch (event.event_type) {
    case 'tool_call':
      return `${event.tool_name} ${JSON.stringify(event.tool_args)}`
    case 'tool_result':
      return `${event.outcome ?? event.status}: ${inWords(event.result)}`
    case 'hitl_request':
      return event.action_request.name
    case 'approval_decided':
      return `${event.decision.type}: ${event.decision.message}`
    case 'error':
      return `${event.error_code ?? ''} ${event.error}`.trim()
    case 'reasoning':
      return event.content
    case 'file_operation':
      return `${event.operation} ${event.path}`
    case 'done':
      return event.cancelled ? 'cancelled' : ''
    default:
      return ''
  }
}

const inWords = (result: unknown) => (typeof result === 'string' ? result : JSON.stringify(result))

/** Never half a character. */
const cut = (text: string) =>
  text.length <= textMax ? text : text.slice(0, textMax).replace(/[\uD800-\uDBFF]$/, '')
