import type { EventType, ExecutionEvent, Logged, SentEvent, Todo } from '@dataagent/schema'
import type { Lang } from '../../words/index.ts'
import type { Call } from '../blocks/call.ts'
import { uncited } from '../blocks/citations.ts'
import { renderFile } from '../blocks/diff.ts'
import {
  decided,
  failure,
  reasoning,
  summary,
  toolsMatched,
  turnEnd,
  userMessage,
} from '../blocks/notes.ts'
import { renderPlan, renderPlanChange } from '../blocks/plan.ts'
import { type Render, unfolded } from '../blocks/rendered.ts'
import { renderBlock } from '../blocks/result-block.ts'
import { renderSpinner } from '../blocks/spinner.ts'
import type { Theme, Transcript } from '../contract.ts'
import type { Look } from '../look.ts'
import { words } from '../words.ts'
import { createCalls, type NewCall, toCall } from './calls.ts'
import {
  createCallEntry,
  createNote,
  createTextEntry,
  type Group,
  type TextEntry,
} from './entry.ts'
import { createPrinter } from './printer.ts'
import { createSeenQueries } from './seen-queries.ts'

export interface TranscriptOptions {
  /** Asked for whenever something is laid out: a getter where a person may choose another. */
  theme: Theme
  lang: Lang
  clock: { now(): number }
  /** Of a history that is read again, how many of the last turns are printed. */
  turnsMax?: number
}

type Of<T extends EventType> = Extract<ExecutionEvent, { event_type: T }> & Logged
type Handlers = { readonly [T in EventType]: (event: Of<T>) => void }

/** The conversation as lines. One handler for each type of event; others are passed over [D9.2]. */
export function createTranscript(options: TranscriptOptions): Transcript {
  const { clock, turnsMax = 20 } = options
  const look: Look = options
  const printer = createPrinter(look, turnsMax)
  const calls = createCalls()
  const queries = createSeenQueries()
  let text: TextEntry | undefined
  let todos: readonly Todo[] = []
  let turn = { number: 0, isRunning: false, since: 0, startedAt: 0, tokens: 0 }

  function note(group: Group, render: Render): void {
    endText()
    printer.add(createNote({ group, turn: turn.number, render }))
  }

  function endText(): void {
    text?.end()
    text = undefined
  }

  function addCall(event: SentEvent, known: NewCall): Call {
    const call: Call = { ...toCall(known, look.theme), since: clock.now() }
    const parent = calls.get(parentOf(event))
    calls.add(call)
    if (parent) parent.below.push(call)
    else {
      endText()
      printer.add(createCallEntry(call, turn.number, look))
    }
    return call
  }

  function end(): void {
    endText()
    calls.endAll()
    turn.isRunning = false
  }

  const handlers: Handlers = {
    user_message(event) {
      calls.endAll()
      const begun = { since: clock.now(), startedAt: event.timestamp, tokens: 0 }
      turn = { ...begun, number: turn.number + 1, isRunning: true }
      note('user', userMessage(event, look))
    },
    text(event: Of<'text'> & { offset?: number }) {
      const { seq, content, offset = 0, restarts = false, is_final } = event
      if (!text && content !== '') {
        calls.endAll()
        text = createTextEntry(turn.number, look)
        printer.add(text)
      }
      text?.push({ seq, content, offset, restarts })
      if (is_final) endText()
    },
    reasoning(event) {
      if (event.content.trim() !== '') note('note', reasoning(event, look))
    },
    tool_call(event) {
      addCall(event, event)
    },
    tool_started(event) {
      const call = calls.get(event.tool_call_id) ?? addCall(event, { ...event, tool_args: {} })
      Object.assign(call, { state: 'running', since: clock.now() })
    },
    tool_result(event) {
      const { tool_call_id } = event
      const known = { tool_call_id, tool_name: tool_call_id, tool_args: {} }
      calls.end(calls.get(tool_call_id) ?? addCall(event, known), event)
    },
    hitl_request(event) {
      const { tool_call_id = event.approval_id, action_request } = event
      const { name: tool_name, args: tool_args } = action_request
      const known = { tool_call_id, tool_name, tool_args }
      calls.ask(event, calls.get(tool_call_id) ?? addCall(event, known))
    },
    approval_decided(event) {
      const call = calls.decide(event)
      const render = decided(event, look)
      if (!call) return note('tool', (width) => unfolded(render(width)))
      if (call.state === 'waiting') Object.assign(call, { state: 'asked', since: clock.now() })
      call.decisions.push(render)
    },
    todo_update(event) {
      const [before, after] = [todos, event.todos]
      todos = after
      note('plan', (width) => unfolded(renderPlanChange(before, after, look, width)))
    },
    file_operation(event) {
      const call = calls.get(event.tool_call_id)
      if (call) call.files.push(event)
      else note('tool', (width, extent) => renderFile(event, look, width, extent))
    },
    error: (event) => note('note', failure(event, look)),
    summary: (event) => note('note', summary(event, look)),
    tools_matched: (event) => note('note', toolsMatched(event, look)),
    result_block({ tool_call_id, block }) {
      const shown = queries.add(block)
      const call = calls.get(tool_call_id)
      if (call) call.blocks.push(shown)
      else note('tool', (width, extent) => renderBlock(shown, look, width, extent))
    },
    citations(event) {
      const render = uncited(event, look)
      if (render) note('note', render)
    },
    usage({ prompt_tokens, completion_tokens }) {
      turn.tokens += prompt_tokens + completion_tokens
    },
    session_state({ status }) {
      if (status === 'idle' || status === 'error') turn.isRunning = false
      else if (!turn.isRunning) turn = { ...turn, isRunning: true, since: clock.now() }
    },
    done({ cancelled, timestamp }) {
      end()
      const ms = turn.startedAt > 0 ? timestamp - turn.startedAt : undefined
      note('note', turnEnd({ isCancelled: cancelled, ms, tokens: turn.tokens }, look))
    },
  }

  /** What goes on, where nothing else says so. */
  function renderActivity(width: number): string[] {
    if (!turn.isRunning || calls.isAnyOpen) return []
    const what = text ? words.writing : words.thinking
    return [renderSpinner(what, { since: turn.since, now: clock.now() }, look, width)]
  }

  return {
    add(event) {
      // A helper says what it does by its calls; its result is that of the call it works for.
      if (parentOf(event) !== undefined && !ofHelpers.has(event.event_type)) return
      const handle = Object.hasOwn(handlers, event.event_type)
        ? handlers[event.event_type as EventType]
        : undefined
      ;(handle as ((event: SentEvent) => void) | undefined)?.(event)
      printer.forget()
    },
    begin() {
      turn = { ...turn, isRunning: true, since: clock.now(), startedAt: 0, tokens: 0 }
    },
    end,
    takeLines: (width) => printer.take(width),
    renderLive: (width, rows) =>
      printer.renderLive({ width, rows, now: clock.now(), last: renderActivity(width) }),
    expandLast: (width) => printer.expandLast(width),
    renderPlan: (width) => renderPlan(todos, look, width),
    get isMoving() {
      return calls.isAnyMoving || (turn.isRunning && !calls.isAnyOpen)
    },
  }
}

const ofHelpers: ReadonlySet<string> = new Set<EventType>([
  ...(['tool_call', 'tool_started', 'tool_result', 'hitl_request'] as const),
  ...(['approval_decided', 'file_operation', 'result_block'] as const),
])

function parentOf(event: SentEvent): string | undefined {
  const { parent_tool_call_id: parent } = event as { parent_tool_call_id?: unknown }
  return typeof parent === 'string' ? parent : undefined
}
