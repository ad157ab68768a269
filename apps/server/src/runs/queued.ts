import type { SessionChannels } from './session-channel.ts'

/** Turns that wait to begin, by session; ended from here, and by other processes. */
export interface Queued {
  /** One more, at once; disposed when it waits no longer. */
  add(session_id: string): Disposable & { signal: AbortSignal }
  /** Ends all waits of the session; whether there were any. */
  cancel(session_id: string): boolean
}

/** `channels` is undefined where this process is the only one. */
export function createQueued({ channels }: { channels: SessionChannels | undefined }): Queued {
  const bySession = new Map<string, Set<AbortController>>()

  function listen(session_id: string, one: AbortController): () => void {
    const leave = channels?.listen(session_id, {
      onMessage({ kind }) {
        if (kind !== 'cancel') return
        one.abort()
        channels.say(session_id, { kind: 'cancelled' })
      },
      onGap() {},
    })
    return leave ?? (() => {})
  }

  return {
    add(session_id) {
      const waiting = bySession.get(session_id) ?? new Set()
      const one = new AbortController()
      bySession.set(session_id, waiting.add(one))
      const leave = listen(session_id, one)
      return {
        signal: one.signal,
        [Symbol.dispose]() {
          leave()
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
