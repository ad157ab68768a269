import { randomUUID } from 'node:crypto'
import type { Knobs } from './knobs.ts'
import { countTokens, type ModelRequest, type ToolCall } from './request.ts'

/** What the model answers: text, tool calls or both. */
export interface MessageReply {
  text?: string
  /** Arguments given as a string go out as they are, valid JSON or not. */
  toolCalls?: { name: string; arguments: Record<string, unknown> | string; id?: string }[]
  /** Default: `tool_calls` when there are any, else `stop`. */
  finish?: Finish
  /** These override the knobs of the model's name. */
  ttft?: number
  itl?: number
  cut?: number
  break?: number
}

/** A refusal in the provider's own shape. */
export interface ErrorReply {
  /** The HTTP status. */
  error: number
  message?: string
  /** Such as `context_length_exceeded` or `insufficient_quota`. */
  code?: string
  /** Seconds, for the header. */
  retryAfter?: number
}

/** A string is a reply of that text. */
export type Reply = string | MessageReply | ErrorReply

export type Finish = 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'stop_sequence'

/** A reply worked out to its last token. */
export interface Answer {
  /** The text in the pieces in which it is streamed. */
  tokens: string[]
  toolCalls: ToolCall[]
  finish: Finish
  stopSequence: string | undefined
  outputTokens: number
  ttft: number
  itl: number
  cut: number | undefined
  break: number | undefined
}

/** Works out a reply for a request: knobs, limits, stop sequences and the text dialect. */
export function toAnswer(request: ModelRequest, knobs: Knobs, reply: MessageReply): Answer {
  const calls = (reply.toolCalls ?? []).map((call) => toToolCall(call, knobs))
  const inText = knobs.textcalls && calls.length > 0
  const text = inText ? toTextCalls(calls) : (reply.text ?? '')
  const toolCalls = inText ? [] : calls
  const stopped = stopText(text, request.stopSequences)
  const all = toTokens(stopped.text)
  const tokens = all.slice(0, request.maxTokens)
  const written = toolCalls.map((call) => countTokens(call.name + call.arguments))
  return {
    tokens,
    toolCalls,
    finish: finishOf(),
    stopSequence: stopped.by,
    outputTokens: written.reduce((sum, count) => sum + count, tokens.length),
    ttft: reply.ttft ?? knobs.ttft,
    itl: reply.itl ?? knobs.itl,
    cut: reply.cut ?? knobs.cut,
    break: reply.break ?? knobs.break,
  }

  function finishOf(): Finish {
    if (reply.finish) return reply.finish
    if (tokens.length < all.length) return 'length'
    if (toolCalls.length > 0) return 'tool_calls'
    return stopped.by === undefined ? 'stop' : 'stop_sequence'
  }
}

/**
 * Pieces as models make them: a word with the space before it, or four characters of what has no
 * spaces.
 */
function toTokens(text: string): string[] {
  return text.match(/\s?[\p{L}\p{N}]{1,12}|\s?[^\p{L}\p{N}\s]{1,4}|\s/gu) ?? []
}

function toToolCall(call: NonNullable<MessageReply['toolCalls']>[number], knobs: Knobs): ToolCall {
  const json = typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments)
  const broken = `${json.slice(0, Math.max(1, json.length - 2))},`
  const id = call.id ?? randomUUID().replaceAll('-', '').slice(0, 24)
  return { id, name: call.name, arguments: knobs.badjson ? broken : json }
}

function toTextCalls(calls: ToolCall[]): string {
  return calls
    .map(
      ({ name, arguments: json }) =>
        `{"tool_call":{"name":${JSON.stringify(name)},"arguments":${json}}}`,
    )
    .join('\n')
}

function stopText(text: string, sequences: string[]): { text: string; by: string | undefined } {
  const found = sequences
    .map((by) => ({ by, at: text.indexOf(by) }))
    .filter(({ at }) => at !== -1)
    .toSorted((a, b) => a.at - b.at)[0]
  return found ? { text: text.slice(0, found.at), by: found.by } : { text, by: undefined }
}
