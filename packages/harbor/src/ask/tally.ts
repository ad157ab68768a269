import {
  type ExecutionEvent,
  isKnownEvent,
  type SentEvent,
  type TextEvent,
  type UsageEvent,
} from '@dataagent/schema'
import type { Outcome, ShownTable } from '../contract.ts'
import { toTable } from './tables.ts'
import { createTranscript } from './transcript.ts'

/** Why a turn has not come to its end: what the asker knows beside the events. */
export type Failure = Outcome['error']

/** What the events of a turn come to. */
export interface Tally {
  add(event: SentEvent): void
  readonly isDone: boolean
  /** As it stands, over at this moment. */
  toOutcome(session_id: string | null, failure: Failure): Outcome
}

interface Call {
  tool_call_id: string
  name: string
  status: 'success' | 'error'
  ms: number | null
  at_ms: number
}

/** Begins to count time at once. */
export function createTally(now: () => number): Tally {
  const begun = now()
  const transcript = createTranscript(() => now() - begun)
  const parts = new Map<number, string>()
  const calls: Call[] = []
  const tables: ShownTable[] = []
  let isReplyOver = false
  let usage: Outcome['usage'] = null
  let error: Failure = null
  let firstEventMs: number | null = null
  let firstTextMs: number | null = null
  let isRejected = false
  /** The server's clock less ours. */
  let ahead: number | undefined
  let ending: 'done' | 'cancelled' | undefined

  function addText({ seq, content, is_final, restarts, ...rest }: SentEvent & TextEvent): void {
    if (content !== '') firstTextMs ??= now() - begun
    if (isReplyOver || restarts) parts.clear()
    // A piece stands at its offset in the event that will be logged as `seq`.
    const offset = 'offset' in rest && typeof rest.offset === 'number' ? rest.offset : 0
    parts.set(seq, (parts.get(seq) ?? '').slice(0, offset) + content)
    isReplyOver = is_final
    error = null
  }

  /** A query is told by its tool and shown by its block: that is one table. */
  function addTable(table: ShownTable | undefined): void {
    if (table === undefined) return
    const { kept } = table
    if (kept && tables.some((one) => one.kept?.query_id === kept.query_id)) return
    tables.push(table)
  }

  /** By the server's clock, which knows it better than the line. */
  function sinceBegun(timestamp: number, ms = 0): number {
    ahead ??= timestamp - (now() - begun)
    const at = timestamp - ms - ahead
    return at > 0 ? Math.min(at, now() - begun) : 0
  }

  function addKnown(event: SentEvent & ExecutionEvent): void {
    const at_ms = sinceBegun(event.timestamp)
    if (event.event_type === 'text') addText(event)
    if (event.event_type === 'tool_call') {
      const { tool_call_id, tool_name: name } = event
      // Until its result is there it has not succeeded.
      calls.push({ tool_call_id, name, status: 'error', ms: null, at_ms })
      isReplyOver = true
      error = null
    }
    if (event.event_type === 'tool_result') {
      const { tool_call_id, status, duration_ms, result, timestamp } = event
      const call = calls.findLast((one) => one.tool_call_id === tool_call_id)
      if (call) Object.assign(call, { status, ms: duration_ms ?? null })
      // It may have waited for a person.
      if (call && duration_ms !== undefined) call.at_ms = sinceBegun(timestamp, duration_ms)
      if (status === 'success') addTable(toTable(result))
    }
    if (event.event_type === 'result_block' && event.block.kind === 'query')
      addTable(toTable(event.block.query))
    if (event.event_type === 'usage') usage = addUsage(usage, event)
    if (event.event_type === 'error')
      error = { code: event.error_code ?? 'agent_failed', message: event.error }
    if (event.event_type === 'approval_decided' && event.decision.type === 'reject')
      isRejected = true
    if (event.event_type === 'done') ending = event.cancelled ? 'cancelled' : 'done'
  }

  return {
    add(event) {
      // What was asked comes back first: that the agent does something begins after it.
      if (event.event_type !== 'user_message') firstEventMs ??= now() - begun
      transcript.add(event)
      if (isKnownEvent(event)) addKnown(event)
    },
    get isDone() {
      return ending !== undefined
    },
    toOutcome(session_id, failure) {
      const isDenied = ending === 'cancelled' && isRejected
      const cancelled = { code: 'cancelled', message: 'The turn was cancelled.' }
      const ended = ending === 'cancelled' && !isDenied ? cancelled : null
      return {
        ...{ session_id, isDenied, usage, tables },
        answer: [...parts.values()].join(''),
        error: isDenied ? null : (error ?? ended ?? (ending === undefined ? failure : null)),
        ...{ first_event_ms: firstEventMs, first_text_ms: firstTextMs },
        total_ms: now() - begun,
        tools: calls.map(({ tool_call_id: _, ...call }) => call),
        events: transcript.events(),
      }
    },
  }
}

function addUsage(sum: Outcome['usage'], event: UsageEvent): NonNullable<Outcome['usage']> {
  return {
    model: event.model,
    prompt_tokens: (sum?.prompt_tokens ?? 0) + event.prompt_tokens,
    completion_tokens: (sum?.completion_tokens ?? 0) + event.completion_tokens,
    cached_tokens: (sum?.cached_tokens ?? 0) + (event.cached_tokens ?? 0),
    cost: event.cost === undefined ? (sum?.cost ?? null) : (sum?.cost ?? 0) + event.cost,
  }
}
