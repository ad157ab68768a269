import { randomUUID } from 'node:crypto'
import { parseAnthropicRequest } from './anthropic-request.ts'
import type { Answer, ErrorReply } from './reply.ts'
import { countPromptTokens, type ModelRequest } from './request.ts'
import { type Frame, type HttpAnswer, type JsonObject, jsonFragments, type Wire } from './wire.ts'

/** The messages API. */
export const anthropicWire: Wire = {
  apiKey(headers) {
    const key = headers['x-api-key']
    return typeof key === 'string' ? key : headers.authorization?.match(/^Bearer (.+)$/)?.[1]
  },
  parse: parseAnthropicRequest,
  whole(request, answer) {
    const { outputTokens, finish, stopSequence } = answer
    const ending = { stop_reason: stopReasons[finish], stop_sequence: stopSequence ?? null }
    const body = { ...message(request, outputTokens), content: content(answer), ...ending }
    return { status: 200, headers: baseHeaders(), body }
  },
  streamHeaders: () => ({ ...baseHeaders(), 'content-type': 'text/event-stream; charset=utf-8' }),
  frames,
  brokenFrame: () =>
    event({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
  refuse,
  models: (ids) => ({
    data: ids.map((id) => {
      return { type: 'model', id, display_name: id, created_at: '2025-01-01T00:00:00Z' }
    }),
    has_more: false,
    first_id: ids[0] ?? null,
    last_id: ids.at(-1) ?? null,
  }),
}

const stopReasons: Record<Answer['finish'], string> = {
  stop: 'end_turn',
  stop_sequence: 'stop_sequence',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'refusal',
}

function message(request: ModelRequest, outputTokens: number) {
  return {
    id: `msg_${shortId()}`,
    type: 'message',
    role: 'assistant',
    model: request.model,
    content: [] as JsonObject[],
    stop_reason: null as string | null,
    stop_sequence: null as string | null,
    usage: {
      input_tokens: countPromptTokens(request),
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: outputTokens,
    },
  }
}

function content({ tokens, toolCalls }: Answer): JsonObject[] {
  const text = tokens.length === 0 ? [] : [{ type: 'text', text: tokens.join('') }]
  const uses = toolCalls.map(({ id, name, arguments: json }) => {
    return { type: 'tool_use', id: callId(id), name, input: toInput(json) }
  })
  return [...text, ...uses]
}

/** Without a stream the API cannot give arguments that are no JSON; it hands them over wrapped. */
function toInput(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return { INVALID_JSON: json }
  }
}

function* frames(request: ModelRequest, answer: Answer): Generator<Frame> {
  yield other(event({ type: 'message_start', message: message(request, 1) }))
  let index = 0
  if (answer.tokens.length > 0) {
    yield other(start(index, { type: 'text', text: '' }))
    yield other(event({ type: 'ping' }))
    for (const text of answer.tokens) yield delta(index, { type: 'text_delta', text })
    yield stop(index++)
  }
  for (const { id, name, arguments: json } of answer.toolCalls) {
    yield other(start(index, { type: 'tool_use', id: callId(id), name, input: {} }))
    for (const partial_json of ['', ...jsonFragments(json)]) {
      yield delta(index, { type: 'input_json_delta', partial_json })
    }
    yield stop(index++)
  }
  const ending = {
    stop_reason: stopReasons[answer.finish],
    stop_sequence: answer.stopSequence ?? null,
  }
  const usage = { output_tokens: answer.outputTokens }
  yield other(event({ type: 'message_delta', delta: ending, usage }))
  yield other(event({ type: 'message_stop' }))
}

function start(index: number, content_block: JsonObject): string {
  return event({ type: 'content_block_start', index, content_block })
}

function delta(index: number, change: JsonObject): Frame {
  return { text: event({ type: 'content_block_delta', index, delta: change }), isToken: true }
}

function stop(index: number): Frame {
  return other(event({ type: 'content_block_stop', index }))
}

function other(text: string): Frame {
  return { text, isToken: false }
}

function event(data: JsonObject & { type: string }): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`
}

function callId(id: string): string {
  return /^[0-9a-f]{24}$/.test(id) ? `toolu_${id}` : id
}

function shortId(): string {
  return randomUUID().replaceAll('-', '').slice(0, 24)
}

function baseHeaders(): Record<string, string> {
  return {
    'content-type': 'application/json',
    'request-id': `req_${shortId()}`,
    'anthropic-organization-id': '00000000-0000-4000-8000-000000000000',
  }
}

const usualErrors: Record<number, [type: string, message: string]> = {
  400: ['invalid_request_error', 'The request is not valid.'],
  401: ['authentication_error', 'invalid x-api-key'],
  403: ['permission_error', 'Your API key does not have permission to use this resource.'],
  404: ['not_found_error', 'Not found'],
  413: ['request_too_large', 'Request exceeds the maximum size'],
  429: ['rate_limit_error', 'Number of requests has exceeded your rate limit.'],
  500: ['api_error', 'Internal server error'],
  504: ['timeout_error', 'The request timed out.'],
  529: ['overloaded_error', 'Overloaded'],
}

function refuse({ error, message, retryAfter }: ErrorReply): HttpAnswer {
  const [type, usual] =
    usualErrors[error] ?? (error < 500 ? usualErrors[400] : usualErrors[500]) ?? []
  const headers = baseHeaders()
  return {
    status: error,
    headers: {
      ...headers,
      'x-should-retry': String(error === 429 || error >= 500),
      ...([429, 503, 529].includes(error) && { 'retry-after': String(retryAfter ?? 1) }),
      ...(error === 429 && { 'anthropic-ratelimit-requests-remaining': '0' }),
    },
    body: {
      type: 'error',
      error: { type, message: message ?? usual },
      request_id: headers['request-id'],
    },
  }
}
