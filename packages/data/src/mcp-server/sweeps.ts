import type { Clock } from '@dataagent/guard'

export interface SweepsOptions {
  clock: Clock
  everyMs: number
  sweep(): Promise<unknown>
  /** Told of what keeps a sweep from being made: the next one comes all the same. */
  onError(error: unknown): void
}

/** Sweeps again and again, never two at once, until it is disposed of. */
export function startSweeps({ clock, everyMs, sweep, onError }: SweepsOptions): AsyncDisposable {
  let running: Promise<unknown> | undefined
  let isOver = false
  let cancel = clock.after(everyMs, begin)

  function begin(): void {
    running = sweep().catch(onError).finally(goOn)
  }

  function goOn(): void {
    if (!isOver) cancel = clock.after(everyMs, begin)
  }

  return {
    async [Symbol.asyncDispose]() {
      isOver = true
      cancel()
      await running
    },
  }
}
