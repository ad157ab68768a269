import type { ModelReply } from '../middleware/index.ts'
import type { AssistantMessage, ModelMessage, ToolMessage } from '../models/index.ts'

/** A reply as a message of the conversation. */
export function toAssistantMessage({ content, reasoning, calls }: ModelReply): AssistantMessage {
  const tool_calls = calls.map(({ id, name, args }) => ({ id, name, arguments: args ?? {} }))
  return { role: 'assistant', content, tool_calls, ...(reasoning.length > 0 && { reasoning }) }
}

/** The calls of the last assistant message, and of each that a hook has answered the answer. */
export function withCallsOf(reply: ModelReply, messages: readonly ModelMessage[]): ModelReply {
  const at = messages.findLastIndex(({ role }) => role === 'assistant')
  const last = messages[at]
  if (last?.role !== 'assistant') return reply
  const answers = new Map<string, ToolMessage>()
  for (const message of messages.slice(at + 1)) {
    if (message.role === 'tool') answers.set(message.tool_call_id, message)
  }
  const calls = last.tool_calls.map(({ id, name, arguments: args }) => {
    const asked = reply.calls.find((call) => call.id === id)
    const answer = answers.get(id)
    // What was no JSON object is still none.
    const isBroken = asked !== undefined && asked.args === undefined
    const call = { id, name, args: isBroken ? undefined : args, raw: asked?.raw ?? '' }
    return answer ? { ...call, answer } : call
  })
  return { ...reply, calls }
}
