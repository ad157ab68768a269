import type { Reasoning } from '@dataagent/core'
import type { BaseMessage } from '@langchain/core/messages'

type Fields = Readonly<Record<string, unknown>>

/** The thoughts of a message, in the forms that providers and LangChain have them in. */
export function toReasoning({ content, additional_kwargs }: BaseMessage): Reasoning[] {
  const blocks = typeof content === 'string' ? [] : content.flatMap(fromBlock)
  return [...blocks, ...fromFields(additional_kwargs)]
}

function fromBlock(block: Fields): Reasoning[] {
  switch (block.type) {
    case 'thinking':
      return toThought(block.thinking, block.signature)
    case 'redacted_thinking':
      return [{ text: '', redacted: asText(block.data) }]
    case 'reasoning':
      return toThought(block.reasoning, block.signature)
    case 'reasoning_content': {
      const { text, signature } = (block.reasoningText ?? {}) as Fields
      return toThought(text, signature)
    }
    default:
      return []
  }
}

/** As models of the OpenAI wire give them: beside the content, without a seal. */
function fromFields({ reasoning_content, reasoning }: Fields): Reasoning[] {
  const { summary } = (reasoning ?? {}) as Fields
  const parts = Array.isArray(summary) ? summary.map(({ text }: Fields) => asText(text)) : []
  return toThought(asText(reasoning_content) + parts.join(''), undefined)
}

/** A seal may come in a block of its own. */
function toThought(given: unknown, seal: unknown): Reasoning[] {
  const text = asText(given)
  if (typeof seal === 'string' && seal !== '') return [{ text, signature: seal }]
  return text === '' ? [] : [{ text }]
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
