import { platformTenant } from '@dataagent/hub'
import {
  id,
  type ServerUpdateInput,
  type SharedServerCreateInput,
  serverInfoSchema,
  serverListSchema,
  serverUpdateSchema,
  sharedServerCreateSchema,
} from '@dataagent/schema'
import { z } from 'zod'
import { defineRoute, type Route } from '../deps/index.ts'
import { mayAccess, type Principal } from '../identity/index.ts'
import type { GetPlatform, Platform } from '../platform/index.ts'
import { findServer, namingLimits, toInfo } from './servers-view.ts'

const all = { path: '/mcp-servers', tag: 'servers' } as const
const one = {
  path: '/mcp-servers/:server_id',
  tag: 'servers',
  params: z.strictObject({ server_id: id }),
} as const

/** Servers that administrators share. */
export function serverRoutes(platform: GetPlatform): Route[] {
  return [
    defineRoute({
      ...all,
      ...{ method: 'GET', access: 'member', summary: 'Servers that are shared with the caller.' },
      answer: serverListSchema,
      handle({ principal }) {
        const servers = sharedWith(platform(), principal)
        return { servers: servers.map((server) => toInfo(platform(), principal, server)) }
      },
    }),
    defineRoute({
      ...all,
      ...{ method: 'POST', access: 'admin', creates: true, status: 201 },
      summary: 'Shares a server within the tenant, or with all tenants.',
      body: sharedServerCreateSchema,
      answer: serverInfoSchema,
      async handle({ principal, body: { scope }, request }) {
        // As it was sent: the registry reads its secrets itself.
        const { config } = request.body as SharedServerCreateInput
        const adding = platform().hub.servers.register(principal, { scope, config })
        return toInfo(platform(), principal, await namingLimits(adding))
      },
    }),
    defineRoute({
      ...one,
      ...{ method: 'GET', access: 'member', summary: 'One server that the caller may see.' },
      answer: serverInfoSchema,
      handle: ({ principal, params: { server_id } }) =>
        toInfo(platform(), principal, findServer(platform(), principal, server_id)),
    }),
    defineRoute({
      ...one,
      ...{ method: 'PUT', access: 'admin' },
      summary: 'Changes a server; a secret whose view is sent back stays as it is.',
      body: serverUpdateSchema,
      answer: serverInfoSchema,
      async handle({ principal, params: { server_id }, request }) {
        const change = request.body as ServerUpdateInput
        const server = await platform().hub.servers.update(principal, server_id, change)
        return toInfo(platform(), principal, server)
      },
    }),
    defineRoute({
      ...one,
      ...{ method: 'DELETE', access: 'admin', summary: 'Removes a server and its tools.' },
      handle: ({ principal, params }) => platform().hub.servers.remove(principal, params.server_id),
    }),
  ]
}

/** An administrator also sees one that a server of the same name stands before. */
function sharedWith({ hub }: Platform, principal: Principal) {
  if (!mayAccess(principal, 'admin'))
    return hub.servers.visibleTo(principal).filter(({ user_id }) => user_id === null)
  const near = [principal.tenant_id, platformTenant]
  return hub.servers
    .all()
    .filter(({ tenant_id, user_id }) => user_id === null && near.includes(tenant_id))
}
