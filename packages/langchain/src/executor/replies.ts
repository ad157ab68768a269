import { randomUUID } from 'node:crypto'
import type { ModelReply, ModelTool, RequestedCall } from '@dataagent/core'
import { AIMessage, type BaseMessage } from '@langchain/core/messages'
import { convertToOpenAITool } from '@langchain/core/utils/function_calling'
import { isCommand } from '@langchain/langgraph'
import { toReasoning, toText } from '../messages/index.ts'
import { fromUsageMetadata } from '../models/index.ts'

/** The message of the model in what a model call may give. */
export function findReply(given: unknown): AIMessage | undefined {
  if (AIMessage.isInstance(given)) return given
  if (isCommand(given)) return findReply((given as { update?: unknown }).update)
  const messages: unknown = (given as { messages?: unknown } | undefined)?.messages
  if (!Array.isArray(messages)) return undefined
  return messages.findLast((message) => AIMessage.isInstance(message))
}

/**
 * The same message, whose calls each have an id of their own; broken ones are calls too. LangChain
 * takes a call whose id it has seen for one that was answered, and does not run it.
 */
export function withUsableCalls(message: AIMessage, before: readonly BaseMessage[]): AIMessage {
  const { tool_calls = [], invalid_tool_calls = [] } = message
  const seen = new Set(before.flatMap(callIdsOf))
  const toId = (id: string | undefined): string => {
    const usable = id !== undefined && /^[!-~]{1,64}$/.test(id) && !seen.has(id)
    const own = usable ? id : `call_${randomUUID()}`
    seen.add(own)
    return own
  }
  message.tool_calls = tool_calls.map((call) => ({ ...call, id: toId(call.id) }))
  // LangChain leaves them out, and the model would wait for an answer in vain.
  const broken = invalid_tool_calls.map(({ id, name = 'unnamed', args = '' }) => ({
    ...{ type: 'tool_call' as const, id: toId(id), name, args: { [brokenArgs]: args } },
  }))
  message.tool_calls.push(...broken)
  message.invalid_tool_calls = []
  return message
}

function callIdsOf(message: BaseMessage): string[] {
  if (!AIMessage.isInstance(message)) return []
  return (message.tool_calls ?? []).flatMap(({ id }) => id ?? [])
}

/** Where a call whose arguments are no JSON holds what the model wrote. */
const brokenArgs = '__not_json'

export function toRequestedCall(call: {
  id?: string | undefined
  name: string
  args: Record<string, unknown>
}): RequestedCall {
  const { id = '', name, args } = call
  const broken = args[brokenArgs]
  if (typeof broken === 'string') return { id, name, args: undefined, raw: broken }
  return { id, name, args, raw: JSON.stringify(args) }
}

export function toReply(message: AIMessage): ModelReply {
  const { tool_calls = [], response_metadata = {}, usage_metadata } = message
  const { finish_reason, stop_reason, model_name } = response_metadata as Record<string, unknown>
  return {
    content: toText(message.content),
    reasoning: toReasoning(message),
    calls: tool_calls.map(toRequestedCall),
    usage: usage_metadata && fromUsageMetadata(usage_metadata),
    finish: String(finish_reason ?? stop_reason ?? (tool_calls.length > 0 ? 'tool_calls' : 'stop')),
    ...(typeof model_name === 'string' && { model: model_name }),
  }
}

/** What a model is told of a tool, where it is one that can be told of. */
export function toModelTool(tool: unknown): ModelTool[] {
  try {
    const { name, description = '', parameters = {} } = convertToOpenAITool(tool as never).function
    return [{ name, description, parameters }]
  } catch {
    return []
  }
}
