import type { IncomingHttpHeaders } from 'node:http'
import type { ModelRequest, Turn } from './request.ts'
import { asArray, asObject, asText, type JsonObject, type Refusal, toolName } from './wire.ts'

/** Reads a messages body as the API does, or says what the API would say against it. */
export function parseAnthropicRequest(
  body: JsonObject,
  headers: IncomingHttpHeaders,
): ModelRequest | Refusal {
  const fault = findFault(body, headers)
  if (fault) return fault
  const system = textOf(body.system)
  const messages = mergeMessages(asArray(body.messages).map(asObject)).map(toTurn)
  return {
    provider: 'anthropic',
    model: asText(body.model),
    stream: body.stream === true,
    turns: system === '' ? messages : [toTurn({ role: 'system', content: system }), ...messages],
    tools: asArray(body.tools).map((tool) => {
      const { name, description, input_schema } = asObject(tool)
      return {
        name: asText(name),
        description: asText(description),
        schema: asObject(input_schema),
      }
    }),
    toolChoice: toToolChoice(asObject(body.tool_choice)),
    textSchema: undefined,
    maxTokens: Number(body.max_tokens),
    stopSequences: asArray(body.stop_sequences).map(asText).filter(Boolean),
    includeUsage: true,
    body,
  }
}

function toTurn({ role, content }: JsonObject): Turn {
  const blocks = blocksOf(content)
  const ofType = (type: string) => blocks.filter((block) => block.type === type)
  return {
    role: asText(role) as Turn['role'],
    text: textOf(content),
    toolCalls: ofType('tool_use').map(({ id, name, input }) => {
      return { id: asText(id), name: asText(name), arguments: JSON.stringify(input) }
    }),
    toolResults: ofType('tool_result').map((block) => {
      return { id: asText(block.tool_use_id), text: textOf(block.content) }
    }),
  }
}

function blocksOf(content: unknown): JsonObject[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return asArray(content).map(asObject)
}

function textOf(content: unknown): string {
  return blocksOf(content)
    .map((block) => asText(block.text))
    .join('')
}

/** The API reads messages of one role in a row as one. */
function mergeMessages(messages: JsonObject[]): JsonObject[] {
  const merged: { role: unknown; content: JsonObject[] }[] = []
  for (const { role, content } of messages) {
    const last = merged.at(-1)
    if (last?.role === role) last?.content.push(...blocksOf(content))
    else merged.push({ role, content: blocksOf(content) })
  }
  return merged
}

function toToolChoice({ type, name }: JsonObject): string {
  if (type === 'tool') return asText(name)
  return type === 'any' ? 'required' : asText(type) || 'auto'
}

function findFault(body: JsonObject, headers: IncomingHttpHeaders): Refusal | undefined {
  if (!headers['anthropic-version']) return refuse('anthropic-version: header is required')
  for (const field of ['model', 'max_tokens', 'messages']) {
    if (body[field] === undefined) return refuse(`${field}: Field required`)
  }
  const limit = body.max_tokens
  if (typeof limit !== 'number') return refuse('max_tokens: Input should be a valid integer')
  if (limit < 1) return refuse('max_tokens: must be greater than or equal to 1')
  return faultInMessages(body.messages) ?? faultInTools(body)
}

function faultInMessages(value: unknown): Refusal | undefined {
  if (!Array.isArray(value)) return refuse('messages: Input should be a valid list')
  if (value.length === 0) return refuse('messages: at least one message is required')
  const messages = value.map(asObject)
  for (const [i, message] of messages.entries()) {
    const fault = faultInMessage(message, i)
    if (fault) return fault
  }
  if (messages[0]?.role !== 'user') {
    return refuse('messages: first message must use the "user" role')
  }
  return faultInOrder(mergeMessages(messages))
}

