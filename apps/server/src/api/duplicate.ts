import { AppError, isAppError } from '@dataagent/schema'

/** Waits for `adding`; where it was there already, says so by its name. */
export async function refusingTwice<T>(what: string, adding: Promise<T>): Promise<T> {
  try {
    return await adding
  } catch (error) {
    throw isAppError(error, 'conflict') ? thereAlready(what, error) : error
  }
}

/** `what` is such as `a user ada`. */
export function thereAlready(what: string, cause?: unknown): AppError {
  return new AppError('conflict', `there is ${what} already`, {
    ...{ data: { reason: 'exists' }, cause },
  })
}
