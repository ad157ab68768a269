import { AppError } from '@dataagent/schema'

/** Ends a run: by a person, by its reader leaving, or because its log or lease is lost. */
export interface RunSignal extends Disposable {
  readonly signal: AbortSignal
  cancel(reason: AppError): void
}

/** Follows other signals until it is disposed of. */
export function createRunSignal(...others: readonly (AbortSignal | undefined)[]): RunSignal {
  const own = new AbortController()
  const over = new AbortController()
  const follow = (signal: AbortSignal) => {
    const onAbort = () => own.abort(toReason(signal.reason))
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true, signal: over.signal })
  }
  for (const signal of others) if (signal) follow(signal)
  return {
    signal: own.signal,
    cancel: (reason) => own.abort(reason),
    [Symbol.dispose]: () => over.abort(),
  }
}

/** Whoever aborts without an error of ours cancels. */
function toReason(reason: unknown): unknown {
  return reason instanceof AppError ? reason : new AppError('cancelled', 'The run was cancelled.')
}
