import type { ModelRequest, OfferedTool, Turn } from './request.ts'
import { asArray, asObject, asText, type JsonObject, type Refusal, toolName } from './wire.ts'

const roles = ['system', 'assistant', 'user', 'function', 'tool', 'developer']

/** Reads a chat-completions body as the API does, or says what the API would say against it. */
export function parseOpenaiRequest(body: JsonObject): ModelRequest | Refusal {
  const fault = findFault(body)
  if (fault) return fault
  const format = asObject(body.response_format)
  const limit = body.max_completion_tokens ?? body.max_tokens
  return {
    provider: 'openai',
    model: asText(body.model),
    stream: body.stream === true,
    turns: asArray(body.messages).map((message) => toTurn(asObject(message))),
    tools: asArray(body.tools).map((tool) => toTool(asObject(asObject(tool).function))),
    toolChoice: toToolChoice(body.tool_choice),
    textSchema: toTextSchema(format),
    maxTokens: typeof limit === 'number' ? limit : Number.POSITIVE_INFINITY,
    stopSequences: (Array.isArray(body.stop) ? body.stop : [body.stop]).map(asText).filter(Boolean),
    includeUsage: asObject(body.stream_options).include_usage === true,
    body,
  }
}

function toTurn(message: JsonObject): Turn {
  const text = textOf(message.content)
  const role = asText(message.role)
  const toolCalls = asArray(message.tool_calls).map((call) => {
    const { name, arguments: json } = asObject(asObject(call).function)
    return { id: asText(asObject(call).id), name: asText(name), arguments: asText(json) }
  })
  const isResult = role === 'tool' || role === 'function'
  return {
    role: isResult ? 'tool' : role === 'developer' ? 'system' : (role as Turn['role']),
    text: isResult ? '' : text,
    toolCalls,
    toolResults: isResult ? [{ id: asText(message.tool_call_id), text }] : [],
  }
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  return asArray(content)
    .map((part) => asText(asObject(part).text))
    .join('')
}

function toTool({ name, description, parameters }: JsonObject): OfferedTool {
  return { name: asText(name), description: asText(description), schema: asObject(parameters) }
}

function toToolChoice(choice: unknown): string {
  return asText(choice) || asText(asObject(asObject(choice).function).name) || 'auto'
}

function toTextSchema(format: JsonObject): JsonObject | undefined {
  if (format.type === 'json_schema') return asObject(asObject(format.json_schema).schema)
  return format.type === 'json_object' ? {} : undefined
}

function findFault(body: JsonObject): Refusal | undefined {
  if (!asText(body.model)) return refuse('you must provide a model parameter', null)
  return faultInMessages(body) ?? faultInTools(body) ?? faultInOptions(body)
}

function faultInMessages({ messages, model }: JsonObject): Refusal | undefined {
  if (!Array.isArray(messages)) {
    return refuse(
      "Missing required parameter: 'messages'.",
      'messages',
      'missing_required_parameter',
    )
  }
  if (messages.length === 0) {
    const message =
      "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead."
    return refuse(message, 'messages', 'empty_array')
  }
  const objects = messages.map(asObject)
  for (const [i, message] of objects.entries()) {
    const fault = faultInMessage(message, i)
    if (fault) return fault
  }
  // A model that calls tools in its text has no calls on the wire that a result could belong to.
  return asText(model).includes('textcalls') ? undefined : faultInOrder(objects)
}

function faultInMessage({ role, content, tool_calls }: JsonObject, i: number): Refusal | undefined {
  if (!roles.includes(asText(role))) {
    const known = "'system', 'assistant', 'user', 'function', 'tool', and 'developer'"
    const message = `Invalid value: '${role}'. Supported values are: ${known}.`
    return refuse(message, `messages[${i}].role`, 'invalid_value')
  }
  const isText = typeof content === 'string' || Array.isArray(content)
  if (!isText && !(role === 'assistant' && Array.isArray(tool_calls))) {
    const got = content === null || content === undefined ? 'null' : `an ${typeof content}`
    const message = `Invalid value for 'content': expected a string, got ${got}.`
    return refuse(message, `messages.[${i}].content`)
  }
  for (const [j, call] of asArray(tool_calls).entries()) {
    const at = `messages[${i}].tool_calls[${j}].function`
    const { name, arguments: json } = asObject(asObject(call).function)
    if (!toolName.test(asText(name))) return refuseName(`${at}.name`, asText(name))
    if (typeof json !== 'string') {
      const message = `Invalid type for '${at}.arguments': expected a string, but got an object instead.`
      return refuse(message, `${at}.arguments`, 'invalid_type')
    }
  }
  return undefined
}

