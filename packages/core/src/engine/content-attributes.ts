import type { Masker } from '@dataagent/guard'
import type { Attributes } from '@dataagent/hub'
import type { ModelCall, ModelReply } from '../middleware/index.ts'
import type { ModelMessage } from '../models/index.ts'

/** Below the length at which texts of spans are cut: JSON that is cut in two is of no use. */
const roomFor = 30_000
/** What one text may take of it. */
const textMax = 8_000

type Asked = Pick<ModelCall, 'systemPrompt' | 'messages'>
type Part = Readonly<Record<string, unknown>>

/** What a model was asked, in OpenTelemetry's form: masked, the newest messages that fit. */
export function toInputAttributes(masker: Masker, call: Asked): Attributes {
  const { systemPrompt, messages } = call
  return {
    'gen_ai.system_instructions': JSON.stringify([toText(masker, systemPrompt)]),
    'gen_ai.input.messages': toNewest(messages.map((message) => toInput(masker, message))),
  }
}

/** What it answered. */
export function toOutputAttributes(masker: Masker, reply: ModelReply): Attributes {
  const calls = reply.calls.map(({ id, name, args }) => toCall(masker, { id, name, args }))
  const parts = [...(reply.content === '' ? [] : [toText(masker, reply.content)]), ...calls]
  const message = { role: 'assistant', parts, finish_reason: reply.finish }
  return { 'gen_ai.output.messages': toNewest([message]) }
}

function toInput(masker: Masker, message: ModelMessage) {
  const { role, content } = message
  if (role === 'tool') {
    const response = { type: 'tool_call_response', id: message.tool_call_id }
    return { role, parts: [{ ...response, response: cut(masker.maskText(content)) }] }
  }
  const calls = role === 'assistant' ? message.tool_calls : []
  const asked = calls.map(({ id, name, arguments: args }) => toCall(masker, { id, name, args }))
  return { role, parts: [...(content === '' ? [] : [toText(masker, content)]), ...asked] }
}

function toText(masker: Masker, text: string): Part {
  return { type: 'text', content: cut(masker.maskText(text)) }
}

function toCall(masker: Masker, { id, name, args }: { id: string; name: string; args: unknown }) {
  const masked = masker.mask(args ?? {})
  const isShort = JSON.stringify(masked).length <= textMax
  return { type: 'tool_call', id, name, arguments: isShort ? masked : '[cut]' }
}

/** The last of them as JSON, as many as there is room for. */
function toNewest(messages: readonly object[]): string {
  const kept: string[] = []
  let left = roomFor
  for (const message of messages.toReversed()) {
    const json = JSON.stringify(message)
    left -= json.length
    if (left < 0) break
    kept.unshift(json)
  }
  return `[${kept.join(',')}]`
}

function cut(text: string): string {
  return text.length > textMax ? `${text.slice(0, textMax)}[cut]` : text
}
