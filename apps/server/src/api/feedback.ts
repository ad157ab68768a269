import {
  AppError,
  feedbackPageSchema,
  feedbackParamsSchema,
  feedbackQuerySchema,
  feedbackSchema,
  feedbackWriteSchema,
  pageQuerySchema,
  sessionSchema,
} from '@dataagent/schema'
import { defineRoute, type Route, tenantOf } from '../deps/index.ts'
import type { GetPlatform, Platform } from '../platform/index.ts'
import { findSession } from './sessions-view.ts'

const ofTurn = '/sessions/:session_id/turns/:seq/feedback'
const shared = { tag: 'sessions', access: 'user' } as const

/** What users think of their turns: their own to give, their administrators' to read. */
export function feedbackRoutes(platform: GetPlatform): Route[] {
  return [...ownRoutes(platform), listRoute(platform)]
}

function ownRoutes(platform: GetPlatform): Route[] {
  return [
    defineRoute({
      ...{ ...shared, method: 'GET', path: '/sessions/:session_id/feedback' },
      summary: 'What you think of its turns, newest first.',
      params: sessionSchema.pick({ session_id: true }).strict(),
      query: pageQuerySchema,
      answer: feedbackPageSchema,
      async handle({ principal, params: { session_id }, query: page }) {
        const { tenant_id } = await findSession(platform(), principal, session_id)
        const { feedback } = platform().tables
        const [found, total] = await Promise.all([
          feedback.list({ tenant_id, session_id, ...page }),
          feedback.count({ tenant_id, session_id }),
        ])
        return { feedback: found, ...page, total }
      },
    }),
    defineRoute({
      ...{ ...shared, method: 'PUT', path: ofTurn },
      summary: 'Says what you think of a turn, in place of what you said before.',
      params: feedbackParamsSchema,
      body: feedbackWriteSchema,
      answer: feedbackSchema,
      async handle({ principal, params: { session_id, seq }, body: { rating, reason = '' } }) {
        const session = await findSession(platform(), principal, session_id)
        const { tenant_id, user_id, assistant_id } = session
        await requireTurn(platform(), session_id, seq)
        const { tables, clock } = platform()
        const now = clock.now()
        const row = {
          ...{ tenant_id, session_id, seq, user_id, assistant_id, rating },
          ...{ reason: reason === '' ? null : reason, created_at: now, updated_at: now },
        }
        await tables.feedback.put(row)
        return (await tables.feedback.get(tenant_id, session_id, seq)) ?? row
      },
    }),
    defineRoute({
      ...{ ...shared, method: 'DELETE', path: ofTurn, summary: 'Takes it back.' },
      params: feedbackParamsSchema,
      async handle({ principal, params: { session_id, seq } }) {
        const { tenant_id } = await findSession(platform(), principal, session_id)
        await platform().tables.feedback.delete(tenant_id, session_id, seq)
      },
    }),
  ]
}

function listRoute(platform: GetPlatform): Route {
  return defineRoute({
    ...{ method: 'GET', path: '/feedback', tag: 'sessions', access: 'admin' },
    summary: 'What the users of a tenant think of their turns; what was said last first.',
    query: feedbackQuerySchema,
    answer: feedbackPageSchema,
    async handle({ principal, query: { tenant_id: asked, limit, offset, ...filter } }) {
      const wanted = { ...filter, tenant_id: tenantOf(principal, asked) }
      const { feedback } = platform().tables
      const [found, total] = await Promise.all([
        feedback.list({ ...wanted, limit, offset }),
        feedback.count(wanted),
      ])
      return { feedback: found, limit, offset, total }
    },
  })
}

/** A turn begins with a message. Throws `not_found`. */
async function requireTurn({ stores }: Platform, session_id: string, seq: number): Promise<void> {
  const [event] = await stores.events.read(session_id, { after: seq - 1, limit: 1 })
  if (event?.seq === seq && event.kind === 'user_message') return
  throw new AppError('not_found', `no turn of session ${session_id} begins at ${seq}`)
}
