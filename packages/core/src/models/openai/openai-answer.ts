import {
  type AnswerDecoder,
  type Batch,
  type JsonRecord,
  nothing,
  readData,
  toCount,
  toRecord,
  withCalls,
} from '../answer/answer-decoder.ts'
import { type Answerer, brokenOff, toToldError } from '../answer/provider-error.ts'
import { createTextTemplate } from '../answer/text-template.ts'
import { createCallIds, toCallDelta } from '../arguments/to-call-delta.ts'
import type { FinishReason, ModelMessage, ModelUsage } from '../contract.ts'
import { createCallPieces } from './call-pieces.ts'

const reasons: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'tool_calls',
  function_call: 'tool_calls',
  content_filter: 'refusal',
}

export interface DecoderOptions {
  answerer: Answerer
  /** The conversation: an id of a call in it is not used again. */
  messages: readonly ModelMessage[]
}

/** Reads a chat completion, streamed or whole. */
export function createOpenAiDecoder({ answerer, messages }: DecoderOptions): AnswerDecoder {
  const template = createTextTemplate('content')
  const pieces = createCallPieces()
  let state: AnswerDecoder['state'] = 'open'
  let reason: FinishReason | undefined
  let usage: ModelUsage | undefined
  let hasRefused = false
  let hasChoice = false
  let saysDone = false

  return {
    get state() {
      return state
    },
    add(data, batch) {
      const text = template.match(data)
      if (text !== undefined) return batch.text(text)
      if (data.trimEnd() === '[DONE]') {
        saysDone = true
        return end(batch)
      }
      addEvent(readData(data), batch, data)
    },
    addWhole(json, batch) {
      addEvent(readData(json), batch)
      saysDone = true
    },
    end,
  }

  function addEvent(event: JsonRecord, batch: Batch, data?: string): void {
    if (event.error !== undefined && event.error !== null) throw toToldError(answerer, event.error)
    const counted = readUsage(event.usage)
    usage = counted ?? usage
    const choice = Array.isArray(event.choices) ? toRecord(event.choices[0]) : nothing
    hasChoice ||= choice !== nothing
    const delta = toRecord(choice.delta ?? choice.message)
    const says = addDelta(delta, batch)
    if (typeof choice.finish_reason === 'string' && choice.finish_reason !== '') {
      reason = reasons[choice.finish_reason] ?? 'other'
      state = 'whole'
    } else if (says && counted === undefined && data !== undefined) {
      template.learn(data, delta.content as string)
    }
  }

  /** Whether a text is all it says. */
  function addDelta(delta: JsonRecord, batch: Batch): boolean {
    const { content, refusal, tool_calls } = delta
    const thought = delta.reasoning_content ?? delta.reasoning
    const hasThought = typeof thought === 'string' && thought !== ''
    if (hasThought) batch.thought(thought)
    if (typeof content === 'string') batch.text(content)
    else if (Array.isArray(content)) addParts(content, batch)
    if (typeof refusal === 'string' && refusal !== '') {
      hasRefused = true
      batch.text(refusal)
    }
    const called = Array.isArray(tool_calls) ? tool_calls : []
    for (const piece of called) pieces.add(piece)
    const isOther = hasThought || hasRefused || called.length > 0
    return typeof content === 'string' && content !== '' && !isOther
  }

  function end(batch: Batch): void {
    const hasEnded = saysDone || reason !== undefined || usage !== undefined
    if (!hasEnded || !hasChoice) throw brokenOff(answerer)
    const finish = hasRefused ? 'refusal' : (reason ?? 'other')
    const ids = pieces.calls.length > 0 ? createCallIds(messages) : undefined
    for (const call of pieces.calls) {
      const { name, json } = call
      const id = ids?.(call.id) ?? call.id
      batch.add(toCallDelta({ id, name, json, isCut: finish === 'length' }))
    }
    if (usage !== undefined) batch.add({ type: 'usage', usage })
    batch.add({ type: 'finish', reason: withCalls(finish, pieces.calls.length) })
    state = 'done'
  }
}

/** Content in parts, as some servers give it. */
function addParts(parts: readonly unknown[], batch: Batch): void {
  for (const part of parts) {
    const { type, text, thinking } = toRecord(part)
    if (type === 'thinking' && Array.isArray(thinking)) {
      for (const thought of thinking) batch.thought(String(toRecord(thought).text ?? ''))
    } else if (typeof text === 'string') batch.text(text)
  }
}

function readUsage(value: unknown): ModelUsage | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const usage = toRecord(value)
  const kept = toRecord(usage.prompt_tokens_details).cached_tokens ?? usage.prompt_cache_hit_tokens
  return {
    prompt_tokens: toCount(usage.prompt_tokens),
    completion_tokens: toCount(usage.completion_tokens),
    ...(typeof kept === 'number' && { cached_tokens: toCount(kept) }),
  }
}
