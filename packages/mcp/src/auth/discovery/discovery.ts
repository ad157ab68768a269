import type { Clock } from '@dataagent/guard'
import { isPlainObject } from '@dataagent/schema/base'
import { toOAuthError, unfitError } from '../requests/oauth-error.ts'
import type { OAuthRequests } from '../requests/oauth-requests.ts'
import { loadSdk } from '../requests/sdk.ts'
import type { AuthorizationServer, Discovery } from '../storage/records.ts'
import { isSameIssuer, legacyAuthorizationServer, toAuthorizationServer } from './metadata.ts'
import { createUrlRules, type UrlRules } from './safe-url.ts'

export interface DiscoverOptions {
  serverUrl: URL
  requests: OAuthRequests
  clock: Clock
  /** Where the server says its metadata is; an address that must not be used is passed over. */
  resourceMetadataUrl?: string | undefined
  /** Issuers to be taken before others where the server names several, the dearest first. */
  preferred: string[]
}

/** What a server says of itself as a protected resource (RFC 9728, section 2). */
interface Resource {
  url: string
  resource: string
  authorization_servers: string[]
  scopes_supported?: string[]
}

/**
 * Finds out who authorizes access to a server: its resource metadata (RFC 9728), then that of the
 * authorization server named there (RFC 8414 or OpenID Connect Discovery). A server with neither is
 * taken as one of 2025-03-26, which authorizes by itself. Rejects with an McpError.
 */
export async function discover(options: DiscoverOptions): Promise<Discovery> {
  const { serverUrl, requests, clock, preferred } = options
  const rules = createUrlRules(serverUrl)
  const resource = await findResource(options, rules)
  const named = resource?.authorization_servers
  const issuer = named && chooseIssuer(named, preferred, rules)
  const found = await findAuthorizationServer(issuer ?? `${serverUrl.origin}/`, requests, rules)
  if (found === undefined && issuer !== undefined) {
    const { host } = new URL(issuer)
    throw unfitError(`the authorization server ${host} says nothing of itself`, { host })
  }
  return {
    resource: resource?.resource ?? toResourceIndicator(serverUrl),
    ...(resource && { resource_metadata_url: resource.url }),
    ...(resource?.scopes_supported && { scopes_supported: resource.scopes_supported }),
    authorization_server: found ?? legacyAuthorizationServer(serverUrl),
    fetched_at: clock.now(),
  }
}

/** An issuer is an address without query (RFC 8414, section 2). What is none is passed over. */
function chooseIssuer(named: string[], preferred: string[], rules: UrlRules): string | undefined {
  const issuers = named.filter((issuer) => rules.allows(issuer) && !issuer.includes('?'))
  if (named.length > 0 && issuers.length === 0) rules.check(undefined, 'authorization server')
  const wanted = preferred.flatMap((issuer) => issuers.filter((one) => isSameIssuer(issuer, one)))
  return wanted[0] ?? issuers[0]
}

async function findResource(
  options: DiscoverOptions,
  rules: UrlRules,
): Promise<Resource | undefined> {
  const { serverUrl, requests, resourceMetadataUrl } = options
  const named = rules.allows(resourceMetadataUrl) ? [resourceMetadataUrl] : []
  const path = serverUrl.pathname.replace(/\/$/, '')
  const wellKnown = `${serverUrl.origin}/.well-known/oauth-protected-resource`
  const places = new Set([...named, `${wellKnown}${path}${serverUrl.search}`, wellKnown])
  const found = await findFirst([...places], requests)
  return found && toResource(found, serverUrl)
}

async function findAuthorizationServer(
  issuer: string,
  requests: OAuthRequests,
  rules: UrlRules,
): Promise<AuthorizationServer | undefined> {
  const { buildDiscoveryUrls } = await loadSdk()
  const places = buildDiscoveryUrls(issuer).map(({ url }) => url.href)
  const found = await findFirst(places, requests)
  return found && toAuthorizationServer(found.value, issuer, rules)
}

/** The first document there is. With none, a server in trouble is a failure, not an absence. */
async function findFirst(
  places: string[],
  requests: OAuthRequests,
): Promise<{ url: string; value: unknown } | undefined> {
  let trouble: Error | undefined
  for (const url of places) {
    const { host } = new URL(url)
    const lookup = await requests.look(url).catch((error) => {
      throw toOAuthError(error, host)
    })
    if (lookup.status === 'found') return { url, value: lookup.value }
    if (lookup.status === 'trouble') trouble = toOAuthError(undefined, host)
  }
  if (trouble) throw trouble
  return undefined
}

function toResource({ url, value }: { url: string; value: unknown }, serverUrl: URL): Resource {
  const { resource, authorization_servers, scopes_supported } = isPlainObject(value) ? value : {}
  if (!isResourceOf(resource, serverUrl)) {
    const { host } = serverUrl
    throw unfitError(`the resource metadata of ${host} is for another resource`, { host })
  }
  return {
    url,
    resource,
    authorization_servers: toTexts(authorization_servers),
    ...(Array.isArray(scopes_supported) && { scopes_supported: toTexts(scopes_supported) }),
  }
}

/** Whether tokens for `resource` are tokens for the server: its own address, or one it is below. */
function isResourceOf(resource: unknown, serverUrl: URL): resource is string {
  const named = typeof resource === 'string' ? URL.parse(resource) : null
  if (named?.origin !== serverUrl.origin || named.hash !== '') return false
  const withSlash = (path: string) => (path.endsWith('/') ? path : `${path}/`)
  return withSlash(serverUrl.pathname).startsWith(withSlash(named.pathname))
}

/** RFC 8707, section 2. A lone slash is left out, as the specification asks. */
function toResourceIndicator({ origin, pathname }: URL): string {
  return pathname === '/' ? origin : `${origin}${pathname}`
}

function toTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}
