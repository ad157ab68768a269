import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { systemClock } from '@dataagent/guard'
import { isAppError } from '@dataagent/schema/base'
import { createEntries, findEndpoint, readBody, sendFault } from './entries/index.ts'
import type { GatewayOptions } from './gateway-options.ts'
import { createGroupNames, createGroups, type Groups } from './groups/index.ts'
import { createGatewayLimits } from './limits/index.ts'
import { createOAuthServer } from './oauth/index.ts'
import { createPeers } from './peers/index.ts'
import { rpcCodes } from './protocol/index.ts'
import { createTokens, type Tokens } from './tokens/index.ts'

/** The tools of an installation as an MCP server for others. */
export interface Gateway extends AsyncDisposable {
  /** Serves a request to one of its paths. Never throws. */
  handle(request: IncomingMessage, response: ServerResponse): void
  groups: Groups
  tokens: Pick<Tokens, 'revokeGrants' | 'introspect'>
  /** Reads what the store holds. Rejects where it is away; may then be called again. */
  start(): Promise<void>
  /** Ends streams on which clients only wait, so that they go elsewhere; calls go on. */
  stop(): void
  close(): Promise<void>
}

const defaults = {
  protocol_version: '2024-11-05',
  server_name: 'DataAgent',
  server_identifier: 'dataagent',
  hold_seconds: 50,
  message_bytes: 4 * 1024 * 1024,
}

const bodyMs = 30_000
const oauthBytes = 64 * 1024
const oauthPath = /^\/(?:mcp\/oauth\/|\.well-known\/(?:oauth-|openid-configuration))/

/** Whether a path, without its query, is one of the gateway's. */
export function isGatewayPath(path: string): boolean {
  return oauthPath.test(path) || findEndpoint(path) !== undefined
}

