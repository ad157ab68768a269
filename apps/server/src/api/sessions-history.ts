import {
  eventsPageSchema,
  eventsQuerySchema,
  messagesPageSchema,
  pageQuerySchema,
  runsPageSchema,
  sessionExportQuerySchema,
  sessionSchema,
} from '@dataagent/schema'
import { defineRoute, type Route } from '../deps/index.ts'
import type { GetPlatform } from '../platform/index.ts'
import { sendExport } from './sessions-export.ts'
import { findSession } from './sessions-view.ts'

const params = sessionSchema.pick({ session_id: true }).strict()
const one = '/sessions/:session_id'
const shared = { tag: 'sessions', access: 'user' } as const

/** What was said and done in a session. */
export function historyRoutes(platform: GetPlatform): Route[] {
  return [
    defineRoute({
      ...{ ...shared, method: 'GET', path: `${one}/messages`, summary: 'Messages, oldest first.' },
      params,
      query: pageQuerySchema,
      answer: messagesPageSchema,
      async handle({ principal, params: { session_id }, query: page }) {
        await findSession(platform(), principal, session_id)
        const { messages } = platform().stores
        const [found, total] = await Promise.all([
          messages.list(session_id, page),
          messages.count(session_id),
        ])
        return { messages: found, ...page, total }
      },
    }),
    defineRoute({
      ...{ ...shared, method: 'GET', path: `${one}/events`, summary: 'Events, oldest first.' },
      params,
      query: eventsQuerySchema,
      answer: eventsPageSchema,
      asIs: true,
      async handle({
        principal,
        params: { session_id },
        query: { after_seq: after, limit },
        reply,
      }) {
        await findSession(platform(), principal, session_id)
        const { events } = platform().stores
        // The head first: what is appended meanwhile is then more, never missed.
        const head = await events.head(session_id)
        const rows = await events.read(session_id, { after, limit })
        const last = rows.at(-1)?.seq ?? after
        const page = `"head":${Math.max(head, last)},"more":${last < head}`
        return reply
          .type('application/json; charset=utf-8')
          .send(`{"events":[${rows.map(({ json }) => json).join(',')}],${page}}`)
      },
    }),
    defineRoute({
      ...{ ...shared, method: 'GET', path: `${one}/runs`, summary: 'Turns, newest first.' },
      params,
      query: pageQuerySchema,
      answer: runsPageSchema,
      async handle({ principal, params: { session_id }, query: page }) {
        const { tenant_id } = await findSession(platform(), principal, session_id)
        const { runs } = platform().tables
        const [found, total] = await Promise.all([
          runs.list({ tenant_id, session_id, ...page }),
          runs.count({ tenant_id, session_id }),
        ])
        return { runs: found, ...page, total }
      },
    }),
    defineRoute({
      ...{ ...shared, method: 'GET', path: `${one}/export`, summary: 'A session as a file.' },
      params,
      query: sessionExportQuerySchema,
      raw: { produces: 'application/json, text/markdown' },
      async handle({ principal, params: { session_id }, query: { format }, reply }) {
        const session = await findSession(platform(), principal, session_id)
        return sendExport(reply, platform(), { session, format })
      },
    }),
  ]
}
