import {
  AppError,
  grantsQuerySchema,
  ownGrantParamsSchema,
  ownGrantsPageSchema,
} from '@dataagent/schema'
import { defineRoute, type Route } from '../deps/index.ts'
import type { GetPlatform, Platform } from '../platform/index.ts'
import { gatewayOf } from './tool-groups-view.ts'
import { endGrant } from './users-grants.ts'

const own = { path: '/me/grants', tag: 'gateway', access: 'member' } as const

/** What the caller allowed MCP clients on the page where access is granted, to be ended. */
export function ownGrantRoutes(platform: GetPlatform): Route[] {
  return [
    defineRoute({
      ...{ ...own, method: 'GET', query: grantsQuerySchema, answer: ownGrantsPageSchema },
      summary: 'The MCP clients that you gave access, newest first.',
      async handle({ principal: { tenant_id, user_id }, query: { limit } }) {
        const { tables, clock, gateway } = platform()
        if (gateway === undefined) return { grants: [], more: false }
        const asked = { tenant_id, user_id, limit: limit + 1 }
        const rows = await tables.gateway.grants.list(asked, clock.now())
        const names = await namesOf(platform(), new Set(rows.map(({ group_id }) => group_id)))
        const grants = rows.slice(0, limit).map((row) => {
          return { ...row, group_name: names.get(row.group_id) ?? row.group_id }
        })
        return { grants, more: rows.length > limit }
      },
    }),
    defineRoute({
      ...{ ...own, path: `${own.path}/:grant_id`, method: 'DELETE', params: ownGrantParamsSchema },
      summary: 'Ends the access that you gave; the sessions of this client end within a second.',
      async handle({ principal, params: { grant_id } }) {
        gatewayOf(platform())
        const { tenant_id, user_id } = principal
        const grant = await platform().tables.gateway.grants.get(grant_id)
        if (grant?.tenant_id !== tenant_id || grant.user_id !== user_id) {
          throw new AppError('not_found', `there is no grant ${grant_id}`)
        }
        await endGrant(platform(), principal, grant)
      },
    }),
  ]
}

async function namesOf({ tables }: Platform, group_ids: ReadonlySet<string>) {
  const groups = await Promise.all([...group_ids].map((id) => tables.gateway.groups.get(id)))
  return new Map(groups.flatMap((group) => (group ? [[group.group_id, group.name]] : [])))
}
