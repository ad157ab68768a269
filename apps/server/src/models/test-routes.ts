import {
  chatRequestSchema,
  chatResponseSchema,
  id,
  pageQuerySchema,
  sessionInfoSchema,
  sessionsPageSchema,
  tenantCreateSchema,
  tenantSchema,
} from '@dataagent/schema'
import { z } from 'zod'
import { defineRoute, type Route } from '../deps/index.ts'

const nothing = () => {
  throw new Error('the routes of this test are not called')
}
const session = z.strictObject({ session_id: id })

/** A few routes of every kind. */
export const testRoutes: Route[] = [
  defineRoute({
    ...{ method: 'GET', path: '/sessions', tag: 'sessions', summary: 'Your sessions.' },
    ...{ access: 'user', query: pageQuerySchema, answer: sessionsPageSchema, handle: nothing },
  }),
  defineRoute({
    ...{ method: 'GET', path: '/sessions/:session_id', tag: 'sessions', summary: 'One session.' },
    ...{ access: 'user', params: session, answer: sessionInfoSchema, handle: nothing },
  }),
  defineRoute({
    ...{ method: 'DELETE', path: '/sessions/:session_id', tag: 'sessions', summary: 'Delete.' },
    ...{ access: 'user', params: session, handle: nothing },
  }),
  defineRoute({
    ...{ method: 'POST', path: '/chat', tag: 'chat', summary: 'Ask <an> agent.', access: 'user' },
    ...{ creates: true, body: chatRequestSchema, answer: chatResponseSchema, handle: nothing },
    raw: { produces: 'text/event-stream' },
  }),
  defineRoute({
    ...{ method: 'POST', path: '/tenants', tag: 'tenants', summary: 'Make a tenant.', status: 201 },
    ...{ access: 'platform_admin', creates: true, body: tenantCreateSchema, answer: tenantSchema },
    handle: nothing,
  }),
  defineRoute({
    ...{ method: 'PUT', path: '/files/content', tag: 'files', summary: 'Write.', access: 'user' },
    ...{ raw: { consumes: 'application/octet-stream' }, handle: nothing },
  }),
  defineRoute({
    ...{ method: 'GET', path: '/health', tag: 'operations', summary: 'Alive.', access: 'public' },
    ...{ lane: 'reserved', answer: z.object({ since: z.number() }), handle: nothing },
  }),
]
