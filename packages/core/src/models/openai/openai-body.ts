import type {
  AssistantMessage,
  ModelMessage,
  ModelRequest,
  ModelTool,
  ToolChoice,
} from '../contract.ts'
import { createHistoryBytes, type Rendered } from '../history-bytes.ts'
import { createJsonPieces } from '../message-json.ts'

export interface OpenAiBodyOptions {
  model: string
  /** What the provider calls the limit of the answer. */
  limitField: 'max_tokens' | 'max_completion_tokens'
  extra: Readonly<Record<string, unknown>> | undefined
}

/** Makes the bodies of chat completion requests. */
export function createOpenAiBody(options: OpenAiBodyOptions): (request: ModelRequest) => Buffer {
  const pieces = createJsonPieces({
    message: toMessage,
    tool: toTool,
    system: (content) => JSON.stringify({ role: 'system', content }),
  })

  const toKept = createHistoryBytes<string>({
    render: (messages, comma) => join(messages, toMessage, comma),
  })

  return (request) => {
    const { system, messages, tools } = request
    // What varies little stands first, for providers that keep prompts by their beginning.
    let head = JSON.stringify(toHead(options, request)).slice(0, -1)
    if (tools.length > 0) head += `,"tools":${pieces.tools(tools)}`
    head += `,"messages":[${system === '' ? '' : pieces.system(system)}`
    const { parts, state, next } = toKept(messages, messages.length, system === '' ? '' : ',')
    const rest = join(messages.slice(next), pieces.message, state)
    return Buffer.concat([Buffer.from(head), ...parts, Buffer.from(`${rest.text}]}`)])
  }
}

/** `comma` is what stands before the first. */
function join(
  messages: readonly ModelMessage[],
  toJson: (message: ModelMessage) => string,
  comma: string,
): Rendered<string> {
  const text = messages.map(toJson).join(',')
  return text === '' ? { text, state: comma } : { text: comma + text, state: ',' }
}

function toHead({ model, limitField, extra }: OpenAiBodyOptions, request: ModelRequest) {
  const { maxTokens, temperature, toolChoice, tools } = request
  return {
    model,
    stream: true,
    stream_options: { include_usage: true },
    ...(maxTokens !== undefined && { [limitField]: maxTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(toolChoice !== undefined && tools.length > 0 && { tool_choice: toChoice(toolChoice) }),
    ...extra,
    ...request.extra,
  }
}

function toChoice(choice: ToolChoice): unknown {
  if (typeof choice === 'string') return choice
  return { type: 'function', function: { name: choice.name } }
}

function toTool({ name, description, parameters }: ModelTool): unknown {
  return { type: 'function', function: { name, description, parameters } }
}

function toMessage(message: ModelMessage): string {
  if (message.role === 'assistant') return JSON.stringify(toAssistant(message))
  if (message.role === 'user') return JSON.stringify({ role: 'user', content: message.content })
  const { tool_call_id, name, content } = message
  return JSON.stringify({ role: 'tool', tool_call_id, name, content })
}

function toAssistant({ content, tool_calls }: AssistantMessage): unknown {
  if (tool_calls.length === 0) return { role: 'assistant', content }
  return {
    role: 'assistant',
    content: content === '' ? null : content,
    tool_calls: tool_calls.map(({ id, name, arguments: args }) => {
      return { id, type: 'function', function: { name, arguments: JSON.stringify(args) } }
    }),
  }
}
