import {
  AppError,
  type CompactResponse,
  compactResponseSchema,
  contextWeightSchema,
  isKnownEvent,
  parseEventText,
  type Session,
  sessionSchema,
} from '@dataagent/schema'
import { defineRoute, type Route } from '../deps/index.ts'
import type { Principal } from '../identity/index.ts'
import type { GetPlatform, Platform } from '../platform/index.ts'
import { toRunError } from '../runs/index.ts'
import { readLog } from './sessions-log.ts'
import { findSession } from './sessions-view.ts'

const params = sessionSchema.pick({ session_id: true }).strict()
const one = '/sessions/:session_id'
const shared = { tag: 'sessions', access: 'user' } as const

/** What a model reads of a session. */
export function contextRoutes(platform: GetPlatform): Route[] {
  return [
    defineRoute({
      ...{ ...shared, method: 'GET', path: `${one}/context` },
      summary: 'What the next call of the model would read, in estimated tokens.',
      params,
      answer: contextWeightSchema,
      async handle({ principal, params: { session_id } }) {
        const session = await findSession(platform(), principal, session_id)
        const executor = await platform().sessions.getExecutor(session)
        const without = new Set(session.state.servers_off)
        return executor.weigh(session_id, { principal, without })
      },
    }),
    defineRoute({
      ...{ ...shared, method: 'POST', path: `${one}/compact` },
      summary: 'Puts a summary in the place of older messages; 409 while a run is under way.',
      params,
      answer: compactResponseSchema,
      async handle({ principal, params: { session_id } }) {
        const session = await findSession(platform(), principal, session_id)
        return compactSession(platform(), principal, session)
      },
    }),
  ]
}

/** Runs to its end also where the caller leaves: the summary is paid for. */
async function compactSession(
  { runs, stores }: Platform,
  principal: Principal,
  session: Session,
): Promise<CompactResponse> {
  const { session_id } = session
  const leave = runs.watch(session_id)
  try {
    const started = await runs.compact({ principal, session, canAsk: false })
    if (started === undefined) return { status: 'nothing_to_do' }
    await started.ended
    for await (const page of readLog(stores.events, session_id, started.first_seq - 1)) {
      for (const { seq, json } of page) {
        const event = parseEventText(json)
        if (!isKnownEvent(event)) continue
        if (event.event_type === 'error') throw toRunError(event)
        if (event.event_type === 'done' && event.cancelled) throw wasCancelled()
        if (event.event_type === 'summary') {
          const { tokens_before = 0, tokens_after = 0 } = event
          return { status: 'compacted', seq, tokens_before, tokens_after }
        }
        if (event.event_type === 'done') return { status: 'nothing_to_do' }
      }
    }
    return { status: 'nothing_to_do' }
  } finally {
    leave()
  }
}

function wasCancelled(): AppError {
  return new AppError('cancelled', 'It was cancelled: the conversation is as it was.')
}
