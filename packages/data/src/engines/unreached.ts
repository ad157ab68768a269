import { AppError, type ErrorCode, isAppError } from '@dataagent/schema'

const words: Readonly<Partial<Record<ErrorCode, string>>> = {
  unavailable: 'The database of this source does not answer.',
  egress_denied: 'The database of this source is where the platform may not go.',
  forbidden: 'The database does not let this source in.',
  invalid_request: 'The database does not let this source in.',
}

/**
 * Why a server was not reached, in words for all who may ask it. Where it is and who was let in
 * stays in the cause, which administrators are told.
 */
export function toUnreached(error: unknown): unknown {
  const told = isAppError(error) ? words[error.code] : undefined
  if (told === undefined) return error
  const { code } = error as AppError
  return new AppError(code, `${told} An administrator can check it.`, { cause: error })
}

/** The same as administrators are told it. */
export function toReason(error: AppError): string {
  return isAppError(error.cause) ? error.cause.message : error.message
}
