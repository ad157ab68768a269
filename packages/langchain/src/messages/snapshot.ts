import { isDeepStrictEqual } from 'node:util'
import type { AIMessage, BaseMessage, ToolMessage } from '@langchain/core/messages'

/** What a message said at some time, to tell later whether it was changed in place. */
export type Snapshot = readonly unknown[]

export function toSnapshot(message: BaseMessage): Snapshot {
  return wordsOf(message).map(copy)
}

/** Whether the message says what it said then, at whatever depth. */
export function isAsIn(snapshot: Snapshot | undefined, message: BaseMessage): boolean {
  return snapshot !== undefined && isDeepStrictEqual(wordsOf(message), snapshot)
}

/** All that a message of ours is made of. */
function wordsOf(message: BaseMessage): unknown[] {
  const { content, name, additional_kwargs } = message
  const { tool_calls, invalid_tool_calls } = message as AIMessage
  const { tool_call_id, status } = message as ToolMessage
  const { reasoning, reasoning_content } = additional_kwargs
  const told = [content, name, tool_calls, invalid_tool_calls]
  return [...told, tool_call_id, status, reasoning, reasoning_content]
}

/** Of lists and plain objects; texts are shared, and so is the data of an image. */
function copy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copy)
  if (!isPlain(value)) return value
  return Object.fromEntries(Object.entries(value).map(([field, one]) => [field, copy(one)]))
}

function isPlain(value: unknown): value is object {
  return (
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  )
}
