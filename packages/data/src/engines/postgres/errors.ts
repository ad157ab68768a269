import { AppError, type ErrorCode, isAppError } from '@dataagent/schema'

/** By SQLSTATE (PostgreSQL, appendix A), or the class it begins with. */
const codes: Readonly<Record<string, ErrorCode>> = {
  ...{ '25006': 'forbidden', '42501': 'forbidden', '28': 'forbidden', '57014': 'timeout' },
  ...{ '55P03': 'timeout', '08': 'unavailable', '53': 'unavailable', '57P': 'unavailable' },
}

/** What the driver says, in the terms of the platform. */
export function toPostgresError(error: unknown): AppError {
  if (isAppError(error)) return error
  const {
    code = '',
    message,
    hint,
    detail,
  } = error as Error & {
    code?: string
    hint?: string
    detail?: string
  }
  const isState = /^[0-9A-Z]{5}$/.test(code)
  const known = [code, code.slice(0, 3), code.slice(0, 2)].map((part) => codes[part])
  const found = known.find((entry) => entry !== undefined)
  const told = found ?? (isState ? 'invalid_request' : 'unavailable')
  if (told === 'unavailable') {
    return new AppError(told, `The database is not reachable: ${message}`, { cause: error })
  }
  const more = [detail, hint].filter((text) => text !== undefined && text !== '').join(' ')
  return new AppError(told, `The database says: ${message}${more && `. ${more}`}`, { cause: error })
}
