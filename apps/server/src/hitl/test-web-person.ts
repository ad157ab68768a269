import { once } from 'node:events'
import type { SentEvent, SessionInfo } from '@dataagent/schema'
import { type RecordedRequest, toolRounds, waitFor } from '@dataagent/testkit'
import { WebSocket } from 'ws'
import { keyOf, type Person, type TestPlatform } from '../testing/test-platform.ts'

type Sent = SentEvent & Record<string, unknown>

/** A person in a browser, on a session of their own. */
export interface WebPerson extends AsyncDisposable {
  session_id: string
  /** What the socket has brought so far. */
  events: Sent[]
  /** Waits for the event after those that were taken. */
  next(event_type: string): Promise<Sent>
  say(message: string): void
  decide(approval_id: unknown, decision: Record<string, unknown>): void
}

export async function openWebPerson(server: TestPlatform, as: Person = 'ada'): Promise<WebPerson> {
  const { body } = await server.ask<SessionInfo>('POST', '/sessions', { as, json: {} })
  const { session_id } = body
  const address = `${server.url.replace('http', 'ws')}/ws/chat/${session_id}`
  const socket = new WebSocket(address, { headers: { 'x-api-key': keyOf(as) } })
  const events: Sent[] = []
  let taken = 0
  socket.on('message', (frame) => void events.push(JSON.parse(String(frame))))
  await once(socket, 'open')
  const send = (type: string, payload: object) => socket.send(JSON.stringify({ type, payload }))

  return {
    session_id,
    events,
    async next(event_type) {
      const find = () => events.findIndex((one, at) => at >= taken && one.event_type === event_type)
      await waitFor(() => find() >= 0, { timeoutMs: 15_000, what: event_type })
      taken = find() + 1
      return events[taken - 1] as Sent
    },
    say: (message) => send('chat', { message }),
    decide: (approval_id, decision) => send('hitl_decision', { approval_id, decision }),
    async [Symbol.asyncDispose]() {
      socket.close()
      await once(socket, 'close')
    },
  }
}

/** A model that calls this tool once after each message. */
export function callsOnce(wanted: string) {
  return (request: RecordedRequest) => {
    return toolRounds(request) > 0 ? { text: 'All done.' } : toCall(wanted, request)
  }
}

/** An answer that calls this tool. */
export function toCall(wanted: string, { tools }: RecordedRequest) {
  const tool = tools.find(({ name }) => name.includes(wanted))
  if (!tool) return { text: 'There is no such tool.' }
  return { toolCalls: [{ name: tool.name, arguments: {} }] }
}

/** One that calls `count`, which its server says is destructive. */
export const countsOnce = callsOnce('count')
