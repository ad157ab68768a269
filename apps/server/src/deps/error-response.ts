import { AppError, errorTable, isAppError, toErrorResponse } from '@dataagent/schema'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { notJson } from './json-body.ts'

/**
 * The answer to a request that failed, whatever was thrown; what is not meant for the caller is
 * logged and left out.
 */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const known = toAppError(error)
  const { status, body } = toErrorResponse(known, request.id)
  if (status >= 500) logFailure(request, known, error)
  if (status === 401) reply.header('www-authenticate', 'ApiKey realm="DataAgent"')
  const isPassing = status === 503 || status === 429 || known.data?.retryAfterMs !== undefined
  if (isPassing) reply.header('retry-after', retryAfter(known))
  return reply.code(status).type('application/json; charset=utf-8').send(body)
}

/** What may succeed later is no fault of ours: one line, without the stack. */
function logFailure(request: FastifyRequest, known: AppError, error: unknown) {
  const { code, message } = known
  if (!errorTable[code].retryable) return request.log.error({ error }, 'request failed')
  request.log.warn({ error_code: code, reason: message }, 'request failed')
}

function toAppError(error: unknown): AppError {
  if (isAppError(error)) return error
  const { code, statusCode = 500, message } = (error ?? {}) as Partial<FastifyError>
  // What is no media type at all never comes to our reader of bodies.
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return notJson()
  if (statusCode < 500)
    return new AppError('invalid_request', message ?? 'The request is not valid.', { cause: error })
  return new AppError('internal', 'not an expected error', { cause: error })
}

function retryAfter(error: AppError): string {
  const ms = error.data?.retryAfterMs
  return String(typeof ms === 'number' ? Math.max(1, Math.ceil(ms / 1000)) : 1)
}