/** Each call is answered right after it, and nothing is answered that was not called. */
function faultInOrder(messages: JsonObject[]): Refusal | undefined {
  let open: string[] = []
  let known: string[] = []
  for (const [i, { role, tool_calls, tool_call_id }] of messages.entries()) {
    if (role === 'tool') {
      if (!known.includes(asText(tool_call_id))) {
        const rule =
          "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'."
        return refuse(`Invalid parameter: ${rule}`, `messages.[${i}].role`)
      }
      open = open.filter((id) => id !== tool_call_id)
      continue
    }
    if (open.length > 0) return refuseUnanswered(open, i)
    known = asArray(tool_calls).map((call) => asText(asObject(call).id))
    open = known
  }
  return open.length > 0 ? refuseUnanswered(open, messages.length) : undefined
}

function refuseUnanswered(ids: string[], i: number): Refusal {
  const rule =
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'."
  const message = `${rule} The following tool_call_ids did not have response messages: ${ids.join(', ')}`
  return refuse(message, `messages.[${i}].role`)
}

function faultInTools({ tools, tool_choice }: JsonObject): Refusal | undefined {
  if (tools === undefined) {
    const rule = "'tool_choice' is only allowed when 'tools' are specified."
    return tool_choice === undefined
      ? undefined
      : refuse(`Invalid value for 'tool_choice': ${rule}`, 'tool_choice')
  }
  const list = asArray(tools)
  if (list.length === 0) {
    return refuse(
      "Invalid 'tools': empty array. Expected an array with minimum length 1.",
      'tools',
      'empty_array',
    )
  }
  if (list.length > 128) {
    const message = `Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length ${list.length} instead.`
    return refuse(message, 'tools', 'array_above_max_length')
  }
  for (const [i, tool] of list.entries()) {
    const { name, parameters } = asObject(asObject(tool).function)
    if (!toolName.test(asText(name))) return refuseName(`tools[${i}].function.name`, asText(name))
    const type = asObject(parameters).type
    if (parameters !== undefined && type !== 'object') {
      const rule = `schema must be a JSON Schema of 'type: "object"', got 'type: "${type ?? 'None'}"'.`
      const param = `tools[${i}].function.parameters`
      return refuse(
        `Invalid schema for function '${name}': ${rule}`,
        param,
        'invalid_function_parameters',
      )
    }
  }
  const chosen = toToolChoice(tool_choice)
  const offered = list.map((tool) => asObject(asObject(tool).function).name)
  if (['auto', 'none', 'required', ...offered].includes(chosen)) return undefined
  return refuse(`Tool choice '${chosen}' not found in 'tools' parameter.`, 'tool_choice')
}

function faultInOptions({ stream, stream_options, n }: JsonObject): Refusal | undefined {
  if (stream_options !== undefined && stream !== true) {
    const rule = "The 'stream_options' parameter is only allowed when 'stream' is enabled."
    return refuse(rule, 'stream_options')
  }
  return n === undefined || n === 1 ? undefined : refuse('The stand-in gives one choice', 'n')
}

function refuseName(at: string, name: string): Refusal {
  if (name.length > 64) {
    const rule = `Expected a string with maximum length 64, but got a string with length ${name.length} instead.`
    return refuse(`Invalid '${at}': string too long. ${rule}`, at, 'string_above_max_length')
  }
  const rule = "Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'."
  return refuse(`Invalid '${at}': string does not match pattern. ${rule}`, at, 'invalid_value')
}

function refuse(message: string, param: string | null, code?: string): Refusal {
  return { error: 400, message, param, ...(code === undefined ? {} : { code }) }
}
