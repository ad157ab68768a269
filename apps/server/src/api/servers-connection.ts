import { parsePaste, type RegisteredServer, toUpstreamKey } from '@dataagent/hub'
import {
  AppError,
  connectionTestResultSchema,
  id,
  importPreviewSchema,
  importRequestSchema,
  serverHealthHistorySchema,
  serverStatusListSchema,
  serverTestRequestSchema,
} from '@dataagent/schema'
import { z } from 'zod'
import { type Call, defineRoute, type Route } from '../deps/index.ts'
import type { Principal } from '../identity/index.ts'
import type { GetPlatform, Platform } from '../platform/index.ts'
import { toTestServer, usualScope } from './servers-test.ts'
import { findServer, isManager, toHistory, toStatuses } from './servers-view.ts'
import { createTestsAtOnce } from './tests-at-once.ts'

/** Looking at a server before it is added, and at its connection afterwards. */
export function serverConnectionRoutes(platform: GetPlatform): Route[] {
  return [importRoute(platform), testRoute(platform), ...statusRoutes(platform)]
}

function importRoute(platform: GetPlatform): Route {
  return defineRoute({
    ...{ method: 'POST', path: '/mcp-servers/import', tag: 'servers', access: 'user' },
    summary: 'Reads a pasted configuration, command or link; stores and starts nothing.',
    body: importRequestSchema,
    answer: importPreviewSchema,
    handle({ principal, body }) {
      const servers = platform().hub.servers.visibleTo(principal)
      const own = servers.filter(({ user_id }) => user_id === principal.user_id)
      return parsePaste(body.text, { taken: new Set(own.map(({ config }) => config.name)) })
    },
  })
}

function testRoute(platform: GetPlatform): Route {
  const inTurn = createTestsAtOnce()
  return defineRoute({
    ...{ method: 'POST', path: '/mcp-servers/test', tag: 'servers', access: 'user', isLong: true },
    summary: 'Connects to a server that need not be stored, and says how far it came.',
    body: serverTestRequestSchema,
    answer: connectionTestResultSchema,
    async handle({ principal, body: { scope = usualScope(principal), config }, signal }) {
      const { templates, hub } = platform()
      const server = toTestServer(principal, scope, config)
      // The same gate as for adding it: a test starts what it tests.
      await templates.gate.check(principal, config, scope)
      return inTurn(principal, () => hub.upstreams.test(server, { signal }))
    },
  })
}

function statusRoutes(platform: GetPlatform): Route[] {
  const one = {
    tag: 'servers',
    params: z.strictObject({ server_id: id }),
    answer: serverStatusListSchema,
  } as const

  /** How it went is told by the status, as for a connection that is lost by itself. */
  async function renew(
    how: 'reconnect' | 'refresh',
    { principal, params, signal }: Call<{ server_id: string }>,
  ) {
    const server = await findToRenew(platform(), principal, params.server_id)
    const key = toUpstreamKey(server, principal.user_id)
    await platform()
      .hub.upstreams[how](key, { signal })
      .catch(() => undefined)
    return toStatuses(platform(), principal, server)
  }

  return [
    defineRoute({
      ...{ ...one, answer: serverHealthHistorySchema },
      ...{ method: 'GET', path: '/mcp-servers/:server_id/health', access: 'member' },
      summary: 'How the connections to a server have fared lately, newest change first.',
      handle: ({ principal, params: { server_id } }) =>
        toHistory(platform(), principal, findServer(platform(), principal, server_id)),
    }),
    defineRoute({
      ...one,
      ...{ method: 'GET', path: '/mcp-servers/:server_id/status', access: 'member' },
      summary: 'How the connections to a server fare.',
      handle: ({ principal, params: { server_id } }) =>
        toStatuses(platform(), principal, findServer(platform(), principal, server_id)),
    }),
    defineRoute({
      ...one,
      ...{
        method: 'POST',
        path: '/mcp-servers/:server_id/reconnect',
        access: 'user',
        isLong: true,
      },
      summary: 'Connects anew, from whatever state.',
      handle: (call) => renew('reconnect', call),
    }),
    defineRoute({
      ...one,
      ...{ method: 'POST', path: '/mcp-servers/:server_id/refresh', access: 'user', isLong: true },
      summary: 'Asks a server for its tools again.',
      handle: (call) => renew('refresh', call),
    }),
  ]
}

/** A connection of one's own, or any of a server that one manages; it may start a process. */
export async function findToRenew(
  platform: Platform,
  principal: Principal,
  server_id: string,
): Promise<RegisteredServer> {
  const server = findServer(platform, principal, server_id)
  const isOwn = toUpstreamKey(server, principal.user_id).user_id === principal.user_id
  if (!isOwn && !isManager(principal, server))
    throw new AppError('forbidden', 'shared connections are renewed by administrators')
  if (server.user_id !== null) await platform.templates.gate.check(principal, server.config, 'user')
  return server
}
