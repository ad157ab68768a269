import { exitCodes } from '../args/index.ts'

/** Why a run is to be stopped before its end. */
export type StopReason = 'timeout' | 'cancelled'

export interface Stops extends Disposable {
  /** Aborted with the reason. */
  signal: AbortSignal
  reason(): StopReason | undefined
}

export interface StopOptions {
  timeoutSeconds: number | undefined
  /** Aborted when nobody reads our output any more. */
  readerGone: AbortSignal
  onStop(reason: StopReason): void
}

/** A launcher may pass on what the terminal has sent to us as well: that is no second Ctrl-C. */
const sameMs = 200

/** Listens for what ends a run early. The second Ctrl-C ends the process at once. */
export function listenForStops({ timeoutSeconds, readerGone, onStop }: StopOptions): Stops {
  const controller = new AbortController()
  let first: number | undefined

  const stop = (reason: StopReason) => {
    if (controller.signal.aborted) return
    controller.abort(reason)
    onStop(reason)
  }
  const interrupt = () => {
    const now = performance.now()
    if (first !== undefined && now - first > sameMs) process.exit(exitCodes.cancelled)
    first ??= now
    stop('cancelled')
  }
  const leave = () => stop('cancelled')

  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const signal of signals) process.on(signal, interrupt)
  readerGone.addEventListener('abort', leave)
  const timer =
    timeoutSeconds === undefined
      ? undefined
      : setTimeout(() => stop('timeout'), timeoutSeconds * 1_000)

  return {
    signal: controller.signal,
    reason: () => (controller.signal.aborted ? controller.signal.reason : undefined),
    [Symbol.dispose]() {
      clearTimeout(timer)
      for (const signal of signals) process.off(signal, interrupt)
      readerGone.removeEventListener('abort', leave)
    },
  }
}
