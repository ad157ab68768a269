import type { ModelReply, RequestedCall, ToolReply } from '@dataagent/core'
import { AIMessage, type AIMessageFields, type ToolMessage } from '@langchain/core/messages'
import { toLangChainMessage, toReasoning, toText } from '../messages/index.ts'
import { fromUsageMetadata, toUsageMetadata } from '../models/index.ts'

/** A reply of the model as LangChain's hooks see it. */
export function toAiMessage(reply: ModelReply): AIMessage {
  const { content, reasoning, calls, usage, finish, model } = reply
  const read = calls.flatMap(({ id, name, args }) => (args ? { id, name, arguments: args } : []))
  const message = toLangChainMessage({ role: 'assistant', content, tool_calls: read, reasoning })
  const fields = message.lc_kwargs as AIMessageFields
  const made = new AIMessage({
    ...fields,
    invalid_tool_calls: calls.filter(({ args }) => !args).map(toInvalidCall),
    response_metadata: { finish_reason: finish, ...(model !== undefined && { model_name: model }) },
  })
  return usage ? Object.assign(made, { usage_metadata: toUsageMetadata(usage) }) : made
}

function toInvalidCall({ id, name, raw }: RequestedCall) {
  const error = 'The arguments are no JSON object.'
  return { type: 'invalid_tool_call' as const, id, name, args: raw, error }
}

/** A reply that a hook has made, or made of another. */
export function fromAiMessage(message: AIMessage): ModelReply {
  const { tool_calls = [], invalid_tool_calls = [], response_metadata } = message
  const read = tool_calls.map(({ id = '', name, args }) => ({
    ...{ id, name, args, raw: JSON.stringify(args) },
  }))
  const broken = invalid_tool_calls.map(({ id = '', name = '', args = '' }) => ({
    ...{ id, name, args: undefined, raw: args },
  }))
  const calls = [...read, ...broken]
  const { finish_reason, model_name } = response_metadata as Record<string, unknown>
  return {
    content: toText(message.content),
    reasoning: toReasoning(message),
    calls,
    usage: message.usage_metadata && fromUsageMetadata(message.usage_metadata),
    finish: typeof finish_reason === 'string' ? finish_reason : 'stop',
    ...(typeof model_name === 'string' && { model: model_name }),
  }
}

/** What a hook answers in a tool's place. */
export function fromToolMessage({ content, status }: ToolMessage): ToolReply {
  const text = toText(content)
  const isError = status === 'error'
  return {
    ...{ content: text, result: text },
    ...{ status: isError ? 'error' : 'success', outcome: isError ? 'failed' : 'ok' },
  }
}
