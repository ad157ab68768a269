import {
  type HttpStandIn,
  notFound,
  type StandInAnswer,
  type StandInRequest,
  startHttpStandIn,
} from './http-stand-in.ts'
import type { IssuedToken } from './issued.ts'

/** A message of JSON-RPC, as far as this stand-in looks. */
export interface RpcMessage {
  id?: string | number
  method?: string
  params?: Record<string, unknown>
}

export interface StartProtectedResourceOptions {
  /** The issuers it names; asked anew each time. */
  issuers: () => string[]
  /** What a token is good for; mostly `verify` of an authorization server. */
  verify: (token: string) => IssuedToken | undefined
  /** What a message needs besides a token, as `files:read files:write`. */
  scopeFor?: (message: RpcMessage) => string | undefined
  /** The result for a message; without one its method is unknown. Default: an empty result. */
  answer?: (message: RpcMessage) => object | undefined
  /** Laid over the metadata document; `undefined` takes a member away. */
  metadata?: Record<string, unknown>
  /** Where the metadata is. `named`: where the challenge says, and nowhere else. */
  place?: 'path' | 'root' | 'named' | 'nowhere'
}

/** An MCP server over HTTP on loopback that wants a bearer token for `<url>`. */
export interface ProtectedResourceStandIn extends HttpStandIn {
  /** The MCP endpoint. */
  readonly url: string
  /** How many messages were let through. */
  accepted(): number
}

const wellKnown = '/.well-known/oauth-protected-resource'
const places = { path: `${wellKnown}/mcp`, root: wellKnown, named: '/about', nowhere: undefined }

/** Starts a server that answers only to those who bring a token for it. */
export async function startProtectedResource(
  options: StartProtectedResourceOptions,
): Promise<ProtectedResourceStandIn> {
  const { place = 'path', verify, scopeFor, answer = () => ({}) } = options
  let accepted = 0
  const server = await startHttpStandIn(handle)
  const url = `${server.origin}/mcp`
  return Object.assign(server, { url, accepted: () => accepted })

  function handle(request: StandInRequest): StandInAnswer {
    if (request.path === places[place]) return { body: describe() }
    if (request.path !== '/mcp') return notFound
    const message: RpcMessage = request.body === '' ? {} : JSON.parse(request.body)
    const needed = scopeFor?.(message)
    const token = verify(request.headers.authorization?.replace(/^Bearer /, '') ?? '')
    if (!token || token.resource !== describe().resource) return challenge(401, needed)
    const held = token.scope.split(' ')
    if (needed?.split(' ').some((scope) => !held.includes(scope))) return challenge(403, needed)
    if (request.method !== 'POST') return { status: 405 }
    accepted += 1
    if (message.id === undefined) return { status: 202 }
    const result = answer(message)
    const error = { code: -32601, message: 'Method not found' }
    return { body: { jsonrpc: '2.0', id: message.id, ...(result ? { result } : { error }) } }
  }

  function describe(): Record<string, unknown> {
    return { resource: url, authorization_servers: options.issuers(), ...options.metadata }
  }

  /** RFC 6750, section 3, and RFC 9728, section 5.1. */
  function challenge(status: 401 | 403, scope: string | undefined): StandInAnswer {
    const parts = [
      ...(place === 'nowhere' ? [] : [`resource_metadata="${server.origin}${places[place]}"`]),
      ...(scope ? [`scope="${scope}"`] : []),
      ...(status === 403 ? ['error="insufficient_scope"'] : []),
    ]
    const header = ['Bearer', parts.join(', ')].join(' ').trim()
    return { status, headers: { 'www-authenticate': header }, body: { error: 'refused' } }
  }
}
