/** Turns that wait to begin, by session. */
export interface Queued {
  /** One more; disposed when it waits no longer. */
  add(session_id: string): Disposable & { signal: AbortSignal }
  /** Ends all waits of the session; whether there were any. */
  cancel(session_id: string): boolean
}

export function createQueued(): Queued {
  const bySession = new Map<string, Set<AbortController>>()

  return {
    add(session_id) {
      const waiting = bySession.get(session_id) ?? new Set()
      const one = new AbortController()
      bySession.set(session_id, waiting.add(one))
      return {
        signal: one.signal,
        [Symbol.dispose]() {
          waiting.delete(one)
          if (waiting.size === 0 && bySession.get(session_id) === waiting)
            bySession.delete(session_id)
        },
      }
    },
    cancel(session_id) {
      const waiting = bySession.get(session_id)
      for (const one of waiting ?? []) one.abort()
      return waiting !== undefined
    },
  }
}
