import { AppError, type ErrorCode, type ExecutionEvent, errorTable } from '@dataagent/schema'

/** An event that came in place of a run, or that ended it, as what the caller is told. */
export function toRunError(event: ExecutionEvent): AppError {
  if (event.event_type !== 'error') return new AppError('internal', 'the run did not begin')
  const { error, error_code = 'internal', details } = event
  // The session has a run already: not the server is busy, but what was asked for cannot be now.
  if (details?.busy === true) return new AppError('conflict', error, { data: details })
  const known = Object.hasOwn(errorTable, error_code) ? (error_code as ErrorCode) : 'internal'
  return new AppError(known, error, { ...(details && { data: details }) })
}
