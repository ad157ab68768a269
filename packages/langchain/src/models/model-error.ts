import { codeOfProviderError, type ProviderFault } from '@dataagent/core'
import { AppError, type ErrorCode, isAppError } from '@dataagent/schema'

const shownMessage = 500

/**
 * What a chat model throws, as `ModelPort` promises it; undefined for what is not known. Read by
 * status and code: each provider has classes of its own.
 */
export function toModelError(error: unknown, name = 'The model'): AppError | undefined {
  const links = chainOf(error)
  const known = links.find((link) => isAppError(link))
  if (isAppError(known)) return known
  const code = links.map(codeOf).find((found) => found !== undefined)
  if (code === undefined) return undefined
  return new AppError(code, `${name}: ${wordsOf(error)}`, { cause: error, data: { model: name } })
}

/** The same for a call that must end with an error. */
export function toCallError(
  error: unknown,
  { name, signal }: { name: string; signal: AbortSignal | undefined },
): AppError {
  if (signal?.aborted) return new AppError('cancelled', `${name} was cancelled.`, { cause: error })
  const unknown = { cause: error, data: { model: name } }
  return (
    toModelError(error, name) ??
    new AppError('upstream_failed', `${name}: ${wordsOf(error)}`, unknown)
  )
}

function wordsOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, shownMessage)
}

type Fields = Readonly<Record<string, unknown>>

/** The error and what has caused it, the outermost first. */
function chainOf(error: unknown): Fields[] {
  const links: Fields[] = []
  for (let link = error; typeof link === 'object' && link !== null && links.length < 8; ) {
    links.push(link as Fields)
    link = (link as Fields).cause
  }
  return links
}

const timeouts: ReadonlySet<unknown> = new Set([
  ...['ETIMEDOUT', 'ESOCKETTIMEDOUT', 'TimeoutError', 'APIConnectionTimeoutError'],
  ...['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'],
])

const away: ReadonlySet<unknown> = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND'],
  ...['EAI_AGAIN', 'UND_ERR_SOCKET', 'APIConnectionError'],
])

function codeOf(link: Fields): ErrorCode | undefined {
  if (link.name === 'ContextOverflowError') return 'too_large'
  const told = toFault(link)
  if (told.status !== undefined) return codeOfProviderError(told)
  const marks = [link.code, link.name, (link.constructor as { name?: string }).name]
  if (marks.some((mark) => timeouts.has(mark))) return 'timeout'
  return (
    codeOfProviderError(told) ?? (marks.some((mark) => away.has(mark)) ? 'unavailable' : undefined)
  )
}

/** Clients keep the provider's body as `error`, and that may have its own `error` within. */
function toFault(link: Fields): ProviderFault {
  const body = toFields(link.error)
  const places = [link, body, toFields(body.error)]
  const statuses = [link.status, link.statusCode, toFields(link.response).status, link.code]
  return {
    status: statuses.map(Number).find((status) => status >= 400 && status < 600),
    words: places
      .flatMap(({ code, type }) => [code, type])
      .filter((word) => typeof word === 'string'),
    message: places.map(({ message }) => (typeof message === 'string' ? message : '')).join(' '),
  }
}

function toFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}
