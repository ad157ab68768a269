import type { Logged, SentEvent, TextDelta, TextEvent } from '@dataagent/schema'
import { waitFor } from '@dataagent/testkit'
import { createClient } from '../client.ts'
import type { ChatSocket, ConnectOptions, SocketState } from './contract.ts'

export interface FollowedSession {
  socket: ChatSocket
  events: SentEvent[]
  states: SocketState[]
  /** Until it has been in this state once more than before. */
  reach(status: SocketState['status']): Promise<void>
}

const quick = { firstMs: 1, maxMs: 4 }

/** A socket with short pauses that remembers what it was told. */
export function follow(
  server: { baseUrl: string; apiKey?: string },
  options: ConnectOptions = {},
): FollowedSession {
  const events: SentEvent[] = []
  const states: SocketState[] = []
  const socket = createClient(server).connect('s1', {
    backoff: quick,
    ...options,
    onEvent: (event) => events.push(event),
    onState(state) {
      states.push(state)
      options.onState?.(state)
    },
  })
  let seen = 0
  return {
    ...{ socket, events, states },
    async reach(status) {
      const find = () => states.findIndex((state, at) => at >= seen && state.status === status)
      seen = await waitFor(() => find() + 1, { what: `the state ${status}` })
    },
  }
}

/** What a reader has of a session: the parts of each text joined. Throws where they do not fit. */
export function toRows(events: readonly SentEvent[]): Logged[] {
  const rows: Logged[] = []
  for (const event of events as (SentEvent & Partial<TextDelta>)[]) {
    const { offset = 0, ...row } = event
    const last = rows.at(-1) as (Logged & Partial<TextEvent>) | undefined
    const before = last?.seq === row.seq ? (last.content ?? '') : ''
    if (offset !== before.length) throw new Error(`a gap or a repetition at ${row.seq}`)
    if (last?.seq === row.seq) rows.pop()
    rows.push(row.event_type === 'text' ? { ...row, content: `${before}${row.content}` } : row)
  }
  return rows
}
