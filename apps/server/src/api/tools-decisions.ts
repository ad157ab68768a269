import { type PendingTool, platformTenant } from '@dataagent/hub'
import { AppError, pendingToolListSchema, toolDecisionRequestSchema } from '@dataagent/schema'
import { defineRoute, type Route } from '../deps/index.ts'
import { mayAccess, type Principal } from '../identity/index.ts'
import type { GetPlatform, Platform } from '../platform/index.ts'
import { isManager } from './servers-view.ts'

/** Definitions that have changed and are held back until someone has looked at them. */
export function toolDecisionRoutes(platform: GetPlatform): Route[] {
  return [
    defineRoute({
      ...{ method: 'GET', path: '/tools/pending', tag: 'tools', access: 'user' },
      summary: 'Definitions that wait for the caller, with the difference.',
      answer: pendingToolListSchema,
      handle: async ({ principal }) => ({ tools: await pendingFor(platform(), principal) }),
    }),
    defineRoute({
      ...{ method: 'POST', path: '/tools/decide', tag: 'tools', access: 'user' },
      summary: 'Takes a definition over, or keeps it withheld.',
      body: toolDecisionRequestSchema,
      async handle({ principal, body: { server_id, name, version, decision } }) {
        const waiting = await pendingFor(platform(), principal)
        const isMeant = ({ tool }: PendingTool) =>
          tool.server_id === server_id && tool.name === name
        const found = waiting.find(isMeant)
        if (!found) throw new AppError('not_found', `nothing waits for ${server_id}/${name}`)
        if (found.pending.version !== version) throw changedMeanwhile(found)
        const { catalogue } = platform().hub
        await catalogue[decision](principal, { server_id, name }, found.pending.hash)
      },
    }),
  ]
}

/** Those of servers that the caller manages. */
async function pendingFor({ hub }: Platform, principal: Principal): Promise<PendingTool[]> {
  const isOfAll = mayAccess(principal, 'platform_admin')
  const tenants = isOfAll ? [principal.tenant_id, platformTenant] : [principal.tenant_id]
  const found = await Promise.all(tenants.map((tenant_id) => hub.catalogue.pending(tenant_id)))
  return found.flat().filter(({ tool }) => {
    const server = hub.servers.get(tool.tenant_id, tool.server_id)
    return server !== undefined && isManager(principal, server)
  })
}

function changedMeanwhile({ tool, pending }: PendingTool): AppError {
  const message = `${tool.name} has changed since you looked: version ${pending.version} waits now`
  return new AppError('conflict', message, { data: { version: pending.version } })
}
