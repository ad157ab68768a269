import type { Client } from '@dataagent/client'
import type { AnyEvent } from '@dataagent/schema'

interface Between {
  session_id: string
  after: number
  through: number
  signal: AbortSignal
}

/** The events of a session behind a seq, through another: a page may hold fewer than asked for. */
export async function readEventsBetween(client: Client, asked: Between): Promise<AnyEvent[]> {
  const { session_id, through, signal } = asked
  const found: AnyEvent[] = []
  for (let after_seq = asked.after; after_seq < through; ) {
    const query = { after_seq, limit: through - after_seq }
    const { events } = await client.sessions.events(session_id, query, { signal })
    const last = events.at(-1)
    if (last === undefined) break
    found.push(...events)
    after_seq = last.seq
  }
  return found
}
