import type { FinishReason, ModelDelta, ModelUsage, Reasoning, ToolCallDelta } from './contract.ts'

/** An answer, whole. */
export interface ModelAnswer {
  text: string
  /** In pieces, as they came. */
  reasoning: Reasoning[]
  calls: ToolCallDelta[]
  usage: ModelUsage | undefined
  finish: FinishReason | undefined
  /** Where another model than the one that was asked gave it. */
  model: string | undefined
}

/** Reads a stream to its end, for those who do not want it in pieces. Throws as the stream. */
export async function readAnswer(
  stream: AsyncIterable<readonly ModelDelta[]>,
): Promise<ModelAnswer> {
  let answer = createAnswer()
  for await (const batch of stream) {
    for (const delta of batch) {
      if (delta.type === 'restart') answer = { ...createAnswer(), model: answer.model }
      else addTo(answer, delta)
    }
  }
  return answer
}

function createAnswer(): ModelAnswer {
  return {
    text: '',
    reasoning: [],
    calls: [],
    usage: undefined,
    finish: undefined,
    model: undefined,
  }
}

function addTo(answer: ModelAnswer, delta: Exclude<ModelDelta, { type: 'restart' }>): void {
  if (delta.type === 'text') answer.text += delta.text
  else if (delta.type === 'reasoning') answer.reasoning.push(delta.reasoning)
  else if (delta.type === 'tool_call') answer.calls.push(delta)
  else if (delta.type === 'usage') answer.usage = delta.usage
  else if (delta.type === 'model') answer.model = delta.name
  else answer.finish = delta.reason
}
