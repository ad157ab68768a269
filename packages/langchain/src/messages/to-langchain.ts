import { randomUUID } from 'node:crypto'
import type { AssistantMessage, ModelMessage, Reasoning } from '@dataagent/core'
import {
  AIMessage,
  type BaseMessage,
  type ContentBlock,
  HumanMessage,
  ToolMessage,
} from '@langchain/core/messages'

/** A message of ours as LangChain's. It gets a new id: ours have none. */
export function toLangChainMessage(message: ModelMessage): BaseMessage {
  const id = randomUUID()
  const { content } = message
  if (message.role === 'user') return new HumanMessage({ content, id })
  if (message.role === 'assistant') return toAiMessage(message, id)
  const { tool_call_id, name, is_error } = message
  const status = is_error ? 'error' : 'success'
  return new ToolMessage({ content, id, tool_call_id, name, status })
}

function toAiMessage({ content, tool_calls, reasoning = [] }: AssistantMessage, id: string) {
  const sealed = reasoning.filter(isSealed)
  const loose = reasoning.filter((piece) => !isSealed(piece))
  return new AIMessage({
    id,
    content: sealed.length > 0 ? toBlocks(content, sealed) : content,
    tool_calls: tool_calls.map((call) => ({
      ...{ type: 'tool_call' as const, id: call.id, name: call.name },
      args: structuredClone(call.arguments),
    })),
    ...(loose.length > 0 && {
      additional_kwargs: { reasoning_content: loose.map(({ text }) => text).join('') },
    }),
  })
}

function isSealed({ signature, redacted }: Reasoning): boolean {
  return signature !== undefined || redacted !== undefined
}

/** Sealed thoughts as Anthropic has them: the only provider that wants them back in the content. */
function toBlocks(content: string, sealed: readonly Reasoning[]): ContentBlock[] {
  const thoughts = sealed.map(({ text, signature, redacted }) =>
    redacted === undefined
      ? { type: 'thinking', thinking: text, signature }
      : { type: 'redacted_thinking', data: redacted },
  )
  return content === '' ? thoughts : [...thoughts, { type: 'text', text: content }]
}
