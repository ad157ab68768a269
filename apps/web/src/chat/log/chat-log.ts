import {
  type ExecutionEvent,
  type FileOperationEvent,
  isKnownEvent,
  type Logged,
  type QueryResult,
  type ResultBlockEvent,
  type SentEvent,
  type SessionStatus,
  type Todo,
} from '@dataagent/schema'
import { foldBelow, foldParts, parentOf } from './fold-parts.ts'
import type { Turn, TurnStatus, TurnUsage } from './turn.ts'

/** A query of the session, and the turn that shows it. */
export interface SessionQuery {
  query: QueryResult
  turn_key: string
}

/** A session as a page shows it. A turn is the same object for as long as nothing of it changes. */
export interface ChatView {
  turns: readonly Turn[]
  todos: readonly Todo[]
  files: readonly FileOperationEvent[]
  /** By their `ref`. */
  queries: ReadonlyMap<string, SessionQuery>
  status: SessionStatus
}

/** Events in the order of their numbers become turns. */
export interface ChatLog {
  apply(event: SentEvent): void
  view(): ChatView
  /** That of the view, without making one. */
  readonly status: SessionStatus
}

const filesMax = 500

export function createChatLog(): ChatLog {
  const turns: Turn[] = []
  let todos: readonly Todo[] = []
  let files: readonly FileOperationEvent[] = []
  let queries: ChatView['queries'] = new Map()
  let status: SessionStatus = 'idle'
  let shown: ChatView | undefined

  function current(event: Event): Turn {
    const last = turns.at(-1)
    const isCompacted = event.event_type === 'summary' && last?.ended_at !== undefined
    if (last && !isCompacted) return last
    // Summarised between turns; or a session whose beginning this version does not know.
    const first = newTurn(event)
    turns.push(first)
    return first
  }

  function begin(event: SentEvent & ExecutionEvent): void {
    turns.push(newTurn(event))
    status = 'running'
  }

  function changeTurn(event: Event): void {
    const turn = current(event)
    const parent = parentOf(event)
    const parts =
      parent === undefined ? foldParts(turn.parts, event) : foldBelow(turn.parts, event, parent)
    turns[turns.length - 1] = { ...turn, parts, ...ends(turn, event), last_seq: event.seq }
  }

  function keepQuery({ block }: ResultBlockEvent): void {
    const turn_key = turns.at(-1)?.key
    if (block.kind !== 'query' || turn_key === undefined) return
    queries = new Map(queries).set(block.query.ref, { query: block.query, turn_key })
  }

  return {
    apply(event) {
      if (!isKnownEvent(event)) return
      shown = undefined
      if (event.event_type === 'session_state') status = event.status
      else if (event.event_type === 'user_message') begin(event)
      else changeTurn(event as Event)
      // What a page waits for is over with the turn, whichever event comes first.
      if (event.event_type === 'done' && parentOf(event) === undefined) status = 'idle'
      if (event.event_type === 'todo_update' && parentOf(event) === undefined) todos = event.todos
      if (event.event_type === 'result_block') keepQuery(event)
      if (event.event_type === 'file_operation') files = [...files, event].slice(-filesMax)
    },
    get status() {
      return status
    },
    view() {
      shown ??= { turns: [...turns], todos, files, queries, status }
      return shown
    },
  }
}

type Event = ExecutionEvent & Logged & { offset?: number }

function newTurn(event: SentEvent & ExecutionEvent): Turn {
  const message =
    event.event_type === 'user_message'
      ? { content: event.content, at: event.timestamp, message_id: event.message_id }
      : undefined
  return {
    ...{ key: `${event.seq}`, seq: event.seq, message, parts: [], status: 'running' },
    match: undefined,
    ...{ started_at: event.timestamp, ended_at: undefined, usage: undefined },
    ...{ run_id: event.run_id, last_seq: event.seq },
  }
}

/** How the event changes the turn itself. */
function ends(turn: Turn, event: Event): Partial<Turn> {
  const { run_id = turn.run_id } = event
  if (parentOf(event) !== undefined) return {}
  switch (event.event_type) {
    case 'done':
      return { status: endOf(turn, event.cancelled), ended_at: event.timestamp }
    case 'hitl_request':
      return { status: 'waiting', run_id }
    case 'approval_decided':
    case 'tool_started':
      return { status: 'running', run_id }
    case 'tools_matched': {
      const { matches, tool_mode, matched, offered } = event
      return { match: { matches, tool_mode, matched, offered }, run_id }
    }
    case 'usage':
      return { usage: addUsage(turn.usage, event) }
    default:
      return { run_id }
  }
}

function endOf(turn: Turn, cancelled: boolean): TurnStatus {
  if (cancelled) return 'stopped'
  return turn.parts.at(-1)?.kind === 'error' ? 'failed' : 'done'
}

function addUsage(
  before: TurnUsage | undefined,
  event: Extract<ExecutionEvent, { event_type: 'usage' }>,
): TurnUsage {
  const { model, prompt_tokens, completion_tokens, always_prompt_tokens, cost } = event
  if (!before) return { model, prompt_tokens, completion_tokens, always_prompt_tokens, cost }
  return {
    model,
    prompt_tokens: before.prompt_tokens + prompt_tokens,
    completion_tokens: before.completion_tokens + completion_tokens,
    always_prompt_tokens: before.always_prompt_tokens + always_prompt_tokens,
    cost: cost === undefined ? before.cost : (before.cost ?? 0) + cost,
  }
}
