import type { Clock, Outage } from '@dataagent/guard'
import type { Kv } from '@dataagent/hub'
import { readJson, type SentEvent } from '@dataagent/schema'

/** What processes say to each other about a session. */
export type ChannelMessage =
  | { kind: 'events'; events: SentEvent[] }
  /** Whether the sender has readers of the session. */
  | { kind: 'watching'; watching: boolean }
  | { kind: 'cancel' }
  /** The sender had something to cancel. */
  | { kind: 'cancelled' }

export interface SessionChannelsOptions {
  kv: Pick<Kv, 'publish' | 'subscribe'>
  /** Of this process: its own messages do not come back to it. */
  owner: string
  clock: Clock
  /** Told what becomes of messages. */
  outage: Outage
}

/**
 * One channel a session, over all processes. Messages are hints: what is missed is told by `onGap`,
 * and is in the log.
 */
export interface SessionChannels {
  say(session_id: string, message: ChannelMessage): void
  listen(session_id: string, listener: ChannelListener): () => void
}

export interface ChannelListener {
  onMessage(message: ChannelMessage, from: string): void
  /** Messages may have been missed. */
  onGap(): void
}

/** How long events are gathered before they are sent on. */
const gatherMs = 15
/** Sessions whose messages are counted; a count that begins anew is taken for a gap. */
const countsMax = 10_000

/** How long after a subscription that failed it is tried again: longer each time. */
const firstRetryMs = 250
const longestRetryMs = 5_000

interface Subscription {
  onText(text: string): void
  onGap(): void
}

interface Wire {
  from: string
  /** Counts what this process has said about the session. */
  n: number
  message: ChannelMessage
}

export function createSessionChannels(options: SessionChannelsOptions): SessionChannels {
  const { kv, owner, clock, outage } = options
  const gathered = new Map<string, SentEvent[]>()
  const counts = new Map<string, number>()

  function publish(session_id: string, message: ChannelMessage): void {
    const n = (counts.get(session_id) ?? 0) + 1
    // Renewed, so that the first is the one that was spoken of least lately.
    counts.delete(session_id)
    counts.set(session_id, n)
    if (counts.size > countsMax) counts.delete(counts.keys().next().value ?? '')
    const wire: Wire = { from: owner, n, message }
    kv.publish(nameOf(session_id), JSON.stringify(wire)).then(outage.worked, outage.failed)
  }

  function flush(session_id: string): void {
    const events = gathered.get(session_id)
    gathered.delete(session_id)
    if (events) publish(session_id, { kind: 'events', events })
  }

  /** Tries until it is subscribed, or left. */
  function keepSubscribed(session_id: string, { onText, onGap }: Subscription): () => void {
    let isLeft = false
    let cancelRetry = () => {}
    let end = () => {}

    function subscribe(retryMs: number): void {
      kv.subscribe(nameOf(session_id), onText, { onGap }).then(begin, (error) => {
        outage.failed(error)
        const nextMs = Math.min(retryMs * 2, longestRetryMs)
        if (!isLeft) cancelRetry = clock.after(retryMs, () => subscribe(nextMs))
      })
    }

    function begin(stop: () => Promise<void>): void {
      outage.worked()
      end = () => void stop().catch(outage.failed)
      // What came between the log's last row and the first message is not known to be nothing.
      if (isLeft) end()
      else onGap()
    }

    subscribe(firstRetryMs)
    return () => {
      isLeft = true
      cancelRetry()
      end()
    }
  }

  return {
    say(session_id, message) {
      if (message.kind !== 'events') return publish(session_id, message)
      const waiting = gathered.get(session_id)
      if (waiting) return void waiting.push(...message.events)
      gathered.set(session_id, [...message.events])
      clock.after(gatherMs, () => flush(session_id))
    },

    listen(session_id, { onMessage, onGap }) {
      const heard = new Map<string, number>()
      return keepSubscribed(session_id, {
        onGap,
        onText(text) {
          const { from, n, message } = readJson(text, { depthMax: 1_000 }) as unknown as Wire
          if (from === owner) return
          const before = heard.get(from)
          heard.set(from, n)
          if (before !== undefined && n !== before + 1) onGap()
          onMessage(message, from)
        },
      })
    },
  }
}

const nameOf = (session_id: string) => `session:${session_id}`
