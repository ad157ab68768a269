import type { RegisteredServer } from '@dataagent/hub'
import {
  AppError,
  id,
  type ServerConfigInput,
  type ServerUpdateInput,
  serverConfigSchema,
  serverInfoSchema,
  serverListSchema,
  serverName,
  serverUpdateSchema,
} from '@dataagent/schema'
import { z } from 'zod'
import { defineRoute, ownerOf, type Route } from '../deps/index.ts'
import type { Principal } from '../identity/index.ts'
import type { GetPlatform, Platform } from '../platform/index.ts'
import { namingLimits, toInfo } from './servers-view.ts'
import { findManaged } from './users.ts'

const all = {
  path: '/users/:user_id/mcp-servers',
  tag: 'servers',
  access: 'user',
  params: z.strictObject({ user_id: id }),
} as const
const one = {
  path: '/users/:user_id/mcp-servers/:server_name',
  tag: 'servers',
  access: 'user',
  params: z.strictObject({ user_id: id, server_name: serverName }),
} as const

/** A user's own servers, which stand before shared ones of the same name [D30.5]. */
export function userServerRoutes(platform: GetPlatform): Route[] {
  return [
    defineRoute({
      ...all,
      ...{ method: 'GET', summary: "A user's own servers." },
      answer: serverListSchema,
      async handle({ principal, params: { user_id } }) {
        const user = await actAs(platform(), principal, user_id)
        const servers = ownServers(platform(), user)
        return { servers: servers.map((server) => toInfo(platform(), user, server)) }
      },
    }),
    defineRoute({
      ...all,
      ...{ method: 'POST', creates: true, status: 201, summary: 'Adds a server of a user.' },
      body: serverConfigSchema,
      answer: serverInfoSchema,
      async handle({ principal, params: { user_id }, request }) {
        const user = await actAs(platform(), principal, user_id)
        // As it was sent: the registry reads its secrets itself.
        const config = request.body as ServerConfigInput
        const adding = platform().hub.servers.register(user, { scope: 'user', config })
        return toInfo(platform(), user, await namingLimits(adding))
      },
    }),
    defineRoute({
      ...one,
      ...{ method: 'GET', summary: 'One of them.' },
      answer: serverInfoSchema,
      async handle({ principal, params: { user_id, server_name } }) {
        const user = await actAs(platform(), principal, user_id)
        return toInfo(platform(), user, findOwn(platform(), user, server_name))
      },
    }),
    defineRoute({
      ...one,
      ...{ method: 'PUT' },
      summary: 'Changes one; a secret whose view is sent back stays as it is.',
      body: serverUpdateSchema,
      answer: serverInfoSchema,
      async handle({ principal, params: { user_id, server_name }, request }) {
        const user = await actAs(platform(), principal, user_id)
        const { server_id } = findOwn(platform(), user, server_name)
        const change = request.body as ServerUpdateInput
        // As the caller: what an administrator changes acts on sessions under way [D30.6].
        const server = await platform().hub.servers.update(principal, server_id, change)
        return toInfo(platform(), user, server)
      },
    }),
    defineRoute({
      ...one,
      ...{ method: 'DELETE', summary: 'Removes one, with its tools and credentials.' },
      async handle({ principal, params: { user_id, server_name } }) {
        const user = await actAs(platform(), principal, user_id)
        const { server_id } = findOwn(platform(), user, server_name)
        await platform().hub.servers.remove(principal, server_id)
      },
    }),
  ]
}

/** The user whose servers they are, with the rights of the caller, who is noted for changes. */
async function actAs(platform: Platform, principal: Principal, asked: string) {
  const { tenant_id, user_id } = ownerOf(principal, asked)
  if (user_id === principal.user_id) return principal
  await findManaged(platform, principal, { tenant_id, user_id })
  return { ...principal, user_id, acting_user: principal.acting_user ?? principal.user_id }
}

function ownServers({ hub }: Platform, { tenant_id, user_id }: Principal) {
  return hub.servers
    .visibleTo({ tenant_id, user_id })
    .filter((server) => server.user_id === user_id)
}

function findOwn(platform: Platform, user: Principal, name: string): RegisteredServer {
  const server = ownServers(platform, user).find(({ config }) => config.name === name)
  if (server) return server
  throw new AppError('not_found', `there is no server "${name}"`)
}
