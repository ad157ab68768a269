import {
  type ChatRequest,
  type ChatResponse,
  cancelResponseSchema,
  chatResponseSchema,
  eventsPageSchema,
  type SentEvent,
} from '@dataagent/schema'
import { type CallOptions, type SendRequest, toPath, type Verbs } from '../http/index.ts'
import { newId } from '../new-id.ts'
import { type Connect, followTurn } from './follow-turn.ts'
import { readTurn } from './read-turn.ts'
import { toWholeTurn } from './whole-turn.ts'

const answer = chatResponseSchema

export interface ChatApiOptions {
  verbs: Verbs
  send: SendRequest
  connect: Connect
}

export function createChatApi({ verbs, send, connect }: ChatApiOptions) {
  const { get, create, post } = verbs

  /** One message, however often it is sent. */
  const toBody = (request: ChatRequest): ChatRequest => ({ message_id: newId(), ...request })

  async function* stream(path: string, given: CallOptions & { body?: ChatRequest }) {
    const request = { path, query: { stream: true }, accept: 'text/event-stream', ...given }
    const known = given.body && { idempotencyKey: newId(), isPatient: true }
    const response = await send({ method: 'POST', ...known, ...request }, (opened) => opened)
    const { signal } = given
    yield* followTurn(readTurn(response, signal), { connect, signal })
  }

  function whole(told: ChatResponse, options: CallOptions = {}): Promise<ChatResponse> {
    const readPage = (session_id: string, after_seq: number) =>
      get(toPath`/sessions/${session_id}/events`, {
        ...{ query: { after_seq }, answer: eventsPageSchema, ...options },
      })
    return toWholeTurn(told, { connect, signal: options.signal, readPage })
  }

  return {
    /**
     * Resolves when the turn has ended. While the session is busy it waits, until the signal ends
     * it.
     */
    async send(request: ChatRequest, options?: CallOptions) {
      const body = toBody(request)
      const told = await create('/chat', { body, answer, isPatient: true, ...options })
      return whole(told, options)
    },
    /**
     * The events of the turn as they come, also where the connection breaks or the server restarts.
     * Begins when it is iterated; leaving it ends it here.
     */
    stream: (request: ChatRequest, options?: CallOptions): AsyncIterable<SentEvent> =>
      stream('/chat', { body: toBody(request), ...options }),
    cancel: (session_id: string, options?: CallOptions) =>
      post(toPath`/chat/${session_id}/cancel`, { answer: cancelResponseSchema, ...options }),
    /** Goes on after an error that may pass. */
    async resume(session_id: string, options?: CallOptions) {
      const told = await post(toPath`/chat/${session_id}/resume`, { answer, ...options })
      return whole(told, options)
    },
    resumeStream: (session_id: string, options?: CallOptions): AsyncIterable<SentEvent> =>
      stream(toPath`/chat/${session_id}/resume`, { ...options }),
  }
}
