import {
  AppError,
  factListSchema,
  memoryClearQuerySchema,
  memoryExportSchema,
  memoryQuerySchema,
} from '@dataagent/schema'
import { z } from 'zod'
import { defineRoute, type Route } from '../deps/index.ts'
import type { GetPlatform } from '../platform/index.ts'

const shared = { tag: 'memory', access: 'user' } as const

/** What agents remember of the caller [D34.2]: nobody reads another's, whatever their role. */
export function memoryRoutes(platform: GetPlatform): Route[] {
  return [
    defineRoute({
      ...{ ...shared, method: 'GET', path: '/memory' },
      summary: 'What an agent remembers of you, newest first.',
      query: memoryQuerySchema,
      answer: factListSchema,
      handle: ({ principal: { tenant_id, user_id }, query: { assistant_id } }) =>
        platform().memory.list({ tenant_id, user_id, assistant_id }),
    }),
    defineRoute({
      ...{ ...shared, method: 'GET', path: '/memory/export' },
      summary: 'What all agents remember of you.',
      answer: memoryExportSchema,
      async handle({ principal: { tenant_id, user_id } }) {
        return { memories: await platform().memory.export({ tenant_id, user_id }) }
      },
    }),
    defineRoute({
      ...{ ...shared, method: 'DELETE', path: '/memory' },
      summary: 'Forgets all that one agent, or any, remembers of you.',
      query: memoryClearQuerySchema,
      handle: ({ principal: { tenant_id, user_id }, query }) =>
        platform().memory.clear({ tenant_id, user_id, ...query }),
    }),
    defineRoute({
      ...{ ...shared, method: 'DELETE', path: '/memory/:fact_id', summary: 'Forgets one fact.' },
      params: z.strictObject({ fact_id: z.string().min(1).max(128) }),
      query: memoryQuerySchema,
      async handle({ principal: { tenant_id, user_id }, params, query: { assistant_id } }) {
        const owner = { tenant_id, user_id, assistant_id }
        if (await platform().memory.forget(owner, params.fact_id)) return
        throw new AppError('not_found', `there is no fact ${params.fact_id}`)
      },
    }),
  ]
}
