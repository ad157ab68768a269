import type { ErrorReply } from './reply.ts'
import { countPromptTokens, type RecordedRequest } from './request.ts'
import type { Refusal } from './wire.ts'

export function refuseKey(key: string | undefined): Refusal | undefined {
  if (key === undefined) return { error: 401, message: 'No API key provided.' }
  if (!key.includes('invalid')) return undefined
  return { error: 401, message: `Incorrect API key provided: ${key.slice(0, 3)}***.` }
}

export function unknownUrl(method: string | undefined, path: string): Refusal {
  return { error: 404, message: `Invalid URL (${method} ${path})`, code: 'unknown_url' }
}

export function unknownModel(model: string): Refusal {
  const message = `The model '${model}' does not exist: one of its knobs is unknown to the stand-in.`
  return { error: 404, message, code: 'model_not_found' }
}

/** What the model's name asks to be refused: each n-th request, or one that is too long. */
export function refuseByKnobs(request: RecordedRequest): Refusal | ErrorReply | undefined {
  const { err, every, ctx } = request.knobs
  if (err !== undefined && request.number % every === 0) return { error: err }
  const tokens = ctx === Number.POSITIVE_INFINITY ? 0 : countPromptTokens(request)
  if (tokens <= ctx) return undefined
  const message =
    request.provider === 'openai'
      ? `This model's maximum context length is ${ctx} tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`
      : `prompt is too long: ${tokens} tokens > ${ctx} maximum`
  return { error: 400, code: 'context_length_exceeded', message, param: 'messages' }
}
