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
  /** What must not be left as it is, also at the second Ctrl-C; waited for a moment. */
  undo?(): PromiseLike<unknown> | undefined
}

/** A launcher may pass on what the terminal has sent to us as well: that is no second Ctrl-C. */
const sameMs = 200
const undoMs = 1_000

/** Listens for what ends a run early. The second Ctrl-C ends the process at once. */
export function listenForStops(options: StopOptions): Stops {
  const { timeoutSeconds, readerGone, onStop } = options
  const controller = new AbortController()
  let first: number | undefined
  let isLeaving = false

  const stop = (reason: StopReason) => {
    if (controller.signal.aborted) return
    controller.abort(reason)
    onStop(reason)
  }
  const interrupt = () => {
    const now = performance.now()
    if (first !== undefined && now - first > sameMs) return exit()
    first ??= now
    stop('cancelled')
  }
  const exit = () => {
    const leaveNow = () => process.exit(exitCodes.cancelled)
    const undone = isLeaving ? undefined : options.undo?.()
    isLeaving = true
    if (undone === undefined) leaveNow()
    setTimeout(leaveNow, undoMs)
    void undone?.then(leaveNow, leaveNow)
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
