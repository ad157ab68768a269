import { AppError } from '@dataagent/schema'

/** Ends a run: by a person, by its reader leaving, or because its log or lease is lost. */
export interface RunSignal extends Disposable {
  readonly signal: AbortSignal
  /** Aborts, before `signal` does, when the run is another's: then it ends without a word. */
  readonly lost: AbortSignal
  cancel(reason: AppError): void
}

export interface RunSignalOptions {
  /** Of the session's lease. */
  lost: AbortSignal
  cancelledBy: readonly (AbortSignal | undefined)[]
}

/** Follows other signals until it is disposed of. */
export function createRunSignal({ lost, cancelledBy }: RunSignalOptions): RunSignal {
  const own = new AbortController()
  const left = new AbortController()
  const over = new AbortController()
  const follow = (signal: AbortSignal, onAbort: () => void) => {
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true, signal: over.signal })
  }
  follow(lost, () => {
    left.abort(goesOnElsewhere())
    own.abort(left.signal.reason)
  })
  for (const signal of cancelledBy) {
    if (signal) follow(signal, () => own.abort(toReason(signal.reason)))
  }
  return {
    signal: own.signal,
    lost: left.signal,
    cancel: (reason) => own.abort(reason),
    [Symbol.dispose]: () => over.abort(),
  }
}

/** Whoever aborts without an error of ours cancels. */
function toReason(reason: unknown): unknown {
  return reason instanceof AppError ? reason : new AppError('cancelled', 'The run was cancelled.')
}

/** With this code the hub leaves open what was asked. */
function goesOnElsewhere(): AppError {
  return new AppError('unavailable', 'The run goes on in another process.')
}
