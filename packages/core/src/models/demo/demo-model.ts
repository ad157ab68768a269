import { AppError } from '@dataagent/schema'
import type { FinishReason, ModelDelta, ModelPort, ModelRequest } from '../contract.ts'
import { estimateMessages, estimateTokens } from '../tokens/estimate-tokens.ts'
import type { DemoReply } from './reply.ts'
import { respond } from './respond.ts'

/**
 * The built-in model that needs no key. It works by rules, says so, and uses the tools that a
 * request tells of: those that a message names or is about, with arguments from the message; it
 * asks for what is missing. The same request has the same answer. Fails only by its signal.
 */
export function createDemoModel(): ModelPort {
  return {
    name: 'demo:rules',
    contextWindow: 1_000_000,
    callsTools: true,
    async *stream(request, signal) {
      const reply = respondSafely(request)
      for (const batch of toBatches(reply, request)) {
        if (signal?.aborted) throw new AppError('cancelled', 'The answer was cancelled.')
        yield batch
      }
    },
  }
}

/** A message that the rules stumble over is answered too. */
function respondSafely(request: ModelRequest): DemoReply {
  try {
    return respond(request)
  } catch {
    return {
      text: 'I am the demo model and did not understand this. 我是演示模型，没有看懂。',
      calls: [],
    }
  }
}

/** A few words of at most this many characters are sent at once. */
const piece = /\S{0,16}\s{0,8}|[\s\S]/gu

function* toBatches(reply: DemoReply, request: ModelRequest): Generator<readonly ModelDelta[]> {
  for (const [text] of reply.text.matchAll(piece)) {
    if (text !== '') yield [{ type: 'text', text }]
  }
  const calls = reply.calls.map(({ name, arguments: args }, index): ModelDelta => {
    const id = `demo_${request.messages.length}_${index}`
    return { type: 'tool_call', id, name, arguments: args, raw: JSON.stringify(args) }
  })
  const reason: FinishReason = calls.length > 0 ? 'tool_calls' : 'stop'
  yield [...calls, { type: 'usage', usage: usageOf(reply, request) }, { type: 'finish', reason }]
}

function usageOf({ text, calls }: DemoReply, { system, messages, tools }: ModelRequest) {
  const told = tools.length === 0 ? 0 : tools.length * toolTokens
  return {
    prompt_tokens: estimateTokens(system) + estimateMessages(messages) + told,
    completion_tokens: estimateTokens(text) + estimateTokens(JSON.stringify(calls)),
  }
}

/** About what one tool costs: this model is not charged for. */
const toolTokens = 60
