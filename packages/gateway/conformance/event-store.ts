import type { EventStore } from '@modelcontextprotocol/sdk/server/streamableHttp.js'

type Message = Parameters<EventStore['storeEvent']>[1]

/** Keeps what went over the streams of a session, so that a client can take one up again. */
export function createEventStore(): EventStore {
  const events: { id: string; stream: string; message: Message }[] = []

  return {
    async storeEvent(stream, message) {
      const id = String(events.length + 1)
      events.push({ id, stream, message })
      return id
    },
    async getStreamIdForEventId(last) {
      return events[Number(last) - 1]?.stream
    },
    async replayEventsAfter(last, { send }) {
      const stream = events[Number(last) - 1]?.stream ?? ''
      for (const event of events.slice(Number(last))) {
        const isPriming = Object.keys(event.message).length === 0
        if (event.stream === stream && !isPriming) await send(event.id, event.message)
      }
      return stream
    },
  }
}