function faultInMessage({ role, content }: JsonObject, i: number): Refusal | undefined {
  if (role === 'system') {
    const rule =
      'The Messages API accepts a top-level `system` parameter, not "system" as an input message role.'
    return refuse(`messages: Unexpected role "system". ${rule}`)
  }
  if (role !== 'user' && role !== 'assistant') {
    return refuse(`messages.${i}.role: Input should be 'user' or 'assistant'`)
  }
  if (typeof content !== 'string' && !Array.isArray(content)) {
    return refuse(`messages.${i}.content: Input should be a valid list`)
  }
  const blocks = blocksOf(content)
  if (blocks.length === 0 || content === '') {
    const rule =
      'all messages must have non-empty content except for the optional final assistant message'
    return refuse(`messages.${i}: ${rule}`)
  }
  return faultInBlocks(blocks, i)
}

function faultInBlocks(blocks: JsonObject[], i: number): Refusal | undefined {
  for (const [j, block] of blocks.entries()) {
    if (block.type === 'text' && block.text === '') {
      return refuse('messages: text content blocks must be non-empty')
    }
    if (block.type !== 'tool_use') continue
    const at = `messages.${i}.content.${j}.tool_use`
    if (asObject(block.input) !== block.input) {
      return refuse(`${at}.input: Input should be a valid dictionary`)
    }
    if (!toolName.test(asText(block.name))) return refuseName(`${at}.name`)
  }
  return undefined
}

/** Results stand first in the message right after their calls, and only there. */
function faultInOrder(messages: JsonObject[]): Refusal | undefined {
  let called: string[] = []
  for (const [i, { role, content }] of messages.entries()) {
    const blocks = blocksOf(content)
    const leading = blocks.findIndex(({ type }) => type !== 'tool_result')
    const results = role === 'user' ? blocks.slice(0, leading === -1 ? undefined : leading) : []
    const answered = results.map((block) => asText(block.tool_use_id))
    const missing = called.filter((id) => !answered.includes(id))
    if (missing.length > 0) return refuseUnanswered(missing, i - 1)
    const foreign = answered.findIndex((id) => !called.includes(id))
    if (foreign !== -1) {
      const rule =
        'Each `tool_result` block must have a corresponding `tool_use` block in the previous message.'
      const found = `unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${answered[foreign]}`
      return refuse(`messages.${i}.content.${foreign}: ${found}. ${rule}`)
    }
    called = blocks.filter(({ type }) => type === 'tool_use').map(({ id }) => asText(id))
  }
  return called.length > 0 ? refuseUnanswered(called, messages.length - 1) : undefined
}

function refuseUnanswered(ids: string[], i: number): Refusal {
  const found = `\`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids.join(', ')}`
  const rule =
    'Each `tool_use` block must have a corresponding `tool_result` block in the next message.'
  return refuse(`messages.${i}: ${found}. ${rule}`)
}

function faultInTools({ tools, tool_choice }: JsonObject): Refusal | undefined {
  const list = asArray(tools).map(asObject)
  for (const [i, { name, input_schema }] of list.entries()) {
    const at = `tools.${i}.custom`
    if (!toolName.test(asText(name))) return refuseName(`${at}.name`)
    if (input_schema === undefined) return refuse(`${at}.input_schema: Field required`)
    if (asObject(input_schema).type !== 'object') {
      return refuse(`${at}.input_schema.type: Input should be 'object'`)
    }
  }
  const names = list.map(({ name }) => name)
  if (new Set(names).size < names.length) return refuse('tools: Tool names must be unique.')
  const choice = toToolChoice(asObject(tool_choice))
  if (tool_choice !== undefined && list.length === 0 && choice !== 'none') {
    return refuse('tool_choice: tool_choice may only be specified while providing tools')
  }
  if (['auto', 'none', 'required', ...names].includes(choice)) return undefined
  return refuse(`tool_choice: Tool '${choice}' not found in provided tools`)
}

function refuseName(at: string): Refusal {
  return refuse(`${at}: String should match pattern '^[a-zA-Z0-9_-]{1,64}$'`)
}

function refuse(message: string): Refusal {
  return { error: 400, message }
}
