import type { Clock } from '@dataagent/guard'
import type { Kv } from '@dataagent/hub'
import { cancelKey } from './cancelling.ts'
import type { ChannelListener, SessionChannels } from './session-channel.ts'
import type { Turn } from './turn-queue.ts'
import type { Watchers } from './watchers.ts'

/** A run that this process carries out. */
export interface LocalRun {
  run_id: string
  session_id: string
  status: 'running' | 'waiting'
  /** It has said its last event, and is about to let go of its session. */
  isOver: boolean
  turn: Turn
  stop: AbortController
  ended: Promise<void>
}

export interface LocalRunsOptions {
  channels: SessionChannels | undefined
  watchers: Watchers
  /** Has the cancels that could not be heard. */
  kv: Pick<Kv, 'get'>
  clock: Clock
  onDisconnect: 'cancel' | 'finish'
  /** How long a run goes on that nobody reads. */
  windowMs: number
}

/** The runs of this process: told to stop by whoever may, and when nobody reads them any more. */
export interface LocalRuns {
  get(session_id: string): LocalRun | undefined
  all(): LocalRun[]
  /** False where the session has one already. */
  add(run: LocalRun): boolean
  remove(run: LocalRun): void
  /** A reader has come. */
  seen(session_id: string): void
  /** A reader has left. */
  look(): void
}

const lookEveryMs = 1_000
/** How long a run waits for its first reader: who began it is about to read, or to come back. */
const firstReaderMs = 15_000

export function createLocalRuns(options: LocalRunsOptions): LocalRuns {
  const { channels, watchers, kv, clock, onDisconnect, windowMs } = options
  const runs = new Map<string, { run: LocalRun; watchedAt: number; leave(): void }>()
  let isLooking = false

  function listen(run: LocalRun): () => void {
    const { session_id, stop } = run
    const onMessage: ChannelListener['onMessage'] = (message, from) => {
      if (message.kind === 'watching') watchers.hear(session_id, from, message.watching)
      if (message.kind !== 'cancel') return
      stop.abort()
      channels?.say(session_id, { kind: 'cancelled' })
    }
    const onGap = () => {
      const found = kv.get(cancelKey(run.run_id))
      // While it cannot be asked there is a gap to come.
      found.then((text) => text !== undefined && stop.abort()).catch(() => {})
    }
    return channels?.listen(session_id, { onMessage, onGap }) ?? (() => {})
  }

  /** A run that waits for a person waits on, whoever reads. */
  function look(): void {
    if (onDisconnect === 'finish') return
    const now = clock.monotonic()
    for (const held of runs.values()) {
      const { session_id, status, stop } = held.run
      if (status === 'waiting' || watchers.isWatched(session_id)) held.watchedAt = now
      else if (now - held.watchedAt >= windowMs) stop.abort()
    }
  }

  function keepLooking(): void {
    if (isLooking || onDisconnect === 'finish') return
    isLooking = true
    clock.after(lookEveryMs, () => {
      isLooking = false
      look()
      if (runs.size > 0) keepLooking()
    })
  }

  return {
    get: (session_id) => runs.get(session_id)?.run,
    all: () => [...runs.values()].map(({ run }) => run),
    add(run) {
      if (runs.has(run.session_id)) return false
      runs.set(run.session_id, {
        run,
        watchedAt: clock.monotonic() + firstReaderMs,
        leave: listen(run),
      })
      keepLooking()
      return true
    },
    remove(run) {
      const held = runs.get(run.session_id)
      if (held?.run !== run) return
      runs.delete(run.session_id)
      held.leave()
      watchers.forget(run.session_id)
    },
    seen(session_id) {
      const held = runs.get(session_id)
      if (held) held.watchedAt = clock.monotonic()
    },
    look,
  }
}
