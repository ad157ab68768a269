import { AppError, type ErrorCode, isAppError } from '@dataagent/schema'

/** By the server's number (Server Error Message Reference). */
const codes: Readonly<Record<number, ErrorCode>> = {
  ...{ 1792: 'forbidden', 1290: 'forbidden', 1142: 'forbidden', 1143: 'forbidden' },
  ...{ 1044: 'forbidden', 1045: 'forbidden', 1227: 'forbidden', 1370: 'forbidden' },
  ...{ 1317: 'timeout', 1969: 'timeout', 3024: 'timeout', 1205: 'timeout' },
  ...{ 1040: 'unavailable', 1053: 'unavailable', 1203: 'unavailable', 1226: 'unavailable' },
}

/** What the driver says, in the terms of the platform. */
export function toMysqlError(error: unknown): AppError {
  if (isAppError(error)) return error
  const { errno, message, sqlMessage, fatal } = error as Error & {
    errno?: number
    sqlMessage?: string
    fatal?: boolean
  }
  const known = typeof errno === 'number' && errno > 0 ? codes[errno] : undefined
  const code = known ?? (sqlMessage === undefined || fatal ? 'unavailable' : 'invalid_request')
  const said = sqlMessage ?? message
  if (code === 'unavailable') {
    return new AppError(code, `The database is not reachable: ${said}`, { cause: error })
  }
  return new AppError(code, `The database says: ${said}`, { cause: error })
}
