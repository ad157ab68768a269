import { toRecord } from '../answer/answer-decoder.ts'
import type {
  AssistantMessage,
  ModelMessage,
  ModelRequest,
  ModelTool,
  ToolChoice,
} from '../contract.ts'
import { createHistoryBytes, type Rendered } from '../history-bytes.ts'
import { createJsonPieces } from '../message-json.ts'

export interface AnthropicBodyOptions {
  model: string
  /** Of an answer, where the request does not say. */
  maxTokens: number
  extra: Readonly<Record<string, unknown>> | undefined
}

const cacheMark = { cache_control: { type: 'ephemeral' } }

/** Whose turn it is in the text so far; empty before the first. */
type Turn = '' | 'user' | 'assistant'

/** Makes the bodies of messages requests. */
export function createAnthropicBody(options: AnthropicBodyOptions): (r: ModelRequest) => Buffer {
  const pieces = createJsonPieces({
    message: (message) => toBlocks(message, {}),
    tool: toTool,
    system: (text) => JSON.stringify([{ type: 'text', text, ...cacheMark }]),
  })
  const toKept = createHistoryBytes<Turn>({
    render: (messages, turn) => toTurns(messages, (message) => toBlocks(message, {}), turn),
  })

  return (request) => {
    const { system, messages, tools } = request
    let head = JSON.stringify(toHead(options, request)).slice(0, -1)
    if (tools.length > 0) head += `,"tools":${pieces.tools(tools)}`
    if (system.trim() !== '') head += `,"system":${pieces.system(system)}`
    const isUsers = messages[0]?.role === 'user'
    head += `,"messages":[${isUsers ? '' : `{"role":"user","content":[${noText}`}`
    const marked = findMarked(messages)
    const { parts, state, next } = toKept(
      messages,
      Math.min(messages.length, ...marked),
      isUsers ? '' : 'user',
    )
    const toJson = (message: ModelMessage, i: number) =>
      marked.includes(next + i) ? toBlocks(message, cacheMark) : pieces.message(message)
    const rest = toTurns(messages.slice(next), toJson, state)
    return Buffer.concat([Buffer.from(head), ...parts, Buffer.from(`${rest.text}]}]}`)])
  }
}

/** Messages of one role in a row are one: results of tools have to stand in one message. */
function toTurns(
  messages: readonly ModelMessage[],
  toJson: (message: ModelMessage, index: number) => string,
  start: Turn,
): Rendered<Turn> {
  let text = ''
  let turn = start
  for (const [i, message] of messages.entries()) {
    const blocks = toJson(message, i)
    if (blocks === '') continue
    const own = message.role === 'assistant' ? 'assistant' : 'user'
    if (own === turn) text += `,${blocks}`
    else text += `${turn === '' ? '' : ']},'}{"role":"${own}","content":[${blocks}`
    turn = own
  }
  return { text, state: turn }
}

/**
 * Which messages end what the provider shall keep: the last one, and the last one of the request
 * before, from which it finds what it has kept.
 */
function findMarked(messages: readonly ModelMessage[]): readonly number[] {
  const last = messages.length - 1
  const answer = messages.findLastIndex(({ role }) => role === 'assistant')
  return [last, answer - 1].filter((i) => i >= 0 && messages[i]?.role !== 'assistant')
}

function toHead({ model, maxTokens, extra }: AnthropicBodyOptions, request: ModelRequest) {
  const { temperature, toolChoice, tools } = request
  const given = { ...extra, ...request.extra }
  // The limit counts the thoughts in; with them no temperature may be set.
  const budget = Number(toRecord(given.thinking).budget_tokens ?? 0)
  const limit = request.maxTokens ?? maxTokens
  return {
    model,
    stream: true,
    max_tokens: limit > budget ? limit : budget + limit,
    ...(temperature !== undefined && budget === 0 && { temperature }),
    ...(toolChoice !== undefined && tools.length > 0 && { tool_choice: toChoice(toolChoice) }),
    ...given,
  }
}

function toChoice(choice: ToolChoice): unknown {
  if (typeof choice !== 'string') return { type: 'tool', name: choice.name }
  return { type: choice === 'required' ? 'any' : choice }
}

function toTool({ name, description, parameters }: ModelTool): unknown {
  return { name, description, input_schema: parameters }
}

/** The API refuses texts without a character. */
const noText = JSON.stringify({ type: 'text', text: '(no text)' })

/** The blocks of a message, separated by commas; `mark` goes with the last. */
function toBlocks(message: ModelMessage, mark: object): string {
  if (message.role === 'assistant') return toAssistantBlocks(message)
  const { content } = message
  if (message.role === 'user') {
    const text = content.trim() === '' ? '(no text)' : content
    return JSON.stringify({ type: 'text', text, ...mark })
  }
  return JSON.stringify({
    type: 'tool_result',
    tool_use_id: toUseId(message.tool_call_id),
    ...(content !== '' && { content }),
    ...(message.is_error && { is_error: true }),
    ...mark,
  })
}

function toAssistantBlocks({ content, tool_calls, reasoning = [] }: AssistantMessage): string {
  const thoughts = reasoning.flatMap(({ text, signature, redacted }): object[] => {
    if (redacted !== undefined) return [{ type: 'redacted_thinking', data: redacted }]
    return signature === undefined ? [] : [{ type: 'thinking', thinking: text, signature }]
  })
  const texts = content.trim() === '' ? [] : [{ type: 'text', text: content }]
  const uses = tool_calls.map(({ id, name, arguments: input }) => {
    return { type: 'tool_use', id: toUseId(id), name, input }
  })
  const blocks = texts.length + uses.length === 0 ? [] : [...thoughts, ...texts, ...uses]
  return blocks.map((block) => JSON.stringify(block)).join(',')
}

/** Calls of another model's may have ids that the API refuses. */
function toUseId(id: string): string {
  return /^[\w-]+$/.test(id) ? id : `id_${Buffer.from(id).toString('hex')}`
}
