import { id, tenantUsageSchema, usageQuerySchema, usageReportSchema } from '@dataagent/schema'
import { z } from 'zod'
import { defineRoute, type Route, tenantOf } from '../deps/index.ts'
import type { GetPlatform } from '../platform/index.ts'
import { toMinutesPeriod } from './minutes-period.ts'
import { findTenant } from './tenants.ts'

const thirtyDaysMs = 30 * 24 * 3_600_000

/** What a tenant uses of what it may use, and what its turns cost. */
export function usageRoutes(platform: GetPlatform): Route[] {
  return [
    defineRoute({
      ...{ method: 'GET', path: '/tenants/:tenant_id/usage', tag: 'tenants', access: 'auditor' },
      summary: 'What there is of that which is limited.',
      params: z.strictObject({ tenant_id: id }),
      answer: tenantUsageSchema,
      async handle({ principal, params }) {
        const { tables, hub } = platform()
        const tenant = await findTenant(platform(), tenantOf(principal, params.tenant_id))
        const { tenant_id, max_users, max_sessions_per_user, max_mcp_servers, workspace_quota } =
          tenant
        const [users, running_turns] = await Promise.all([
          tables.users.count(tenant_id),
          tables.runs.count({ tenant_id, status: 'running' }),
        ])
        const mcp_servers = hub.servers.all().filter((one) => one.tenant_id === tenant_id).length
        const limits = { max_users, max_sessions_per_user, max_mcp_servers, workspace_quota }
        return { tenant_id, users, mcp_servers, running_turns, limits }
      },
    }),
    defineRoute({
      ...{ method: 'GET', path: '/usage', tag: 'tenants', access: 'auditor' },
      summary:
        'Turns, tokens and cost by day, user, model or assistant, or of a day by minute; 30 days by default.',
      query: usageQuerySchema,
      answer: usageReportSchema,
      async handle({ principal, query }) {
        const { tables, clock } = platform()
        const { to = clock.now(), by, user_id } = query
        const { from = Math.max(0, to - thirtyDaysMs) } = query
        const period = by === 'minute' ? toMinutesPeriod({ from, to }) : { from, to }
        const tenant_id = tenantOf(principal, query.tenant_id)
        const rows = await tables.runs.usage({ tenant_id, user_id, ...period, by })
        return { tenant_id, by, ...period, rows }
      },
    }),
  ]
}
