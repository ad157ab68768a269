import { estimateTokens } from '@dataagent/core'
import {
  type CatalogueEntry,
  ownServerId,
  platformTenant,
  type RegisteredServer,
  scopeOf,
} from '@dataagent/hub'
import {
  type RegisteredTool,
  registeredToolsPageSchema,
  registeredToolsQuerySchema,
} from '@dataagent/schema'
import { defineRoute, type Route } from '../deps/index.ts'
import type { GetPlatform, Platform } from '../platform/index.ts'
import { matches } from './tools-view.ts'

/** Every tool of the tenant, whoever may call it. */
export function toolRegistryRoutes(platform: GetPlatform): Route[] {
  return [
    defineRoute({
      ...{ method: 'GET', path: '/tools/registry', tag: 'tools', access: 'admin' },
      summary: 'Every tool of every server of the tenant, those held back too.',
      query: registeredToolsQuerySchema,
      answer: registeredToolsPageSchema,
      handle({ principal: { tenant_id }, query: { q, server_id, offer, limit, offset } }) {
        const found = serversOf(platform(), tenant_id)
          .filter((one) => server_id === undefined || one.server_id === server_id)
          .flatMap((one) => toolsOf(platform(), one))
          .filter(
            ({ entry }) =>
              matches(entry, q) && (offer ?? entry.offer.status) === entry.offer.status,
          )
          .sort((a, b) => (a.entry.sdk_name < b.entry.sdk_name ? -1 : 1))
        const page = found.slice(offset, offset + limit)
        const tools = page.map((each) => toRegistered(platform(), tenant_id, each))
        return { tools, limit, offset, total: found.length }
      },
    }),
  ]
}

/** Of a server, or of the platform itself. */
interface Source {
  tenant_id: string
  server_id: string
  server?: RegisteredServer
}

function serversOf({ hub }: Platform, tenant_id: string): Source[] {
  const near = [tenant_id, platformTenant]
  const servers = hub.servers.all().filter((server) => near.includes(server.tenant_id))
  return [
    { tenant_id: platformTenant, server_id: ownServerId },
    ...servers.map((server) => ({ ...idsOf(server), server })),
  ]
}

const idsOf = ({ tenant_id, server_id }: RegisteredServer) => ({ tenant_id, server_id })

interface Found {
  source: Source
  entry: CatalogueEntry
}

function toolsOf({ hub }: Platform, source: Source): Found[] {
  const entries = hub.catalogue.ofServer(source.tenant_id, source.server_id)
  return entries.filter(({ tool }) => tool.state !== 'gone').map((entry) => ({ source, entry }))
}

/** Judged for the person whose server it is, or for anyone of the tenant. */
function toRegistered(
  { hub }: Platform,
  tenant_id: string,
  { source: { server, server_id }, entry }: Found,
): RegisteredTool {
  const { tool, sdk_name, offer } = entry
  const { name, description, inputSchema, ...rest } = tool.definition
  const { version, seen_at, findings } = tool
  const user_id = server?.user_id ?? null
  const judged = hub.policy.decide({ principal: { tenant_id, user_id, role: 'user' } }, entry)
  return {
    ...{ name, description, server_id, sdk_name, version, seen_at, findings, user_id },
    ...(rest.title !== undefined && { title: rest.title }),
    ...(rest.annotations !== undefined && { annotations: rest.annotations }),
    server_name: server?.config.name ?? server_id,
    scope: server ? scopeOf(server) : 'platform',
    tokens: estimateTokens(JSON.stringify({ name, description, inputSchema })),
    offer: offer.status === 'unavailable' ? { ...offer } : offer,
    verdict: judged.status,
    by: judged.by,
  }
}
