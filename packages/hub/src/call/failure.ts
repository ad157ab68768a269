import { isMcpError, type McpError } from '@dataagent/mcp'
import { type AppError, type FieldError, isAppError } from '@dataagent/schema'
import type { ToolFault } from '../outcome.ts'
import { cancelled, refuse } from './fault.ts'
import type { Admitted, Ending } from './underway.ts'

/** What a failed execution means for the caller. Rethrows what is not expected. */
export function toEnding(admitted: Admitted, error: unknown, idempotent: boolean): Ending {
  if (isMcpError(error)) return fromMcpError(admitted, error, idempotent)
  if (!isAppError(error)) throw error
  return misfit(admitted, error) ?? fromAppError(admitted, error)
}

function fromAppError(admitted: Admitted, { code, message }: AppError): Ending {
  const advice = code === 'invalid_request' ? 'fix_arguments' : 'degrade'
  return refuse(admitted, 'failed', { code, message, advice })
}

/** A tool of our own judges more of its values than its schema can say. */
function misfit(admitted: Admitted, { code, message, data }: AppError): Ending | undefined {
  if (code !== 'invalid_arguments' && code !== 'invalid_result') return undefined
  const isInput = code === 'invalid_arguments'
  admitted.record[isInput ? 'input_validation' : 'output_validation'] = 'invalid'
  const errors = Array.isArray(data?.errors) ? { errors: data.errors as FieldError[] } : {}
  const advice = isInput ? 'fix_arguments' : 'degrade'
  return refuse(admitted, 'invalid', { code, message, advice, ...errors })
}

function fromMcpError(admitted: Admitted, error: McpError, idempotent: boolean): Ending {
  const { attempts, retry_after_ms } = error.data ?? {}
  if (typeof attempts === 'number') admitted.record.attempts = attempts
  if (error.kind === 'cancelled') return cancelled(admitted)
  if (error.code === 'quota_exceeded') return tooMany(admitted, error)
  if (error.kind === 'timeout') return timedOut(admitted, error, idempotent)
  if (isAway(error)) return unavailable(admitted, error, retry_after_ms)
  if (isUnknown(error) && !idempotent) return unknownOutcome(admitted, error)
  return refuse(admitted, 'failed', {
    code: error.code,
    message: `The tool's server failed: ${error.message}`,
    advice: error.retryable && idempotent ? 'retry' : 'degrade',
    ...(error.rpc && { rpc: error.rpc }),
  })
}

function timedOut(admitted: Admitted, error: McpError, idempotent: boolean): Ending {
  const again = idempotent || !error.mayHaveRun
  const hint = again
    ? 'It can be tried again.'
    : 'It may have run all the same: do not repeat it without looking. Go on without it.'
  return refuse(admitted, 'timeout', {
    code: 'timeout',
    message: `The tool did not answer in time. ${hint}`,
    advice: again ? 'retry' : 'degrade',
  })
}

/** A limit of connections or of calls under way: nothing was sent. */
function tooMany(admitted: Admitted, error: McpError): Ending {
  return refuse(admitted, 'limited', {
    code: 'quota_exceeded',
    message: error.message,
    advice: 'retry',
  })
}

const credentialRefusals = new Set([401, 403])

/** The server was not reached, or does not let us in: nothing has run. */
function isAway(error: McpError): boolean {
  if (error.kind === 'http') return credentialRefusals.has(error.statusCode ?? 0)
  if (error.kind === 'unavailable' || error.kind === 'sign_in' || error.kind === 'start')
    return true
  return !error.mayHaveRun && (error.kind === 'network' || error.kind === 'closed')
}

/** The answer was lost on the way, if there was one. */
function isUnknown(error: McpError): boolean {
  const isCut = error.kind === 'network' || error.kind === 'closed' || error.kind === 'session_lost'
  return isCut && error.mayHaveRun
}

function unavailable(admitted: Admitted, error: McpError, retryAfterMs: unknown): Ending {
  const retry_after_ms = typeof retryAfterMs === 'number' ? { retry_after_ms: retryAfterMs } : {}
  return refuse(admitted, 'unavailable', {
    code: error.code === 'egress_denied' ? 'egress_denied' : 'unavailable',
    message: `The tool's server cannot be reached: ${error.message}`,
    advice: adviceFor(error),
    ...retry_after_ms,
  })
}

function adviceFor(error: McpError): ToolFault['advice'] {
  if (error.kind === 'sign_in') return 'ask_user'
  return error.retryable ? 'retry' : 'degrade'
}

function unknownOutcome(admitted: Admitted, error: McpError): Ending {
  return refuse(admitted, 'unknown_outcome', {
    code: 'unknown_outcome',
    message:
      `The connection broke before the answer came (${error.message}). The tool may have run: ` +
      'a person should look before it is called again.',
    advice: 'ask_user',
  })
}
