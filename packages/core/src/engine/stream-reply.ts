import { AppError } from '@dataagent/schema'
import type { ModelCall, ModelReply, RequestedCall } from '../middleware/index.ts'
import type { ModelDelta, ModelRequest, ModelUsage, Reasoning } from '../models/index.ts'

/** Where a reply goes as it comes. */
export interface ReplySink {
  text(content: string): void
  restartText(): void
  /** Called once, when the first of it has come. */
  begun?(): void
}

/** Asks the model once and gives its reply whole; text is told as it comes. Throws as the model. */
export async function streamReply(
  call: ModelCall,
  sink: ReplySink,
  signal: AbortSignal,
): Promise<ModelReply> {
  const reply = createReply(sink)
  let isBegun = false
  for await (const batch of call.model.stream(toRequest(call), signal)) {
    if (!isBegun) sink.begun?.()
    isBegun = true
    for (const delta of batch) reply.take(delta)
    if (signal.aborted) throw new AppError('cancelled', 'The run was cancelled.')
  }
  return reply.toReply()
}

function toRequest(call: ModelCall): ModelRequest {
  const { systemPrompt: system, messages, tools, toolChoice } = call
  const { maxTokens, temperature, extra } = call
  return { system, messages, tools, toolChoice, maxTokens, temperature, extra }
}

function createReply(sink: ReplySink) {
  let content = ''
  let reasoning: Reasoning[] = []
  let calls: RequestedCall[] = []
  let usage: ModelUsage | undefined
  let finish: string | undefined
  let model: string | undefined

  function take(delta: ModelDelta): void {
    switch (delta.type) {
      case 'text':
        content += delta.text
        sink.text(delta.text)
        return
      case 'reasoning':
        reasoning.push(delta.reasoning)
        return
      case 'tool_call': {
        const { id, name, arguments: args, raw } = delta
        calls.push({ id, name, args, raw })
        return
      }
      case 'usage':
        usage = delta.usage
        return
      case 'restart':
        content = ''
        reasoning = []
        calls = []
        sink.restartText()
        return
      case 'model':
        model = delta.name
        return
      case 'finish':
        finish = delta.reason
    }
  }

  function toReply(): ModelReply {
    if (finish === undefined) {
      throw new AppError('upstream_failed', 'The model ended its answer without an end.')
    }
    const thoughts = joinThoughts(reasoning)
    return { content, reasoning: thoughts, calls: withOwnIds(calls), usage, finish, model }
  }

  return { take, toReply }
}

/** Thoughts come in pieces; the seal over them comes last. */
function joinThoughts(pieces: readonly Reasoning[]): Reasoning[] {
  const joined: Reasoning[] = []
  for (const piece of pieces) {
    const last = joined.at(-1)
    const goesOn = last && !last.signature && !last.redacted && !piece.redacted
    if (goesOn) joined.splice(-1, 1, { ...piece, text: last.text + piece.text })
    else joined.push(piece)
  }
  return joined
}

/** What every provider takes back as the id of a call. */
const usableId = /^[!-~]{1,64}$/

/** A call is known by its id: a model that gives one twice, or none of use, gets others. */
function withOwnIds(calls: readonly RequestedCall[]): RequestedCall[] {
  const seen = new Set<string>()
  return calls.map((call) => {
    const isUsable = usableId.test(call.id) && !seen.has(call.id)
    const id = isUsable ? call.id : `call_${crypto.randomUUID()}`
    seen.add(id)
    return id === call.id ? call : { ...call, id }
  })
}
