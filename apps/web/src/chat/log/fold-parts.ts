import {
  type ExecutionEvent,
  type Logged,
  type SentEvent,
  type ToolCallStatus,
  toShownResult,
} from '@dataagent/schema'
import { foldBlock } from './fold-block.ts'
import type { AskedApproval, Part, ToolPart, ToolState } from './turn.ts'

type Parts = readonly Part[]
type Event = ExecutionEvent & Pick<Logged, 'seq'> & { offset?: number }

/** The parts of a turn, or of a helper's work, after one more event. */
export function foldParts(parts: Parts, event: Event): Parts {
  switch (event.event_type) {
    case 'text':
      return foldText(parts, event)
    case 'reasoning':
      if (event.content === '') return parts
      return [...parts, { kind: 'thought', key: `${event.seq}`, content: event.content }]
    case 'tool_call':
      return [...parts, toToolPart(event)]
    case 'tool_started':
      return change(parts, event.tool_call_id, {
        ...{ state: 'running', started_at: event.timestamp, call_id: event.call_id },
      })
    case 'tool_result':
      return change(parts, event.tool_call_id, toEnd(event))
    case 'hitl_request':
      return change(parts, event.tool_call_id, { state: 'waiting', approval: toApproval(event) })
    case 'approval_decided':
      return parts.map((part) => decide(part, event))
    case 'file_operation':
      return parts.map((part) =>
        part.kind === 'tool' && part.tool_call_id === event.tool_call_id
          ? { ...part, files: [...part.files, event] }
          : part,
      )
    case 'result_block':
      return foldBlock(parts, event)
    case 'citations':
      return foldCitations(parts, event)
    case 'error':
      return [...parts, { kind: 'error', key: `${event.seq}`, error: event }]
    case 'summary':
      return [...parts, { kind: 'summary', key: `${event.seq}`, content: event.content }]
    default:
      return parts
  }
}

/** The helper's events go to the call that it works for. */
export function foldBelow(parts: Parts, event: Event, tool_call_id: string): Parts {
  return parts.map((part) =>
    part.kind === 'tool' && part.tool_call_id === tool_call_id
      ? { ...part, parts: foldParts(part.parts, event) }
      : part,
  )
}

export function parentOf(event: SentEvent): string | undefined {
  const parent = (event as { parent_tool_call_id?: unknown }).parent_tool_call_id
  return typeof parent === 'string' ? parent : undefined
}

/** A reply is logged in rows as it is written: they are one text until one of them is its last. */
function foldText(parts: Parts, event: Extract<Event, { event_type: 'text' }>): Parts {
  const { seq, content, offset = 0, is_final: isFinal } = event
  const before = event.restarts ? withoutReply(parts) : parts
  const last = before.at(-1)
  if (last?.kind !== 'text' || (last.isFinal && last.row.seq !== seq)) {
    if (content === '') return before
    const row = { seq, from: 0 }
    const text = { kind: 'text' as const, key: `${seq}`, content, isFinal, row }
    return [...before, { ...text, citations: undefined }]
  }
  const row = last.row.seq === seq ? last.row : { seq, from: last.content.length }
  const end = row.from + offset
  // A long text is not copied for every word that it grows by.
  const kept = end === last.content.length ? last.content : last.content.slice(0, end)
  return [...before.slice(0, -1), { ...last, content: kept + content, isFinal, row }]
}

/** They are of the last reply. */
function foldCitations(parts: Parts, event: Extract<Event, { event_type: 'citations' }>): Parts {
  const { cited, dangling, uncovered } = event
  const at = parts.findLastIndex((part) => part.kind === 'text')
  return parts.map((part, i) =>
    i === at && part.kind === 'text'
      ? { ...part, citations: { cited, dangling, uncovered } }
      : part,
  )
}

/** What was said of a reply that begins anew is void: all text since the last that is none. */
function withoutReply(parts: Parts): Parts {
  const from = parts.findLastIndex((part) => part.kind !== 'text' || part.isFinal)
  return parts.slice(0, from + 1)
}

function toToolPart(event: Extract<Event, { event_type: 'tool_call' }>): ToolPart {
  return {
    ...{ kind: 'tool', key: event.tool_call_id, tool_call_id: event.tool_call_id },
    ...{ name: event.tool_name, server_id: event.server_id, args: event.tool_args },
    ...{ state: 'asked', asked_at: event.timestamp, started_at: undefined, outcome: undefined },
    ...{ result: undefined, duration_ms: undefined, call_id: undefined, approval: undefined },
    ...{ untrusted: [], files: [], blocks: [], parts: [] },
  }
}

function toEnd(event: Extract<Event, { event_type: 'tool_result' }>): Partial<ToolPart> {
  const { status, outcome, duration_ms, untrusted = [] } = event
  const result = toShownResult(event)
  return {
    ...{ state: toState(status, outcome), outcome, result, duration_ms, untrusted },
  }
}

function toState(status: 'success' | 'error', outcome: ToolCallStatus | undefined): ToolState {
  if (status === 'success') return 'ok'
  return outcome === 'cancelled' || outcome === 'rejected' ? 'cancelled' : 'error'
}

function toApproval(event: Extract<Event, { event_type: 'hitl_request' }>): AskedApproval {
  const { approval_id, action_request, reason, expires_at, timestamp } = event
  return { approval_id, action_request, reason, asked_at: timestamp, expires_at, answer: undefined }
}

function decide(part: Part, event: Extract<Event, { event_type: 'approval_decided' }>): Part {
  if (part.kind !== 'tool') return part
  if (part.approval?.approval_id !== event.approval_id) {
    const below = part.parts.map((each) => decide(each, event))
    return below.some((each, i) => each !== part.parts[i]) ? { ...part, parts: below } : part
  }
  const { decision, via, decided_by: by, timestamp: at } = event
  const state = part.state === 'waiting' ? 'asked' : part.state
  return { ...part, state, approval: { ...part.approval, answer: { decision, via, by, at } } }
}

function change(parts: Parts, tool_call_id: string | undefined, fields: Partial<ToolPart>): Parts {
  return parts.map((part) =>
    part.kind === 'tool' && part.tool_call_id === tool_call_id ? { ...part, ...fields } : part,
  )
}
