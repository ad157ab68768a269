import type { Clock, Masker } from '@dataagent/guard'
import { AppError, type ErrorCode, isAppError } from '@dataagent/schema'
import { type JsonRecord, toRecord } from './answer-decoder.ts'
import { readRetryAfter } from './retry-after.ts'

/** Who answered, for messages, and what of it must not be shown. */
export interface Answerer {
  /** `provider:model` */
  name: string
  masker: Masker
  clock: Clock
}

const shownMessage = 500

/** What a status means where the body does not say more. */
const byStatus: Readonly<Record<number, ErrorCode>> = {
  401: 'unauthenticated',
  402: 'forbidden',
  403: 'forbidden',
  407: 'forbidden',
  408: 'timeout',
  409: 'unavailable',
  413: 'too_large',
  425: 'unavailable',
  429: 'rate_limited',
  503: 'unavailable',
  504: 'timeout',
  524: 'timeout',
  529: 'unavailable',
}

/** What providers' own words for an error mean, by `type` or `code`. */
const byWord: Readonly<Record<string, ErrorCode>> = {
  context_length_exceeded: 'too_large',
  request_too_large: 'too_large',
  string_above_max_length: 'too_large',
  insufficient_quota: 'forbidden',
  billing_error: 'forbidden',
  permission_error: 'forbidden',
  authentication_error: 'unauthenticated',
  invalid_api_key: 'unauthenticated',
  rate_limit_error: 'rate_limited',
  rate_limit_exceeded: 'rate_limited',
  overloaded_error: 'unavailable',
  timeout_error: 'timeout',
  api_error: 'upstream_failed',
  server_error: 'upstream_failed',
  model_not_found: 'invalid_request',
  not_found_error: 'invalid_request',
  invalid_request_error: 'invalid_request',
}

/** What providers without a code of their own say when a prompt does not fit. */
const tooLong = new RegExp(
  [
    'context (length|window|size)',
    'maximum (context|prompt)',
    'prompt is too long',
    'too many (input )?tokens',
    'reduce the length',
  ].join('|'),
  'i',
)

/** The error of an answer with a status that is none of success. `body` is how it begins. */
export function toHttpError(
  answerer: Answerer,
  { status, headers, body }: { status: number; headers: JsonRecord; body: string },
): AppError {
  const told = readTold(parseBody(body))
  const code = codeOfStatus(status, told)
  const wait = readRetryAfter(headers, answerer.clock)
  const said = told.message === '' ? '' : `: ${mask(answerer, told.message)}`
  return new AppError(code, `${answerer.name} answered with status ${status}${said}`, {
    data: {
      model: answerer.name,
      status,
      ...(told.word !== '' && { reason: mask(answerer, told.word) }),
      ...(wait !== undefined && { retry_after_ms: wait }),
      ...(body !== '' && { body: answerer.masker.maskText(body) }),
    },
  })
}

/** The error that a provider tells inside an answer: the value of its field `error`. */
export function toToldError(answerer: Answerer, error: unknown): AppError {
  const told = readTold({ error })
  const code = codeOfProviderError(told)
  const said = told.message === '' ? 'no reason given' : mask(answerer, told.message)
  return new AppError(code ?? 'upstream_failed', `${answerer.name} broke off: ${said}`, {
    data: { model: answerer.name, ...(told.word !== '' && { reason: mask(answerer, told.word) }) },
  })
}

/** The error of an answer that ends without its end. */
export function brokenOff({ name }: Answerer): AppError {
  const message = `${name} ended in the middle of its answer.`
  return new AppError('upstream_failed', message, { data: { model: name } })
}

const passed: ReadonlySet<ErrorCode> = new Set([
  'cancelled',
  'rate_limited',
  'timeout',
  'unavailable',
  'upstream_failed',
  'unauthenticated',
  'forbidden',
  'invalid_request',
])

/** What sending or reading failed with, as the port promises it. */
export function toModelError(answerer: Answerer, error: unknown): AppError {
  const data = { model: answerer.name }
  if (!isAppError(error)) {
    return new AppError('upstream_failed', `${answerer.name} could not be read.`, { data })
  }
  if (error.data?.model === answerer.name) return error
  const message = `${answerer.name}: ${mask(answerer, error.message)}`
  // A parser's own error repeats what it could not read.
  const cause = error.code === 'parse_error' ? undefined : error
  return new AppError(toPassed(error.code), message, { data, cause })
}

function toPassed(code: ErrorCode): ErrorCode {
  if (code === 'egress_denied') return 'forbidden'
  return passed.has(code) ? code : 'upstream_failed'
}

interface Told {
  message: string
  /** The provider's own code, or type. */
  word: string
  words: readonly string[]
  /** Some put a status into an error inside of a stream. */
  status: number | undefined
}

function readTold(body: JsonRecord): Told {
  const error = body.error ?? body
  if (typeof error === 'string') {
    return { message: error, word: '', words: [], status: undefined }
  }
  const { message, detail, code, type, status } = toRecord(error)
  const words = [code, type].filter((word) => typeof word === 'string')
  const numbers = [code, status].map(Number).filter((number) => number >= 400 && number < 600)
  return {
    message: [message, detail, body.message].find((text) => typeof text === 'string') ?? '',
    word: words[0] ?? '',
    words,
    status: numbers[0],
  }
}

function parseBody(body: string): JsonRecord {
  try {
    const value: unknown = JSON.parse(body)
    return toRecord(Array.isArray(value) ? value[0] : value)
  } catch {
    return {}
  }
}

/** What an error of a provider means, by its status, its own words and its message. */
export function codeOfProviderError(told: ProviderFault): ErrorCode | undefined {
  const { status } = told
  return status === undefined ? codeOfWords(told) : codeOfStatus(status, told)
}

export type ProviderFault = Pick<Told, 'status' | 'words' | 'message'>

function codeOfStatus(status: number, told: ProviderFault): ErrorCode {
  if (told.words.includes('insufficient_quota')) return 'forbidden'
  if (status === 400 || status === 422) return codeOfWords(told) ?? 'invalid_request'
  const known = byStatus[status]
  if (known !== undefined) return known
  return status < 500 ? 'invalid_request' : 'upstream_failed'
}

function codeOfWords({ words, message }: ProviderFault): ErrorCode | undefined {
  const known = words.map((word) => byWord[word]).find((code) => code !== undefined)
  const isOpen = known === undefined || known === 'invalid_request'
  return isOpen && tooLong.test(message) ? 'too_large' : known
}

function mask({ masker }: Answerer, text: string): string {
  return masker.maskText(text).slice(0, shownMessage)
}
