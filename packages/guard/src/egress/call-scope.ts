import type { AppError } from '@dataagent/schema/base'
import type { Clock } from '../clock.ts'
import { cancelled, timedOut } from './egress-error.ts'

/**
 * What may end a call from outside, over all its redirects and until its body is read: deadline and
 * caller's signal.
 */
export interface CallScope {
  /** Set once the call has been ended from outside. */
  readonly failure: AppError | undefined
  /** Called at most once, when that happens. The exchange under way sets it. */
  onFailure: ((error: AppError) => void) | undefined
  /** Lets go of timer and signal. May be called more than once. */
  end(): void
}

export interface CallScopeOptions {
  clock: Clock
  host: string
  /** Infinity for none. */
  timeoutMs: number
  signal: AbortSignal | undefined
}

export function openCallScope({ clock, host, timeoutMs, signal }: CallScopeOptions): CallScope {
  const stopTimer = Number.isFinite(timeoutMs)
    ? clock.after(timeoutMs, () => fail(timedOut(host, `did not answer within ${timeoutMs} ms`)))
    : undefined
  const onAbort = () => fail(cancelled(host, signal?.reason))

  const scope = {
    failure: undefined as AppError | undefined,
    onFailure: undefined as ((error: AppError) => void) | undefined,
    end() {
      stopTimer?.()
      signal?.removeEventListener('abort', onAbort)
    },
  }
  if (signal?.aborted) onAbort()
  else signal?.addEventListener('abort', onAbort, { once: true })
  return scope

  function fail(error: AppError): void {
    if (scope.failure !== undefined) return
    scope.failure = error
    scope.end()
    scope.onFailure?.(error)
  }
}
