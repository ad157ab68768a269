import { pause } from '@dataagent/client'

/** Does the work now and then, until it gives true or the signal is aborted. Never rejects. */
export async function repeatUntil(
  signal: AbortSignal,
  work: () => Promise<boolean>,
  everyMs: number,
): Promise<void> {
  while (!signal.aborted) {
    if (await work().catch(() => false)) return
    await pause(everyMs, signal).catch(() => {})
  }
}
