import { AppError, isAppError } from '@dataagent/schema'

/**
 * The failure of a hook, with the middleware's name. An AppError keeps its code; anything else is a
 * fault, which is told to `onError` and not to people.
 */
export function toHookError(error: unknown, name: string, hook: string): Error {
  const why = error instanceof Error ? error.message : String(error)
  const message = `middleware ${name} failed in ${hook}: ${why}`
  if (!isAppError(error)) return new Error(message, { cause: error })
  const { code, data } = error
  return new AppError(code, message, { ...(data && { data }), cause: error })
}
