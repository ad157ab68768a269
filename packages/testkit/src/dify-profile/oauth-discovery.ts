import type { Challenge } from './fault.ts'
import { isObject, isTextList } from './models.ts'
import type { OAuthAsk } from './oauth-http.ts'
import type { Header } from './wire.ts'

export interface ServerMetadata {
  authorization_endpoint: string
  token_endpoint: string
  registration_endpoint?: string | undefined
  response_types_supported: string[]
  grant_types_supported?: string[] | undefined
  scopes_supported?: string[] | undefined
}

export interface Discovered {
  metadata: ServerMetadata | undefined
  /** What is asked for: of the challenge, else of the resource, else of the server. */
  scope: string | undefined
}

const headers: Header[] = [
  ['MCP-Protocol-Version', '2025-06-18'],
  ['User-Agent', 'Dify'],
]

/** Looks in the places that Dify looks in, in its order. */
export async function discover(
  ask: OAuthAsk,
  url: string,
  challenge: Challenge,
): Promise<Discovered> {
  const resource = await firstOf(ask, resourcePlaces(url, challenge.resource_metadata), toResource)
  const server = resource?.authorization_servers[0] ?? url
  const metadata = await firstOf(ask, serverPlaces(server), toServerMetadata)
  const scopes = resource?.scopes_supported ?? metadata?.scopes_supported
  return { metadata, scope: challenge.scope ?? scopes?.join(' ') }
}

/** The first 200 that is what it should be; all else is passed over. */
async function firstOf<T>(
  ask: OAuthAsk,
  places: string[],
  parse: (value: Record<string, unknown>) => T | undefined,
): Promise<T | undefined> {
  for (const url of places) {
    const { status, text } = await ask({ method: 'GET', url, headers })
    const value = status === 200 ? parseObject(text) : undefined
    const found = value && parse(value)
    if (found) return found
  }
  return undefined
}

function resourcePlaces(url: string, named: string | undefined): string[] {
  const { origin, pathname } = new URL(url)
  const path = pathname.replace(/\/+$/, '')
  const wellKnown = `${origin}/.well-known/oauth-protected-resource`
  const first = named && URL.canParse(named, origin) ? [new URL(named, origin).href] : []
  return [...new Set([...first, `${wellKnown}${path}`, wellKnown])]
}

/** The root comes before the path: whatever is at the root hides an issuer with a path. */
function serverPlaces(server: string): string[] {
  const { origin, pathname } = new URL(server)
  const path = pathname.replace(/\/+$/, '')
  const atRoot = [
    `${origin}/.well-known/oauth-authorization-server`,
    `${origin}/.well-known/openid-configuration`,
  ]
  if (path === '') return atRoot
  return [
    ...atRoot,
    `${origin}/.well-known/openid-configuration${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
    `${origin}/.well-known/oauth-authorization-server${path}`,
  ]
}

interface Resource {
  authorization_servers: string[]
  scopes_supported: string[] | undefined
}

function toResource(value: Record<string, unknown>): Resource | undefined {
  const { authorization_servers, scopes_supported } = value
  if (!isTextList(authorization_servers)) return undefined
  return { authorization_servers, scopes_supported: toScopes(scopes_supported) }
}

function toServerMetadata(value: Record<string, unknown>): ServerMetadata | undefined {
  const { authorization_endpoint, token_endpoint, registration_endpoint } = value
  const { response_types_supported, grant_types_supported } = value
  if (typeof authorization_endpoint !== 'string' || typeof token_endpoint !== 'string')
    return undefined
  if (!isTextList(response_types_supported)) return undefined
  return {
    authorization_endpoint,
    token_endpoint,
    registration_endpoint:
      typeof registration_endpoint === 'string' ? registration_endpoint : undefined,
    response_types_supported,
    grant_types_supported: isTextList(grant_types_supported) ? grant_types_supported : undefined,
    scopes_supported: toScopes(value.scopes_supported),
  }
}

/** An empty list is as none. */
function toScopes(value: unknown): string[] | undefined {
  return isTextList(value) && value.length > 0 ? value : undefined
}

export function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
