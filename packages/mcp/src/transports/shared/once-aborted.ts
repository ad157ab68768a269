/** Calls `run` when `signal` aborts; the returned function ends that. */
export function onceAborted(signal: AbortSignal, run: () => void): () => void {
  signal.addEventListener('abort', run, { once: true })
  return () => signal.removeEventListener('abort', run)
}
