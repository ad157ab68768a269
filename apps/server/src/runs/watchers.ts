import type { Clock } from '@dataagent/guard'
import type { SessionChannels } from './session-channel.ts'

export interface WatchersOptions {
  channels: SessionChannels | undefined
  clock: Clock
}

/** Who reads the sessions' events, here and in other processes. */
export interface Watchers {
  /** A reader comes; the function says that it has left. */
  enter(session_id: string): () => void
  /** Another process says whether it has readers of the session. */
  hear(session_id: string, from: string, isWatching: boolean): void
  isWatched(session_id: string): boolean
  /** What was heard of a session that no longer runs here. */
  forget(session_id: string): void
}

/** How often a process says that it has readers. */
const sayEveryMs = 10_000
/** How long it is believed. */
const believeMs = 25_000

export function createWatchers({ channels, clock }: WatchersOptions): Watchers {
  const own = new Map<string, { count: number; cancel(): void }>()
  const others = new Map<string, Map<string, number>>()

  function say(session_id: string, watching: boolean): void {
    channels?.say(session_id, { kind: 'watching', watching })
  }

  function keepSaying(session_id: string): () => void {
    if (channels === undefined) return () => {}
    let cancel = () => {}
    const sayAgain = () => {
      say(session_id, true)
      cancel = clock.after(sayEveryMs, sayAgain)
    }
    sayAgain()
    return () => cancel()
  }

  function leave(session_id: string): void {
    const watch = own.get(session_id)
    if (watch === undefined) return
    watch.count -= 1
    if (watch.count > 0) return
    own.delete(session_id)
    watch.cancel()
    say(session_id, false)
  }

  return {
    enter(session_id) {
      const watch = own.get(session_id) ?? { count: 0, cancel: keepSaying(session_id) }
      watch.count += 1
      own.set(session_id, watch)
      let hasLeft = false
      return () => {
        if (!hasLeft) leave(session_id)
        hasLeft = true
      }
    },
    hear(session_id, from, isWatching) {
      const heard = others.get(session_id) ?? new Map<string, number>()
      if (isWatching) heard.set(from, clock.now() + believeMs)
      else heard.delete(from)
      others.set(session_id, heard)
    },
    isWatched(session_id) {
      if (own.has(session_id)) return true
      const until = Math.max(0, ...(others.get(session_id)?.values() ?? []))
      return until > clock.now()
    },
    forget: (session_id) => void others.delete(session_id),
  }
}
