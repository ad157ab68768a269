import type { OwnToolContext } from '@dataagent/hub'
import { isAppError } from '@dataagent/schema'

export interface Failure {
  error: string
}

/**
 * Gives what `work` gives, or what `toResult` makes of its failure. Throws only the reason of a
 * signal that is aborted; then `work` is not begun, or has ended.
 */
export async function attempt<Result, Failed>(
  { signal }: Pick<OwnToolContext, 'signal'>,
  work: () => Promise<Result>,
  toResult: (error: unknown) => Failed,
): Promise<Result | Failed> {
  signal.throwIfAborted()
  try {
    return await work()
  } catch (error) {
    signal.throwIfAborted()
    return toResult(error)
  }
}

export function toFailure(error: unknown): Failure {
  return { error: wordsOf(error) }
}

/** Other errors than ours may name paths of the host. */
export function wordsOf(error: unknown): string {
  return isAppError(error) ? error.message : 'It could not be done. Try again, or another way'
}
