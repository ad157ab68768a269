import type { DrivenTurn, ModelMessage } from '@dataagent/core'
import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  RemoveMessage,
  ToolMessage,
} from '@langchain/core/messages'
import { REMOVE_ALL_MESSAGES } from '@langchain/langgraph'
import type { MessageBook } from '../messages/index.ts'
import { runField } from './governing.ts'

/** What a thread was left as. */
export interface Thread {
  messages: readonly BaseMessage[]
  /** The run that it has seen last. */
  run_id: string | undefined
  /** Whether its graph had not come to an end. */
  isOpen: boolean
}

export interface StateSnapshot {
  values?: Record<string, unknown>
  next?: readonly string[]
}

export function toThread({ values = {}, next = [] }: StateSnapshot): Thread {
  const { messages, [runField]: run_id } = values
  return {
    messages: Array.isArray(messages) ? messages : [],
    run_id: typeof run_id === 'string' ? run_id : undefined,
    isOpen: next.length > 0,
  }
}

/**
 * How a turn that a dead process left goes on: its graph where it stopped, or had come to its end.
 * Where log and thread differ, or the graph no longer has the step that it stopped before, it
 * begins `anew`, as a new turn does.
 */
export function findWayOn(turn: DrivenTurn, thread: Thread): 'go_on' | 'ended' | 'anew' {
  if (!turn.isLeft || thread.run_id !== turn.run_id || !isInStep(turn, thread)) return 'anew'
  if (thread.isOpen) return 'go_on'
  const isAnswered = !HumanMessage.isInstance(thread.messages.at(-1))
  return isAnswered && callsWithoutAnswer(thread.messages).length === 0 ? 'ended' : 'anew'
}

/**
 * What a graph begins with on its thread. The log is what counts: a thread that has not seen the
 * run before this one (the session was forked, summarised, or went on elsewhere), or was left with
 * a call that nothing has answered, is given the log's messages in the place of its own.
 */
export function toInput(
  turn: DrivenTurn,
  thread: Thread,
  book: MessageBook,
): Record<string, unknown> {
  const last = turn.messages.at(-1)
  const hasSeenAll = thread.run_id !== undefined && thread.run_id === turn.previous_run
  const isWhole = !thread.isOpen && callsWithoutAnswer(thread.messages).length === 0
  const messages =
    hasSeenAll && isWhole && last?.role === 'user'
      ? [book.toLangChain(last)]
      : toAllMessages(turn.messages, book)
  return { messages, [runField]: turn.run_id }
}

/** Whether the calls that the log has open are those that the thread waits for. */
function isInStep(turn: DrivenTurn, { messages }: Thread): boolean {
  const waiting = new Set(callsWithoutAnswer(messages))
  return [...turn.openCalls].every((id) => waiting.has(id))
}

function toAllMessages(messages: readonly ModelMessage[], book: MessageBook): BaseMessage[] {
  return [new RemoveMessage({ id: REMOVE_ALL_MESSAGES }), ...messages.map(book.toLangChain)]
}

function callsWithoutAnswer(messages: readonly BaseMessage[]): string[] {
  const at = messages.findLastIndex((message) => AIMessage.isInstance(message))
  const { tool_calls = [] } = (messages[at] ?? {}) as AIMessage
  const answered = new Set(
    messages
      .slice(at + 1)
      .flatMap((message) => (ToolMessage.isInstance(message) ? message.tool_call_id : [])),
  )
  return tool_calls.flatMap(({ id = '' }) => (answered.has(id) ? [] : id))
}
