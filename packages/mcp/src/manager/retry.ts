import { type Clock, wait } from '@dataagent/guard'
import { cancelledError, isMcpError, type McpError } from '../errors.ts'
import { createHold } from '../hold.ts'

export interface RetryOptions {
  maxRetries: number
  /** Whether the request may take effect twice without harm. */
  isIdempotent: boolean
  signal: AbortSignal | undefined
  clock: Clock
  /** Called before each retry, with its number. */
  onRetry(retry: number): void
  /** What is thrown in place of `error` when all retries have failed. */
  onExhausted(error: McpError): McpError
}

const firstPauseMs = 100

/**
 * Runs `run` again, after 100 ms × 2^(n−1) before retry n, as long as it fails in a way that may
 * pass. A failure that does not pass is thrown as it is.
 */
export async function withRetries<T>(run: () => Promise<T>, options: RetryOptions): Promise<T> {
  for (let retry = 1; ; retry++) {
    try {
      return await run()
    } catch (error) {
      if (options.maxRetries === 0 || !isRetryable(error, options.isIdempotent)) throw error
      if (retry > options.maxRetries) throw options.onExhausted(error)
      await pause(firstPauseMs * 2 ** (retry - 1), options, error)
      options.onRetry(retry)
    }
  }
}

/** A server that answers 429 has not run the request, whatever else is known. */
function isRetryable(error: unknown, isIdempotent: boolean): error is McpError {
  if (!isMcpError(error) || !error.retryable) return false
  return isIdempotent || !error.mayHaveRun || error.statusCode === 429
}

/** Rejects with `cancelled` once the signal aborts. Keeps the process alive, for someone waits. */
async function pause(
  ms: number,
  { clock, signal = new AbortController().signal }: RetryOptions,
  { mayHaveRun }: McpError,
): Promise<void> {
  const hold = createHold()
  hold.hold()
  await wait(clock, ms, signal)
  hold.close()
  if (signal.aborted) throw cancelledError(signal, mayHaveRun)
}
