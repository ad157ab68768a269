import {
  type AnswerDecoder,
  type Batch,
  type JsonRecord,
  readData,
  toCount,
  toRecord,
  withCalls,
} from '../answer/answer-decoder.ts'
import { type Answerer, brokenOff, toToldError } from '../answer/provider-error.ts'
import { createTextTemplate } from '../answer/text-template.ts'
import { createCallIds, toCallDelta } from '../arguments/to-call-delta.ts'
import type { FinishReason, ModelMessage } from '../contract.ts'
import { createUseBlocks, type UseBlocks } from './use-blocks.ts'

const reasons: Readonly<Record<string, FinishReason>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  pause_turn: 'other',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool_calls',
  refusal: 'refusal',
}

export interface AnthropicDecoderOptions {
  answerer: Answerer
  messages: readonly ModelMessage[]
}

/** Reads a message, streamed or whole. */
export function createAnthropicDecoder(options: AnthropicDecoderOptions): AnswerDecoder {
  const { answerer, messages } = options
  const template = createTextTemplate('text')
  const uses = createUseBlocks()
  let state: AnswerDecoder['state'] = 'open'
  let reason: FinishReason | undefined
  let counts: JsonRecord = {}

  return {
    get state() {
      return state
    },
    add(data, batch) {
      const text = template.match(data)
      if (text !== undefined) batch.text(text)
      else if (data.trimEnd() === '[DONE]') end(batch)
      else addEvent(readData(data), batch, data)
    },
    addWhole(json, batch) {
      const message = readData(json)
      if (message.error !== undefined) throw toToldError(answerer, message.error)
      const blocks = Array.isArray(message.content) ? message.content : []
      for (const [index, block] of blocks.entries()) addBlock(index, toRecord(block), batch)
      addEnding(message, message.usage)
    },
    end,
  }

  function addEvent(event: JsonRecord, batch: Batch, data: string): void {
    if (state === 'done') return
    const { type, index, delta } = event
    if (type === 'content_block_delta') addPiece(index, toRecord(delta), batch, data)
    else if (type === 'content_block_start') addBlock(index, toRecord(event.content_block), batch)
    else if (type === 'message_start') addCounts(toRecord(event.message).usage)
    else if (type === 'message_delta') addEnding(toRecord(delta), event.usage)
    else if (type === 'message_stop') end(batch)
    // Some put the error where the other wire has it, without a type.
    else if (event.error !== undefined) throw toToldError(answerer, event.error)
    else if (type === 'error') throw toToldError(answerer, event)
  }

  function addPiece(index: unknown, piece: JsonRecord, batch: Batch, data: string): void {
    const { type, text, thinking, signature, partial_json } = piece
    if (type === 'text_delta' && typeof text === 'string') {
      batch.text(text)
      if (text !== '') template.learn(data, text)
    } else if (type === 'thinking_delta' && typeof thinking === 'string') batch.thought(thinking)
    else if (type === 'signature_delta' && typeof signature === 'string') {
      batch.seal({ text: '', signature })
    } else if (type === 'input_json_delta') uses.add(index, String(partial_json ?? ''))
  }

  function addBlock(index: unknown, block: JsonRecord, batch: Batch): void {
    const { type, text, thinking, signature, data } = block
    if (type === 'text' && typeof text === 'string') batch.text(text)
    else if (type === 'thinking') {
      batch.thought(String(thinking ?? ''))
      if (typeof signature === 'string' && signature !== '') batch.seal({ text: '', signature })
    } else if (type === 'redacted_thinking' && typeof data === 'string') {
      batch.seal({ text: '', redacted: data })
    } else if (type === 'tool_use') uses.open(index, block)
  }

  function addCounts(usage: unknown): void {
    counts = { ...counts, ...toRecord(usage) }
  }

  function addEnding(ending: JsonRecord, usage: unknown): void {
    addCounts(usage)
    if (typeof ending.stop_reason !== 'string') return
    reason = reasons[ending.stop_reason] ?? 'other'
    state = 'whole'
  }

  function end(batch: Batch): void {
    if (reason === undefined) throw brokenOff(answerer)
    const calls = addCalls(uses, batch)
    if (Object.keys(counts).length > 0) batch.add({ type: 'usage', usage: toUsage(counts) })
    batch.add({ type: 'finish', reason: withCalls(reason, calls) })
    state = 'done'
  }

  function addCalls({ blocks }: UseBlocks, batch: Batch): number {
    if (blocks.length === 0) return 0
    const toId = createCallIds(messages)
    const isCut = reason === 'length'
    for (const { id, name, json } of blocks) {
      batch.add(toCallDelta({ id: toId(id), name, json, isCut }))
    }
    return blocks.length
  }
}

/** The API counts apart what it had kept and what it keeps from now on. */
function toUsage(counts: JsonRecord) {
  const cached = toCount(counts.cache_read_input_tokens)
  const written = toCount(counts.cache_creation_input_tokens)
  return {
    prompt_tokens: toCount(counts.input_tokens) + cached + written,
    completion_tokens: toCount(counts.output_tokens),
    cached_tokens: cached,
  }
}
