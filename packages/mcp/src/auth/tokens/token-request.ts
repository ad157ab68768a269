import type { Clock } from '@dataagent/guard'
import type { OAuthTokens } from '@modelcontextprotocol/client'
import { authenticateClient } from '../clients/client-authentication.ts'
import { joinScopes } from '../discovery/scopes.ts'
import type { OAuthClient } from '../oauth-contract.ts'
import { unavailableError } from '../requests/oauth-error.ts'
import type { OAuthRequests } from '../requests/oauth-requests.ts'
import { loadSdk, toSdkMetadata } from '../requests/sdk.ts'
import type { ClientRecord, Discovery, TokenRecord } from '../storage/records.ts'

export interface TokenRequest {
  /** `grant_type` and what belongs to it. */
  params: Record<string, string>
  /** As asked for: what is granted where the answer does not say. */
  scope: string | undefined
  by: TokenRecord['obtained_by']
  discovery: Discovery
  client: ClientRecord
  /** Where the client was registered by hand: it may have a private key. */
  own: OAuthClient | undefined
  requests: OAuthRequests
  clock: Clock
}

/**
 * Asks the token endpoint. Rejects with what the SDK throws, which is to be translated: its
 * messages may hold secrets.
 */
export async function requestTokens(request: TokenRequest): Promise<TokenRecord> {
  const { params, discovery, client, own, requests } = request
  const { fetchToken } = await loadSdk()
  const server = discovery.authorization_server
  const provider = {
    redirectUrl: undefined,
    clientMetadata: { redirect_uris: [] },
    clientInformation: () => ({ client_id: client.client_id, issuer: server.issuer }),
    prepareTokenRequest: () => new URLSearchParams(params),
    addClientAuthentication: authenticateClient(client, own),
    tokens: () => undefined,
    saveTokens: unused,
    redirectToAuthorization: unused,
    saveCodeVerifier: unused,
    codeVerifier: () => '',
  }
  const { resource } = discovery
  const metadata = toSdkMetadata(server)
  const wish = { metadata, resource, fetchFn: requests.fetch }
  return toTokenRecord(await fetchToken(provider, server.issuer, wish), request)
}

/** Of what `fetchToken` can be told to do, only the request itself is wanted. */
function unused(): void {}

/** RFC 6750, section 2.1, and a little more: what can stand in a header. */
const headerSafe = /^[\x21-\x7e]{1,16384}$/

function toTokenRecord(tokens: OAuthTokens, request: TokenRequest): TokenRecord {
  const { discovery, client, clock, by } = request
  const { issuer } = discovery.authorization_server
  const { access_token, token_type, refresh_token, expires_in } = tokens
  if (token_type.toLowerCase() !== 'bearer' || !headerSafe.test(access_token)) {
    const { host } = new URL(issuer)
    throw unavailableError(`the token that ${host} gave is no bearer token`)
  }
  const scope = joinScopes(tokens.scope ?? request.scope)
  const now = clock.now()
  return {
    issuer,
    client_id: client.client_id,
    resource: discovery.resource,
    access_token,
    ...(refresh_token && { refresh_token }),
    ...(scope !== undefined && { scope }),
    ...(isDuration(expires_in) && { expires_at: now + expires_in * 1_000 }),
    obtained_at: now,
    obtained_by: by,
  }
}

function isDuration(seconds: number | undefined): seconds is number {
  return seconds !== undefined && Number.isFinite(seconds) && seconds > 0
}
