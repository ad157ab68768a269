import {
  type FinishReason,
  type ModelDelta,
  type ModelUsage,
  readArguments,
  type ToolCallDelta,
} from '@dataagent/core'
import {
  AIMessage,
  type AIMessageChunk,
  type BaseMessage,
  type UsageMetadata,
} from '@langchain/core/messages'
import { toReasoning, toText } from '../messages/index.ts'

/** Reads the answer of a chat model, chunk by chunk, as our deltas. */
export interface AnswerReader {
  take(chunk: BaseMessage): ModelDelta[]
  /** What is known only now: the calls, the usage and why it ended. */
  end(): ModelDelta[]
}

interface OpenCall {
  id: string
  name: string
  json: string
}

export function createAnswerReader(): AnswerReader {
  const calls = new Map<string | number, OpenCall>()
  const whole: ToolCallDelta[] = []
  let last: OpenCall | undefined
  let usage: ModelUsage | undefined
  let finish: FinishReason | undefined

  function takeCalls(message: BaseMessage): void {
    if (!AIMessage.isInstance(message)) return
    const { tool_call_chunks = [] } = message as Partial<AIMessageChunk>
    if (tool_call_chunks.length === 0) whole.push(...toWholeCalls(message))
    for (const { id = '', name = '', args = '', index } of tool_call_chunks) {
      // One without either goes on with the call before it.
      const key = index ?? (id === '' ? undefined : id)
      last = (key === undefined ? last : calls.get(key)) ?? { id: '', name: '', json: '' }
      calls.set(key ?? calls.size, last)
      if (last.id === '') last.id = id
      last.name += name
      last.json += args
    }
  }

  return {
    take(message) {
      takeCalls(message)
      const counted = (message as AIMessage).usage_metadata
      if (counted) usage = addUsage(usage, counted)
      finish = toFinish(message) ?? finish
      const thoughts = toReasoning(message).map((reasoning) => ({
        ...{ type: 'reasoning' as const, reasoning },
      }))
      const text = toText(message.content)
      return text === '' ? thoughts : [...thoughts, { type: 'text', text }]
    },
    end() {
      const made = [...new Set(calls.values())].map(({ id, name, json }) => ({
        ...{ type: 'tool_call' as const, id, name, raw: json },
        // What was cut for its length is not to be completed.
        arguments: readArguments(json, { repairs: finish !== 'length' }),
      }))
      const all = [...made, ...whole]
      const reason = finish ?? 'stop'
      return [
        ...all,
        ...(usage ? [{ type: 'usage' as const, usage }] : []),
        { type: 'finish', reason: reason === 'stop' && all.length > 0 ? 'tool_calls' : reason },
      ]
    },
  }
}

function toWholeCalls({ tool_calls = [], invalid_tool_calls = [] }: AIMessage): ToolCallDelta[] {
  const read = tool_calls.map(({ id = '', name, args }) => ({
    ...{ type: 'tool_call' as const, id, name, arguments: args, raw: JSON.stringify(args) },
  }))
  const broken = invalid_tool_calls.map(({ id = '', name = '', args = '' }) => ({
    ...{ type: 'tool_call' as const, id, name, arguments: readArguments(args), raw: args },
  }))
  return [...read, ...broken]
}

/** Chunks count what is new in each. */
function addUsage(before: ModelUsage | undefined, counted: UsageMetadata): ModelUsage {
  const cached = counted.input_token_details?.cache_read
  const kept = before?.cached_tokens
  return {
    prompt_tokens: (before?.prompt_tokens ?? 0) + counted.input_tokens,
    completion_tokens: (before?.completion_tokens ?? 0) + counted.output_tokens,
    ...((cached ?? kept) !== undefined && { cached_tokens: (kept ?? 0) + (cached ?? 0) }),
  }
}

/** Why answers end, in the words of the providers that LangChain has. */
const finishes: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  end_turn: 'stop',
  stop_sequence: 'stop',
  eos: 'stop',
  tool_calls: 'tool_calls',
  tool_use: 'tool_calls',
  function_call: 'tool_calls',
  length: 'length',
  max_tokens: 'length',
  max_output_tokens: 'length',
  model_context_window_exceeded: 'length',
  content_filter: 'refusal',
  refusal: 'refusal',
  safety: 'refusal',
}

function toFinish({ response_metadata, additional_kwargs }: BaseMessage): FinishReason | undefined {
  const { finish_reason, stop_reason, finishReason, stopReason } = {
    ...additional_kwargs,
    ...response_metadata,
  }
  const word = finish_reason ?? stop_reason ?? finishReason ?? stopReason
  if (typeof word !== 'string' || word === '') return undefined
  return finishes[word.toLowerCase()] ?? 'other'
}
