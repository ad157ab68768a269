import { withCalls } from '../answer/answer-decoder.ts'
import { createCallId, toCallDelta } from '../arguments/to-call-delta.ts'
import type {
  AssistantMessage,
  ModelDelta,
  ModelMessage,
  ModelPort,
  ModelRequest,
} from '../contract.ts'
import { keepPer } from '../message-json.ts'
import { CallFinder } from './call-finder.ts'
import { offersTools, toChoicePrompt, toToolsPrompt } from './dialect-prompt.ts'

export interface TextDialectOptions {
  /**
   * How results go back: as messages of role `tool`, or, where the wire refuses those without a
   * call of its own before them, as a user's message that holds the same as JSON. Default: `tool`,
   * but `user` for Anthropic.
   */
  results?: 'tool' | 'user' | undefined
}

/**
 * A model without tool calls, taught to call tools by its text [B6.1]: `{"tool_call": {"name",
 * "arguments"}}`. To those who ask it, it is a model that calls tools.
 */
export function withTextDialect(model: ModelPort, options: TextDialectOptions = {}): ModelPort {
  const results = options.results ?? (model.name.startsWith('anthropic:') ? 'user' : 'tool')
  const toPrompt = keepPer(toToolsPrompt)
  const translate = keepPer((message: ModelMessage) => toPlain(message, results))

  return { ...model, callsTools: true, stream }

  function stream(request: ModelRequest, signal: AbortSignal | undefined) {
    const messages = request.messages.map(translate)
    const plain = { ...request, messages, tools: [], toolChoice: undefined }
    if (!offersTools(request)) return model.stream(plain, signal)
    const prompt = toPrompt(request.tools) + toChoicePrompt(request.toolChoice)
    const system = request.system === '' ? prompt : `${request.system}\n\n${prompt}`
    return findCalls(model.stream({ ...plain, system }, signal))
  }
}

function toPlain(message: ModelMessage, results: 'tool' | 'user'): ModelMessage {
  if (message.role === 'assistant') return toPlainAnswer(message)
  if (message.role === 'user' || results === 'tool') return message
  const { role, name, content } = message
  return { role: 'user', content: JSON.stringify({ role, name, content }) }
}

function toPlainAnswer(message: AssistantMessage): AssistantMessage {
  const { content, tool_calls } = message
  if (tool_calls.length === 0) return message
  const calls = tool_calls.map(({ name, arguments: args }) => {
    return JSON.stringify({ tool_call: { name, arguments: args } })
  })
  const lines = content === '' ? calls : [content, ...calls]
  return { ...message, content: lines.join('\n'), tool_calls: [] }
}

async function* findCalls(
  stream: AsyncIterable<readonly ModelDelta[]>,
): AsyncGenerator<readonly ModelDelta[]> {
  const reader = createReader()
  for await (const batch of stream) {
    for (const delta of batch) reader.take(delta)
    const found = reader.given()
    if (found.length > 0) yield found
  }
}

/** Takes the deltas of a plain answer and gives those of one with calls. */
function createReader() {
  let out: ModelDelta[] = []
  let calls = 0
  let finder = createFinder()

  return {
    take(delta: ModelDelta): void {
      if (delta.type === 'text') finder.push(delta.text)
      else if (delta.type === 'finish') {
        finder.end({ isCut: delta.reason === 'length' })
        out.push({ type: 'finish', reason: withCalls(delta.reason, calls) })
      } else {
        if (delta.type === 'restart') finder = createFinder()
        out.push(delta)
      }
    },
    given(): ModelDelta[] {
      const given = out
      out = []
      return given
    },
  }

  function createFinder(): CallFinder {
    calls = 0
    return new CallFinder({
      text: (text) => out.push({ type: 'text', text }),
      call({ name, json }) {
        calls += 1
        out.push(toCallDelta({ id: createCallId(), name, json }))
      },
    })
  }
}
