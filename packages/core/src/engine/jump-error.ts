import { AppError } from '@dataagent/schema'

/** A hook that runs before the model jumps to the tools and calls none. */
export function nothingToRun(): AppError {
  return new AppError(
    'invalid_result',
    'a middleware asked to jump to tools, and the last assistant message has no open call',
  )
}

/** `afterAgent` jumps anywhere but to the end. */
export function tooLateToJump(): AppError {
  return new AppError('invalid_result', 'a middleware asked to jump back after the run')
}
