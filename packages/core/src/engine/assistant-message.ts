import type { ModelReply } from '../middleware/index.ts'
import type { AssistantMessage } from '../models/index.ts'

/** A reply as a message of the conversation. */
export function toAssistantMessage({ content, reasoning, calls }: ModelReply): AssistantMessage {
  const tool_calls = calls.map(({ id, name, args }) => ({ id, name, arguments: args ?? {} }))
  return { role: 'assistant', content, tool_calls, ...(reasoning.length > 0 && { reasoning }) }
}
