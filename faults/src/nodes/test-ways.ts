import { Agent } from 'node:http'
import { createClient } from '@dataagent/client'
import { type ChatResponse, isKnownEvent, type SentEvent, type Session } from '@dataagent/schema'
import { assertExact } from '@dataagent/server/src/testing/test-turns.ts'
import { askDoor, type Door, disposable } from '../tenants/door.ts'
import type { Person } from './people.ts'

/** Tools of a tenant's own server. */
export interface GatewayDoor extends Door {
  /** In each of its answers. */
  canary: string
}

export interface Visit {
  url: string
  person: Person
  round: number
  door: GatewayDoor
  /** Of what the client would get over by itself. */
  fail(error: unknown): void
  /** After each right answer: pauses, and tells whether there is to be another. */
  next(): Promise<boolean>
}

/** How a server is asked; each rejects where it fails. */
export const ways = { list, turn, stream, socket, call }
export type Way = keyof typeof ways

/** A message that is answered in many pieces: restarts fall into them. */
export const atLength = 'At length'
const turnsPerSocket = 20
const patienceMs = 60_000

async function list({ url, person, next }: Visit): Promise<void> {
  await ask(person, `${url}/api/v1/sessions`)
  await next()
}

async function turn({ url, person, round, next }: Visit): Promise<void> {
  const message = `Round ${round} of ${person.user_id}`
  const { events } = await ask<ChatResponse>(person, `${url}/api/v1/chat`, { message })
  checkAnswer(events as SentEvent[], message)
  await next()
}

async function stream({ url, person, round, fail, next }: Visit): Promise<void> {
  const message = `${atLength}, round ${round} of ${person.user_id}`
  const client = createClient({ baseUrl: url, apiKey: person.key, fetch: telling(fail) })
  const signal = AbortSignal.timeout(patienceMs)
  const events: SentEvent[] = []
  for await (const event of client.chat.stream({ message }, { signal })) events.push(event)
  checkAnswer(events, message)
  await next()
}

/** One socket for many turns: it is there while nodes come and go. */
async function socket({ url, person, next }: Visit): Promise<void> {
  const { session_id } = await ask<Session>(person, `${url}/api/v1/sessions`, {})
  const events: SentEvent[] = []
  let ended = Promise.withResolvers<void>()
  using chat = createClient({ baseUrl: url, apiKey: person.key }).connect(session_id, {
    backoff: { firstMs: 50, maxMs: 500 },
    onState(state) {
      if (state.status === 'closed') ended.reject(new Error(`closed: ${state.reason}`))
    },
    onEvent(event) {
      events.push(event)
      if (event.event_type === 'done') ended.resolve()
    },
  })
  for (let turn = 0; turn < turnsPerSocket; turn += 1) {
    const from = events.length
    ended = Promise.withResolvers()
    // The last one has nobody who waits for it once the socket closes.
    ended.promise.catch(() => {})
    const late = AbortSignal.timeout(patienceMs)
    late.addEventListener('abort', () => ended.reject(new Error(`no end in ${session_id}`)))
    const message = `${atLength}, turn ${turn} of ${person.user_id}`
    chat.send(message).accepted.catch(ended.reject)
    await ended.promise
    checkAnswer(events.slice(from), message)
    if (!(await next())) break
  }
  assertExact(events)
}

/** Of an MCP client. */
async function call({ round, door, next }: Visit): Promise<void> {
  const id = `round-${round}`
  using agent = disposable(new Agent())
  const answer = await askDoor(agent.held, door, id)
  if (!answer.includes(`${door.canary} answers ${id}"`)) throw new Error(answer)
  await next()
}

async function ask<T>({ key }: Person, url: string, body?: object): Promise<T> {
  const answer = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${answer.status} ${text}`)
  return JSON.parse(text) as T
}

/** The client tries again by itself: what was refused is a failure for all that. */
function telling(fail: (error: unknown) => void): typeof fetch {
  return async (input, init) => {
    try {
      const answer = await fetch(input, init)
      if (!answer.ok) fail(new Error(`${answer.status} ${await answer.clone().text()}`))
      return answer
    } catch (error) {
      fail(error)
      throw error
    }
  }
}

function checkAnswer(events: readonly SentEvent[], message: string): void {
  const isWhole = events.at(-1)?.event_type === 'done'
  if (isWhole && textOf(events).startsWith(`You said: ${message}`)) return
  throw new Error(`another answer to ${message}: ${JSON.stringify(events)}`)
}

/** What a reader has in the end: a reply that begins anew replaces what was sent of it alone. */
export function textOf(events: readonly SentEvent[]): string {
  let [told, reply] = ['', '']
  for (const event of events.filter(isKnownEvent)) {
    if (event.event_type === 'tool_result') [told, reply] = [told + reply, '']
    if (event.event_type !== 'text') continue
    reply = event.restarts ? event.content : reply + event.content
  }
  return told + reply
}
