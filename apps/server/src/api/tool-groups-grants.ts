import {
  AppError,
  grantParamsSchema,
  grantsPageSchema,
  grantsQuerySchema,
  toolGroupParamsSchema,
} from '@dataagent/schema'
import { defineRoute, type Route } from '../deps/index.ts'
import type { GetPlatform } from '../platform/index.ts'
import { gatewayOf } from './tool-groups-view.ts'
import { endGrant } from './users-grants.ts'

const all = { path: '/mcp-groups/:group_id/grants', tag: 'gateway', access: 'admin' } as const

/** Who is connected to a tool group by a grant: each may be taken back alone. */
export function toolGroupGrantRoutes(platform: GetPlatform): Route[] {
  const gateway = () => gatewayOf(platform())
  return [
    defineRoute({
      ...{ ...all, method: 'GET', params: toolGroupParamsSchema },
      summary: 'The clients that were given access, newest first.',
      query: grantsQuerySchema,
      answer: grantsPageSchema,
      async handle({ principal, params: { group_id }, query: { limit } }) {
        const { tenant_id } = gateway().groups.view(principal, group_id)
        const { tables, clock } = platform()
        const asked = { tenant_id, group_id, limit: limit + 1 }
        const rows = await tables.gateway.grants.list(asked, clock.now())
        return { grants: rows.slice(0, limit), more: rows.length > limit }
      },
    }),
    defineRoute({
      ...{ ...all, path: `${all.path}/:grant_id`, method: 'DELETE', params: grantParamsSchema },
      summary: 'Takes access back; the sessions of this client end within a second.',
      async handle({ principal, params: { group_id, grant_id } }) {
        const { tenant_id } = gateway().groups.view(principal, group_id)
        const grant = await platform().tables.gateway.grants.get(grant_id)
        if (grant?.tenant_id !== tenant_id || grant.group_id !== group_id) throw noGrant(grant_id)
        await endGrant(platform(), principal, grant)
      },
    }),
  ]
}

function noGrant(grant_id: string): AppError {
  return new AppError('not_found', `there is no grant ${grant_id}`)
}
