import type {
  AssistantMessage,
  ModelMessage,
  ModelRequest,
  ModelTool,
  ToolChoice,
} from '../contract.ts'
import { createJsonPieces } from '../message-json.ts'

export interface OpenAiBodyOptions {
  model: string
  /** What the provider calls the limit of the answer. */
  limitField: 'max_tokens' | 'max_completion_tokens'
  extra: Readonly<Record<string, unknown>> | undefined
}

/** Makes the bodies of chat completion requests. */
export function createOpenAiBody(options: OpenAiBodyOptions): (request: ModelRequest) => string {
  const pieces = createJsonPieces({
    message: toMessage,
    tool: toTool,
    system: (content) => JSON.stringify({ role: 'system', content }),
  })

  return (request) => {
    const { system, messages, tools } = request
    // What varies little stands first, for providers that keep prompts by their beginning.
    let body = JSON.stringify(toHead(options, request)).slice(0, -1)
    if (tools.length > 0) body += `,"tools":${pieces.tools(tools)}`
    body += ',"messages":['
    let comma = ''
    if (system !== '') {
      body += pieces.system(system)
      comma = ','
    }
    for (const message of messages) {
      body += comma + pieces.message(message)
      comma = ','
    }
    return `${body}]}`
  }
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
