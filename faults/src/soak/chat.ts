import type { ChatSocket, Client } from '@dataagent/client'
import { type ExecutionEvent, isKnownEvent, type SentEvent } from '@dataagent/schema'
import { waitFor } from '@dataagent/testkit'
import type { Person } from '../nodes/people.ts'
import { patienceMs, type Scene, unkept } from './scene.ts'

/** A session of its own, followed by a socket. */
export interface Chat {
  session_id: string
  client: Client
  socket: ChatSocket
  /** A message; resolves when its turn has ended. */
  turn(message: string): Promise<void>
  /** Resolves with the next event of that type, or at the end of the turn. */
  saw(event_type: SentEvent['event_type']): Promise<void>
  /** The id of the first approval that is asked for, or of a later one. */
  asked(number?: number): Promise<string>
}

export interface ChatOptions {
  person: Person
  /** Where the socket reaches the server, if not directly. */
  url?: string
}

/** Works in a new session, which is deleted at the end. */
export async function inChat(
  { clientOf }: Scene,
  { person, url }: ChatOptions,
  work: (chat: Chat) => Promise<void>,
): Promise<void> {
  const client = clientOf(person)
  const { session_id } = await client.sessions.create({}, unkept)
  const events: SentEvent[] = []
  using socket = clientOf(person, url).connect(session_id, {
    backoff: { firstMs: 20, maxMs: 200 },
    onEvent: (event) => void events.push(event),
  })
  const within = (what: string) => ({ timeoutMs: patienceMs, what: `${what} in ${session_id}` })
  const count = (...types: string[]) =>
    events.filter(({ event_type }) => types.includes(event_type)).length
  const saw = async (type: string) => {
    const before = count(type, 'done')
    await waitFor(() => count(type, 'done') > before, within(type))
  }
  const approvals = () => events.filter(isKnownEvent).flatMap(toApproval)
  const asked = (number = 1) => waitFor(() => approvals()[number - 1], within('an approval'))
  const turn = async (message: string) => {
    const ended = saw('done')
    await socket.send(message).accepted
    await ended
  }
  await work({ session_id, client, socket, turn, saw, asked })
  await deleteSession(client, session_id)
}

/** Its last run is over a moment after its last event. */
export async function deleteSession({ sessions }: Client, session_id: string): Promise<void> {
  await waitFor(() => sessions.delete(session_id).then(() => true), {
    ...{ timeoutMs: patienceMs, intervalMs: 100, what: `${session_id} deleted` },
  })
}

function toApproval(event: ExecutionEvent): string[] {
  return event.event_type === 'hitl_request' ? [event.approval_id] : []
}
