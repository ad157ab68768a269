import { randomUUID } from 'node:crypto'
import { parseOpenaiRequest } from './openai-request.ts'
import type { Answer, ErrorReply } from './reply.ts'
import { countPromptTokens, type ModelRequest } from './request.ts'
import { type Frame, type HttpAnswer, type JsonObject, jsonFragments, type Wire } from './wire.ts'

/** The chat-completions API. */
export const openaiWire: Wire = {
  apiKey: (headers) => headers.authorization?.match(/^Bearer (.+)$/)?.[1],
  parse: parseOpenaiRequest,
  whole: (request, answer) => ({
    status: 200,
    headers: baseHeaders(),
    body: completion(request, answer),
  }),
  streamHeaders: () => ({ ...baseHeaders(), 'content-type': 'text/event-stream; charset=utf-8' }),
  frames,
  brokenFrame() {
    const message = 'The server had an error while processing your request. Sorry about that!'
    return event({ error: { message, type: 'server_error', param: null, code: null } })
  },
  refuse,
  models: (ids) => ({
    object: 'list',
    data: ids.map((id) => ({ id, object: 'model', created: 1_700_000_000, owned_by: 'stand-in' })),
  }),
}

const shared = { service_tier: 'default', system_fingerprint: 'fp_standin' }

const finishReasons: Record<Answer['finish'], string> = {
  stop: 'stop',
  stop_sequence: 'stop',
  length: 'length',
  tool_calls: 'tool_calls',
  content_filter: 'content_filter',
}

function completion(request: ModelRequest, answer: Answer): JsonObject {
  const text = answer.tokens.join('')
  const calls = answer.toolCalls.map(({ id, name, arguments: json }) => ({
    id: callId(id),
    type: 'function',
    function: { name, arguments: json },
  }))
  const message = {
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    ...(calls.length > 0 && { tool_calls: calls }),
    refusal: null,
    annotations: [],
  }
  const choice = { index: 0, message, logprobs: null, finish_reason: finishReasons[answer.finish] }
  return {
    ...head('chat.completion', request),
    choices: [choice],
    usage: usage(request, answer),
    ...shared,
  }
}

function head(object: string, { model }: ModelRequest) {
  const id = `chatcmpl-${randomUUID().replaceAll('-', '')}`
  return { id, object, created: Math.floor(Date.now() / 1000), model }
}

function usage(request: ModelRequest, { outputTokens }: Answer): JsonObject {
  const input = countPromptTokens(request)
  return {
    prompt_tokens: input,
    completion_tokens: outputTokens,
    total_tokens: input + outputTokens,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: 0,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  }
}

/** The chunks of a stream differ in their delta alone: what is around it is written once. */
function* frames(request: ModelRequest, answer: Answer): Generator<Frame> {
  const base = { ...head('chat.completion.chunk', request), ...shared }
  const before = `data: ${JSON.stringify(base).slice(0, -1)},"choices":[{"index":0,"delta":`
  const after = (finish: string) =>
    `,"logprobs":null,"finish_reason":${finish}}]${request.includeUsage ? ',"usage":null' : ''}}\n\n`
  const going = after('null')
  const chunk = (delta: JsonObject) => `${before}${JSON.stringify(delta)}${going}`

  const content = answer.tokens.length > 0 || answer.toolCalls.length === 0 ? '' : null
  yield other(chunk({ role: 'assistant', content, refusal: null }))
  for (const token of answer.tokens) {
    yield { text: `${before}{"content":${JSON.stringify(token)}}${going}`, isToken: true }
  }
  for (const [index, { id, name, arguments: json }] of answer.toolCalls.entries()) {
    const opening = { index, id: callId(id), type: 'function', function: { name, arguments: '' } }
    yield { text: chunk({ tool_calls: [opening] }), isToken: true }
    for (const piece of jsonFragments(json)) {
      const delta = { tool_calls: [{ index, function: { arguments: piece } }] }
      yield { text: chunk(delta), isToken: true }
    }
  }
  yield other(`${before}{}${after(JSON.stringify(finishReasons[answer.finish]))}`)
  if (request.includeUsage) {
    yield other(event({ ...base, choices: [], usage: usage(request, answer) }))
  }
  yield other('data: [DONE]\n\n')
}

function other(text: string): Frame {
  return { text, isToken: false }
}

function event(data: JsonObject): string {
  return `data: ${JSON.stringify(data)}\n\n`
}

function callId(id: string): string {
  return /^[0-9a-f]{24}$/.test(id) ? `call_${id}` : id
}

function baseHeaders(): Record<string, string> {
  return {
    'content-type': 'application/json',
    'openai-version': '2020-10-01',
    'openai-processing-ms': '1',
    'x-request-id': `req_${randomUUID().replaceAll('-', '')}`,
  }
}

interface Usual {
  type: string
  code: string | null
  message: string
}

function refuse(refusal: ErrorReply & { param?: string | null }): HttpAnswer {
  const usual = usualError(refusal)
  const waits = [429, 503, 529].includes(refusal.error)
  const seconds = refusal.retryAfter ?? 1
  return {
    status: refusal.error,
    headers: {
      ...baseHeaders(),
      ...(waits && { 'retry-after': String(seconds), 'retry-after-ms': String(seconds * 1000) }),
      ...(refusal.error === 429 && { 'x-ratelimit-remaining-requests': '0' }),
    },
    body: {
      error: {
        message: refusal.message ?? usual.message,
        type: usual.type,
        param: refusal.param ?? null,
        code: refusal.code ?? usual.code,
      },
    },
  }
}

function usualError({ error, code }: ErrorReply): Usual {
  if (code === 'insufficient_quota') {
    const message = 'You exceeded your current quota, please check your plan and billing details.'
    return { type: 'insufficient_quota', code, message }
  }
  const table: Record<number, Usual> = {
    401: {
      type: 'invalid_request_error',
      code: 'invalid_api_key',
      message: 'Incorrect API key provided.',
    },
    403: { type: 'invalid_request_error', code: null, message: 'You are not allowed to do that.' },
    404: {
      type: 'invalid_request_error',
      code: 'model_not_found',
      message: 'The model does not exist or you do not have access to it.',
    },
    429: {
      type: 'requests',
      code: 'rate_limit_exceeded',
      message: 'Rate limit reached for requests. Please try again in 1s.',
    },
    503: {
      type: 'server_error',
      code: null,
      message: 'The engine is currently overloaded, please try again later.',
    },
  }
  const message = 'The server had an error while processing your request. Sorry about that!'
  const fallback =
    error < 500
      ? { type: 'invalid_request_error', code: null, message: 'The request is not valid.' }
      : { type: 'server_error', code: null, message }
  return table[error] ?? fallback
}
