import type { SentEvent } from '@dataagent/schema'
import type { ChannelListener, SessionChannels } from './session-channel.ts'

export interface FeedListener {
  onEvent(event: SentEvent): void
  /** Events may have been missed: the log has them. */
  onGap(): void
}

/** Events of sessions as they are made, in this process and, where there are others, in theirs. */
export interface Feed {
  tell(session_id: string, event: SentEvent): void
  listen(session_id: string, listener: FeedListener): () => void
}

/** `channels` is undefined where this process is the only one. */
export function createFeed({ channels }: { channels: SessionChannels | undefined }): Feed {
  const rooms = new Map<string, { listeners: Set<FeedListener>; leave(): void }>()

  function open(session_id: string) {
    const listeners = new Set<FeedListener>()
    const others: ChannelListener = {
      onMessage(message) {
        if (message.kind !== 'events') return
        for (const event of message.events) for (const one of listeners) one.onEvent(event)
      },
      onGap() {
        for (const one of listeners) one.onGap()
      },
    }
    const leave = channels?.listen(session_id, others) ?? (() => {})
    const room = { listeners, leave }
    rooms.set(session_id, room)
    return room
  }

  return {
    tell(session_id, event) {
      channels?.say(session_id, { kind: 'events', events: [event] })
      for (const one of rooms.get(session_id)?.listeners ?? []) one.onEvent(event)
    },
    listen(session_id, listener) {
      const room = rooms.get(session_id) ?? open(session_id)
      room.listeners.add(listener)
      return () => {
        room.listeners.delete(listener)
        if (room.listeners.size > 0 || rooms.get(session_id) !== room) return
        rooms.delete(session_id)
        room.leave()
      }
    },
  }
}
