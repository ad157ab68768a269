import {
  sessionCreateSchema,
  sessionForkSchema,
  sessionInfoSchema,
  sessionSchema,
  sessionsPageSchema,
  sessionsQuerySchema,
  sessionUpdateSchema,
} from '@dataagent/schema'
import { defineRoute, type Route } from '../deps/index.ts'
import type { GetPlatform } from '../platform/index.ts'
import { contextRoutes } from './sessions-context.ts'
import { forkSession } from './sessions-fork.ts'
import { historyRoutes } from './sessions-history.ts'
import { updateSession } from './sessions-update.ts'
import { findSession, toSessionInfo, toSessionInfos } from './sessions-view.ts'

const params = sessionSchema.pick({ session_id: true }).strict()
const one = '/sessions/:session_id'
const shared = { tag: 'sessions', access: 'user' } as const

/** One's own conversations: nobody sees another's, whatever their role [D32.1]. */
export function sessionRoutes(platform: GetPlatform): Route[] {
  return [
    ...listRoutes(platform),
    ...sessionRoutesOf(platform),
    ...contextRoutes(platform),
    ...historyRoutes(platform),
  ]
}

function listRoutes(platform: GetPlatform): Route[] {
  return [
    defineRoute({
      ...{ ...shared, method: 'GET', path: '/sessions', summary: 'Your sessions.' },
      query: sessionsQuerySchema,
      answer: sessionsPageSchema,
      async handle({ principal: { tenant_id, user_id }, query: { q, ...page } }) {
        const { sessions } = platform().stores
        const [found, total] = await Promise.all(
          q === undefined
            ? [
                sessions.listByUser(tenant_id, user_id, page),
                sessions.countByUser(tenant_id, user_id),
              ]
            : [
                sessions.search(tenant_id, user_id, q, page),
                sessions.countFound(tenant_id, user_id, q),
              ],
        )
        return { sessions: await toSessionInfos(platform(), found), ...page, total }
      },
    }),
    defineRoute({
      ...{ ...shared, method: 'POST', path: '/sessions', summary: 'Begins a session.' },
      body: sessionCreateSchema,
      answer: sessionInfoSchema,
      status: 201,
      creates: true,
      async handle({ principal, body: { assistant_id: asked, ...update } }) {
        const { agents, sessions } = platform()
        const { tenant_id, user_id } = principal
        const { assistant_id } = agents.choose(tenant_id, asked)
        const made = await sessions.getOrCreateSession({ tenant_id, user_id, assistant_id })
        if (Object.keys(update).length === 0) return toSessionInfo(platform(), made)
        const changed = await updateSession(platform(), principal, { session: made, update })
        return toSessionInfo(platform(), changed)
      },
    }),
  ]
}

function sessionRoutesOf(platform: GetPlatform): Route[] {
  return [
    defineRoute({
      ...{ ...shared, method: 'GET', path: one, summary: 'One session.' },
      params,
      answer: sessionInfoSchema,
      async handle({ principal, params: { session_id } }) {
        return toSessionInfo(platform(), await findSession(platform(), principal, session_id))
      },
    }),
    defineRoute({
      ...{ ...shared, method: 'PATCH', path: one },
      summary: 'Renames a session, switches its approval without asking, or servers off in it.',
      params,
      body: sessionUpdateSchema,
      answer: sessionInfoSchema,
      async handle({ principal, params: { session_id }, body: update }) {
        const session = await findSession(platform(), principal, session_id)
        const changed = await updateSession(platform(), principal, { session, update })
        return toSessionInfo(platform(), changed)
      },
    }),
    defineRoute({
      ...{ ...shared, method: 'DELETE', path: one },
      summary: 'Deletes a session with its history; 409 while a run is under way in it.',
      params,
      async handle({ principal: { tenant_id, user_id }, params: { session_id } }) {
        const { sessions, hub } = platform()
        await sessions.deleteSession({ tenant_id, user_id }, session_id)
        await hub.sessions.close({ tenant_id, session_id })
      },
    }),
    defineRoute({
      ...{ ...shared, method: 'POST', path: `${one}/fork` },
      summary: 'Begins a session with what was said in this one.',
      params,
      body: sessionForkSchema,
      answer: sessionInfoSchema,
      status: 201,
      creates: true,
      async handle({ principal, params: { session_id }, body, signal }) {
        const source = await findSession(platform(), principal, session_id)
        const fork = await forkSession(platform(), source, { ...body, signal })
        return toSessionInfo(platform(), fork)
      },
    }),
  ]
}
