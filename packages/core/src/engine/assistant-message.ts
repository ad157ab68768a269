import type { ModelReply, RequestedCall } from '../middleware/index.ts'
import type { AssistantMessage, ModelMessage, ToolMessage } from '../models/index.ts'

/** A reply as a message of the conversation. */
export function toAssistantMessage({ content, reasoning, calls }: ModelReply): AssistantMessage {
  const tool_calls = calls.map(({ id, name, args }) => ({ id, name, arguments: args ?? {} }))
  return { role: 'assistant', content, tool_calls, ...(reasoning.length > 0 && { reasoning }) }
}

/**
 * The calls of the last assistant message, and of each that a hook has answered the answer. `asked`
 * are those of the model's reply.
 */
export function callsOf(
  messages: readonly ModelMessage[],
  asked: readonly RequestedCall[] = [],
): readonly RequestedCall[] {
  const { said, answers } = findLast(messages)
  if (said === undefined) return asked
  return said.tool_calls.map(({ id, name, arguments: args }) => {
    const reply = asked.find((call) => call.id === id)
    const answer = answers.get(id)
    // What was no JSON object is still none.
    const isBroken = reply !== undefined && reply.args === undefined
    const call = { id, name, args: isBroken ? undefined : args, raw: reply?.raw ?? '' }
    return answer ? { ...call, answer } : call
  })
}

/** The last assistant message, where it calls something that nobody has answered. */
export function findOpen(messages: readonly ModelMessage[]): AssistantMessage | undefined {
  const { said, answers } = findLast(messages)
  return said?.tool_calls.some(({ id }) => !answers.has(id)) ? said : undefined
}

/** As if the model had not made the calls that nobody has answered. */
export function withoutOpenCalls(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const open = findOpen(messages)
  if (open === undefined) return messages
  const { answers } = findLast(messages)
  const tool_calls = open.tool_calls.filter(({ id }) => answers.has(id))
  return messages.map((message) => (message === open ? { ...open, tool_calls } : message))
}

function findLast(messages: readonly ModelMessage[]) {
  const at = messages.findLastIndex(({ role }) => role === 'assistant')
  const said = messages[at] as AssistantMessage | undefined
  const answers = new Map<string, ToolMessage>()
  for (const message of messages.slice(at + 1)) {
    if (message.role === 'tool') answers.set(message.tool_call_id, message)
  }
  return { said, answers }
}
