import { AppError, isAppError } from '@dataagent/schema'

/** The failure of a hook, with the middleware's name; its code, where it has one, stays. */
export function toHookError(error: unknown, name: string, hook: string): AppError {
  const why = error instanceof Error ? error.message : String(error)
  const known = isAppError(error) ? error : undefined
  const message = `middleware ${name} failed in ${hook}: ${why}`
  const { code = 'internal', data } = known ?? {}
  return new AppError(code, message, { ...(data && { data }), cause: error })
}
