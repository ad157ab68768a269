import {
  AppError,
  type RunInfo,
  type RunsQuery,
  runsPageSchema,
  runsQuerySchema,
} from '@dataagent/schema'
import { defineRoute, ownerOf, type Route } from '../deps/index.ts'
import { mayAccess, type Principal } from '../identity/index.ts'
import type { GetPlatform } from '../platform/index.ts'
import type { RunRow } from '../ports/index.ts'

/** Turns: one's own; an administrator's are those of the tenant. */
export function runRoutes(platform: GetPlatform): Route[] {
  return [
    defineRoute({
      ...{ method: 'GET', path: '/runs', tag: 'sessions', access: 'user' },
      summary: 'Turns, newest first.',
      query: runsQuerySchema,
      answer: runsPageSchema,
      async handle({ principal, query }) {
        const { status, limit, offset } = query
        const asked = { tenant_id: principal.tenant_id, user_id: userOf(principal, query), status }
        const { runs } = platform().tables
        const [found, total] = await Promise.all([
          runs.list({ ...asked, limit, offset }),
          runs.count(asked),
        ])
        return { runs: found.map(toRunInfo), limit, offset, total }
      },
    }),
  ]
}

function toRunInfo({ traceparent, ...run }: RunRow): RunInfo {
  const trace_id = traceparent?.split('-')[1]
  return { ...run, ...(trace_id !== undefined && { trace_id }) }
}

/** Whose turns are asked for; undefined for everyone's. */
function userOf(principal: Principal, { all, user_id }: RunsQuery): string | undefined {
  if (all !== 'true') return ownerOf(principal, user_id ?? principal.user_id).user_id
  if (mayAccess(principal, 'admin')) return user_id
  throw new AppError('forbidden', 'Only administrators see the turns of everyone.')
}
