import { randomUUID } from 'node:crypto'
import { AppError } from '@dataagent/schema'
import type { StandInClient } from './client-check.ts'
import {
  type HttpStandIn,
  notFound,
  type StandInAnswer,
  type StandInRequest,
  startHttpStandIn,
} from './http-stand-in.ts'
import { createIssued, createSecret, type IssuedToken, type SecretKind } from './issued.ts'
import { answerTokenRequest, type TokenEndpointOptions } from './token-endpoint.ts'

/** The parameters with which the browser comes back. */
export interface BrowserAnswer {
  code?: string
  state?: string
  iss?: string
  error?: string
}

/** An authorization server over HTTP on loopback: what it gives out, its resources may check. */
export interface AuthorizationServerStandIn extends HttpStandIn {
  readonly issuer: string
  /** Laid over the metadata document; `undefined` takes a member away. */
  metadata: Record<string, unknown>
  /** Known clients; a test may add and remove some. */
  readonly clients: Map<string, StandInClient>
  /** Plays the browser of a person who agrees, or who does not. */
  visit(authorizationUrl: string, options?: { agrees?: boolean }): Promise<BrowserAnswer>
  /** What an access token is good for; nothing when it is not good. */
  verify(token: string): IssuedToken | undefined
  revokeAll(kind: 'access' | 'refresh'): void
  /** How many token requests there were of a grant type. */
  grants(type: string): number
}

export interface StartAuthorizationServerOptions
  extends Partial<Omit<TokenEndpointOptions, 'issuer' | 'issued' | 'clients'>> {
  /** The path of the issuer, as `/tenant`; default none. */
  path?: string
  /** Says what it is at the places of OpenID Connect only. */
  isOpenId?: boolean
  clients?: StandInClient[]
  metadata?: Record<string, unknown>
  createSecret?: (kind: SecretKind) => string
}

/** Starts an authorization server that registers anyone and whose persons agree to anything. */
export async function startAuthorizationServer(
  options: StartAuthorizationServerOptions = {},
): Promise<AuthorizationServerStandIn> {
  const { path = '', isOpenId = false } = options
  const create = options.createSecret ?? createSecret
  const issued = createIssued(create)
  const clients = new Map((options.clients ?? []).map((client) => [client.client_id, client]))
  const server = await startHttpStandIn(handle)
  const issuer = `${server.origin}${path}`
  const endpoint: TokenEndpointOptions = {
    issuer,
    issued,
    clients,
    expiresIn: options.expiresIn ?? 3_600,
    rotates: options.rotates ?? true,
    refreshes: options.refreshes ?? true,
    grantScope: options.grantScope ?? ((asked) => asked),
    acceptsAssertion: options.acceptsAssertion ?? (() => false),
  }
  const standIn: AuthorizationServerStandIn = Object.assign(server, {
    issuer,
    metadata: options.metadata ?? {},
    clients,
    visit,
    verify: issued.findAccess,
    revokeAll: issued.revokeAll,
    grants: (type: string) => server.requests.filter((request) => isGrant(request, type)).length,
  })
  return standIn

  function handle(request: StandInRequest): StandInAnswer {
    if (wellKnown(isOpenId, path).includes(request.path)) return { body: describe() }
    switch (`${request.method} ${request.path}`) {
      case `GET ${path}/authorize`:
        return authorize(request.query)
      case `POST ${path}/token`:
        return answerTokenRequest(request, endpoint)
      case `POST ${path}/register`:
        return register(JSON.parse(request.body))
      case `POST ${path}/revoke`:
        issued.revoke(new URLSearchParams(request.body).get('token') ?? '')
        return {}
      default:
        return notFound
    }
  }

  function describe(): object {
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      registration_endpoint: `${issuer}/register`,
      revocation_endpoint: `${issuer}/revoke`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      ...standIn.metadata,
    }
  }

  function authorize(query: URLSearchParams): StandInAnswer {
    const client_id = query.get('client_id') ?? ''
    const redirect_uri = query.get('redirect_uri') ?? ''
    const client = clients.get(client_id)
    const isKnown = client?.redirect_uris?.includes(redirect_uri) ?? client_id.startsWith('https:')
    const code_challenge = query.get('code_challenge')
    if (!isKnown || !code_challenge || query.get('code_challenge_method') !== 'S256') {
      return { status: 400, body: { error: 'invalid_request' } }
    }
    if (!client) clients.set(client_id, { client_id, redirect_uris: [redirect_uri] })
    const location = new URL(redirect_uri)
    if (query.get('agrees') === 'no') location.searchParams.set('error', 'access_denied')
    else {
      const scope = endpoint.grantScope(query.get('scope') ?? '')
      const resource = query.get('resource') ?? undefined
      const grant = { client_id, scope, resource, code_challenge, redirect_uri }
      location.searchParams.set('code', issued.code(grant))
    }
    location.searchParams.set('state', query.get('state') ?? '')
    location.searchParams.set('iss', issuer)
    return { status: 302, headers: { location: location.href } }
  }

  function register(metadata: Record<string, unknown>): StandInAnswer {
    const client_id = `client-${randomUUID()}`
    const { redirect_uris = [], token_endpoint_auth_method = 'client_secret_basic' } = metadata
    const isPublic = token_endpoint_auth_method === 'none'
    const client = {
      client_id,
      ...(!isPublic && { client_secret: create('client_secret') }),
      redirect_uris: redirect_uris as string[],
    }
    clients.set(client_id, client)
    return { status: 201, body: { ...metadata, ...client, token_endpoint_auth_method } }
  }
}

/** The places of RFC 8414, section 3.1, and of OpenID Connect Discovery, section 4. */
function wellKnown(isOpenId: boolean, path: string): string[] {
  if (!isOpenId) return [`/.well-known/oauth-authorization-server${path}`]
  return [`${path}/.well-known/openid-configuration`]
}

async function visit(
  authorizationUrl: string,
  { agrees = true }: { agrees?: boolean } = {},
): Promise<BrowserAnswer> {
  const url = new URL(authorizationUrl)
  if (!agrees) url.searchParams.set('agrees', 'no')
  const response = await fetch(url, { redirect: 'manual' })
  const location = response.headers.get('location')
  if (location === null) {
    throw new AppError('upstream_failed', `The sign-in page answered ${response.status}`)
  }
  return Object.fromEntries(new URL(location).searchParams)
}

function isGrant({ path, body }: StandInRequest, type: string): boolean {
  return path.endsWith('/token') && new URLSearchParams(body).get('grant_type') === type
}
