import type { ModelDelta, Reasoning } from '@dataagent/core'
import {
  AIMessageChunk,
  type AIMessageChunkFields,
  type ContentBlock,
  type UsageMetadata,
} from '@langchain/core/messages'
import { ChatGenerationChunk } from '@langchain/core/outputs'
import { toUsageMetadata } from './usage.ts'

/** Makes LangChain's chunks of our deltas, such that they join to what `fromLangChain` reads. */
export interface ChunkMaker {
  make(delta: Exclude<ModelDelta, { type: 'restart' }>): ChatGenerationChunk | undefined
}

/** Their type of the usage is empty under our strictness. */
type Fields = Omit<AIMessageChunkFields, 'usage_metadata'> & { usage_metadata?: UsageMetadata }

export function createChunkMaker(): ChunkMaker {
  let calls = 0
  /** The place of the block that is being written; none as long as there is only text. */
  let block: { index: number; type: string; isSealed: boolean } | undefined

  function placeOf(type: string, isSealed: boolean): number {
    const goesOn = block?.type === type && !block.isSealed
    block = { index: (block?.index ?? -1) + (goesOn ? 0 : 1), type, isSealed }
    return block.index
  }

  function toTextFields(text: string): Fields {
    if (block === undefined) return { content: text }
    return { content: [{ type: 'text', text, index: placeOf('text', false) }] }
  }

  function toThoughtFields({ text, signature, redacted }: Reasoning): Fields {
    if (redacted !== undefined) {
      const index = placeOf('redacted_thinking', true)
      return { content: [{ type: 'redacted_thinking', data: redacted, index }] }
    }
    const index = placeOf('thinking', signature !== undefined)
    const seal = signature !== undefined && { signature }
    return { content: [{ type: 'thinking', thinking: text, ...seal, index } as ContentBlock] }
  }

  function toFields(delta: Parameters<ChunkMaker['make']>[0]): Fields | undefined {
    switch (delta.type) {
      case 'text':
        return toTextFields(delta.text)
      case 'reasoning':
        return toThoughtFields(delta.reasoning)
      case 'tool_call': {
        const { id, name, raw: args } = delta
        const chunk = { type: 'tool_call_chunk' as const, id, name, args, index: calls++ }
        return { content: '', tool_call_chunks: [chunk] }
      }
      case 'usage':
        return { content: '', usage_metadata: toUsageMetadata(delta.usage) }
      case 'model':
        return { content: '', response_metadata: { model_name: delta.name } }
      case 'finish':
        return { content: '', response_metadata: { finish_reason: delta.reason } }
    }
  }

  return {
    make(delta) {
      const fields = toFields(delta)
      if (fields === undefined) return undefined
      const text = delta.type === 'text' ? delta.text : ''
      return new ChatGenerationChunk({
        text,
        message: new AIMessageChunk(fields as AIMessageChunkFields),
      })
    },
  }
}