export function createGateway(options: GatewayOptions): Gateway {
  const { hub, store, kv, vault, craft, key, clock = systemClock, publicUrl } = options
  const { onLog = () => {} } = options
  const settings = { ...defaults, ...withoutUndefined(options.settings ?? {}) }
  const onError = (error: unknown) =>
    onLog({ level: 'warn', message: 'the gateway could not finish something', error })
  const peers = createPeers({ kv, clock, onError })
  const groups = createGroups({
    ...{ rows: store.groups, grants: store.grants, hub, vault, craft, clock, onError },
  })
  const names = createGroupNames({ groups, hub, clock, onError })
  const tokens = createTokens({
    ...{ kv, grants: store.grants, groups, craft, key, clock, settings, onError },
    stillMay: (who) => options.people.stillMay(who),
    toolNames: ({ tenant_id, group_id }) => {
      const principal = { tenant_id, user_id: null, role: 'user', group_id } as const
      return [...names.nameOf(group_id, hub.listTools({ principal })).values()]
    },
  })
  const limits = createGatewayLimits({ kv, names, clock, settings: settings.rate_limits })
  const oauth = createOAuthServer({
    ...{ tokens, groups, clients: store.clients, people: options.people, kv, craft },
    ...{ egress: options.egress, publicUrl, settings, clock, onLog },
  })
  const { protocol_version, server_name, server_identifier } = settings
  const entries = createEntries({
    ...{ hub, kv, tokens, groups, names, limits, oauth, peers, key, clock, publicUrl },
    serverInfo: { name: server_identifier, title: server_name, version: options.version },
    seed: {
      ...{ name: server_name, version: options.version, protocolVersion: protocol_version },
      isOpen: settings.open_discovery ?? false,
    },
    ipOf: options.ipOf,
    holdMs: settings.hold_seconds * 1000,
    body: { maxBytes: settings.message_bytes, withinMs: bodyMs },
    onInternal: (error, reference) =>
      onLog({ level: 'error', message: `a request failed unexpectedly: ${reference}`, error }),
  })

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // As it came: what was checked before is what is served.
    const { pathname, query } = toAddress(request.url ?? '/')
    if (oauthPath.test(pathname)) return serveOAuth(request, response, { pathname, query })
    if (!options.isAllowedOrigin(request)) {
      const message = 'Pages of this origin may not call.'
      return sendFault(response, 403, { code: rpcCodes.request, message })
    }
    allowPages(request, response)
    if (request.method === 'OPTIONS') return void response.writeHead(204).end()
    const endpoint = findEndpoint(pathname)
    if (endpoint === undefined) {
      return sendFault(response, 404, {
        code: rpcCodes.request,
        message: 'There is no such endpoint.',
      })
    }
    await entries.serve(request, response, { endpoint, query })
  }

  async function serveOAuth(
    request: IncomingMessage,
    response: ServerResponse,
    { pathname, query }: { pathname: string; query: URLSearchParams },
  ): Promise<void> {
    const body = await readBody(request, { maxBytes: oauthBytes, withinMs: bodyMs })
    const { method = 'GET', headers } = request
    const ip = options.ipOf(request)
    const answer = await oauth.handle({ method, path: pathname, query, headers, ip, body })
    const { status, headers: sent, body: text } = answer ?? notFound
    response.writeHead(status, { ...sent, 'content-length': Buffer.byteLength(text) })
    response.end(method === 'HEAD' ? undefined : text)
  }

  function fail(error: unknown, response: ServerResponse): void {
    if (isAppError(error, 'cancelled')) return void response.destroy()
    const { status, ...fault } = toFailure(error) ?? toUnexpected(error)
    sendFault(response, status, fault)
  }

  function toUnexpected(error: unknown) {
    const reference = randomUUID()
    onLog({ level: 'error', message: `a request failed unexpectedly: ${reference}`, error })
    const message = `Something went wrong on our side. When asking for help, quote ${reference}.`
    return { status: 500, code: rpcCodes.internal, message }
  }

  function handle(request: IncomingMessage, response: ServerResponse): void {
    void serve(request, response).catch((error: unknown) => fail(error, response))
  }

  async function close(): Promise<void> {
    entries.stop()
    entries.close()
    await tokens[Symbol.asyncDispose]()
    await peers[Symbol.asyncDispose]()
  }

  return {
    handle,
    groups,
    tokens,
    async start() {
      await Promise.all([groups.reload(), peers.start()])
    },
    stop: entries.stop,
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** A query may have question marks of its own (RFC 3986 §3.4). */
function toAddress(url: string): { pathname: string; query: URLSearchParams } {
  const [pathname = '/'] = url.split('?', 1)
  return { pathname, query: new URLSearchParams(url.slice(pathname.length + 1)) }
}

/** Stores that are away, and messages that do not come as they should. */
function toFailure(error: unknown) {
  if (isAppError(error, 'store_unavailable')) {
    const message = 'The stores are away. Try again in a moment.'
    return { status: 503, code: rpcCodes.internal, message, headers: { 'retry-after': '1' } }
  }
  if (isAppError(error, 'unavailable')) {
    const { message } = error
    return { status: 503, code: rpcCodes.internal, message, headers: { 'retry-after': '1' } }
  }
  if (isAppError(error, 'timeout'))
    return { status: 408, code: rpcCodes.request, message: error.message }
  if (isAppError(error, 'too_large'))
    return { status: 413, code: rpcCodes.request, message: error.message }
  return undefined
}

const notFound = { status: 404, headers: { 'content-type': 'application/json' }, body: '{}' }

/** Clients in a browser, of origins that may call. */
function allowPages({ headers }: IncomingMessage, response: ServerResponse): void {
  if (headers.origin === undefined) return
  response.setHeader('access-control-allow-origin', headers.origin)
  response.setHeader('vary', 'origin')
  response.setHeader(
    'access-control-expose-headers',
    'mcp-session-id, www-authenticate, retry-after',
  )
  response.setHeader('access-control-allow-methods', 'GET, POST, DELETE')
  response.setHeader(
    'access-control-allow-headers',
    headers['access-control-request-headers'] ?? '*',
  )
  response.setHeader('access-control-max-age', '600')
}

function withoutUndefined<T extends object>(
  fields: T,
): { [K in keyof T]: Exclude<T[K], undefined> } {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given) as { [K in keyof T]: Exclude<T[K], undefined> }
}
