import { randomUUID } from 'node:crypto'
import type { ModelMessage, ModelToolCall } from '@dataagent/core'
import { AIMessage, type BaseMessage, ToolMessage } from '@langchain/core/messages'
import { toReasoning } from './reasoning.ts'
import { toText } from './text.ts'

/**
 * A message of LangChain as ours. What is neither the model's nor a tool's (a `SystemMessage`
 * within the conversation, a `ChatMessage`) is read as the user's.
 */
export function fromLangChainMessage(message: BaseMessage): ModelMessage {
  const content = toText(message.content)
  if (ToolMessage.isInstance(message)) {
    const { tool_call_id, name = '', status } = message
    return { role: 'tool', tool_call_id, name, content, is_error: status === 'error' }
  }
  if (!AIMessage.isInstance(message)) return { role: 'user', content }
  const reasoning = toReasoning(message)
  const tool_calls = toToolCalls(message)
  return { role: 'assistant', content, tool_calls, ...(reasoning.length > 0 && { reasoning }) }
}

/** A call whose arguments are no JSON object is a call all the same: it must be answered. */
function toToolCalls({ tool_calls = [], invalid_tool_calls = [] }: AIMessage): ModelToolCall[] {
  const whole = tool_calls.map(({ id, name, args }) => ({ id: toId(id), name, arguments: args }))
  const broken = invalid_tool_calls.map(({ id, name = '' }) => ({
    ...{ id: toId(id), name, arguments: {} },
  }))
  return [...whole, ...broken]
}

function toId(id: string | undefined): string {
  return id || `call_${randomUUID()}`
}
