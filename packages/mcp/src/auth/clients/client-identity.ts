import type { Clock } from '@dataagent/guard'
import type { OAuthClientMetadata } from '@modelcontextprotocol/client'
import { isSameIssuer } from '../discovery/metadata.ts'
import type { OAuthClient } from '../oauth-contract.ts'
import type { OAuthSetup } from '../oauth-setup.ts'
import { configError, toKnownCode, toOAuthError, unfitError } from '../requests/oauth-error.ts'
import type { OAuthRequests } from '../requests/oauth-requests.ts'
import { loadSdk, toSdkMetadata } from '../requests/sdk.ts'
import type { Credentials } from '../storage/credentials.ts'
import type { AuthorizationServer, ClientRecord, Discovery } from '../storage/records.ts'

/** It goes into the address of the sign-in. */
const longestId = 2_048

/** Who this client is, by all that it may be known by. */
export interface ClientIdentity {
  client: OAuthClient | undefined
  clientMetadataUrl: string | undefined
  clientMetadata: OAuthClientMetadata
  redirectUrl: string
}

export interface RegisterOptions {
  discovery: Discovery
  requests: OAuthRequests
  scope: string | undefined
}

/**
 * This client as the authorization server knows it: registered by hand, else known by its metadata
 * document, else registered now, or before with the same redirect addresses.
 */
export async function findOrRegisterClient(
  { credentials, clock }: Pick<OAuthSetup, 'credentials' | 'clock'>,
  identity: ClientIdentity,
  { discovery, requests, scope }: RegisterOptions,
): Promise<ClientRecord> {
  const { client, clientMetadataUrl } = identity
  const server = discovery.authorization_server
  const { issuer } = server
  if (client) return bindClient(client, discovery, credentials)
  if (clientMetadataUrl !== undefined && server.client_id_metadata_document_supported) {
    return { issuer, client_id: clientMetadataUrl }
  }
  const known = await credentials.client(issuer)
  if (known && isOfUse(known, identity, clock)) return known
  const made = await register(server, identity, { requests, scope })
  await credentials.saveClient(made)
  return made
}

/** The client that something was begun as, if it is still known. */
export async function findKnownClient(
  { credentials }: Pick<OAuthSetup, 'credentials'>,
  { client, clientMetadataUrl }: ClientIdentity,
  { discovery, client_id }: { discovery: Discovery; client_id: string },
): Promise<ClientRecord | undefined> {
  const { issuer } = discovery.authorization_server
  if (client?.client_id === client_id) return bindClient(client, discovery, credentials)
  if (clientMetadataUrl === client_id) return { issuer, client_id }
  const registered = await credentials.client(issuer)
  return registered?.client_id === client_id ? registered : undefined
}

/** A client registered by hand is shown to its own issuer, or to the first it was used with. */
export async function bindClient(
  client: OAuthClient,
  discovery: Discovery,
  credentials: Credentials,
): Promise<ClientRecord> {
  const { issuer } = discovery.authorization_server
  const { client_id, client_secret, token_endpoint_auth_method } = client
  const bound = (await credentials.server())?.bound
  const expected = client.issuer ?? (bound?.client_id === client_id ? bound.issuer : undefined)
  if (expected !== undefined && !isSameIssuer(expected, issuer)) {
    const data = { expected, issuer }
    throw configError('the client was registered with another authorization server', data)
  }
  if (expected === undefined) await credentials.saveServer(discovery, { client_id, issuer })
  return {
    issuer,
    client_id,
    ...(client_secret !== undefined && { client_secret }),
    ...(token_endpoint_auth_method !== undefined && { token_endpoint_auth_method }),
  }
}

function isOfUse(known: ClientRecord, identity: ClientIdentity, clock: Clock): boolean {
  const { client_secret_expires_at = Number.POSITIVE_INFINITY, redirect_uris = [] } = known
  const wanted = identity.clientMetadata.redirect_uris
  const isCurrent = wanted.every((uri) => redirect_uris.includes(uri))
  return isCurrent && clock.now() < client_secret_expires_at
}

async function register(
  server: AuthorizationServer,
  identity: ClientIdentity,
  { requests, scope }: Omit<RegisterOptions, 'discovery'>,
): Promise<ClientRecord> {
  const { host } = new URL(server.issuer)
  if (server.registration_endpoint === undefined) {
    const message = `${host} does not let clients register themselves: register one there and set it as client`
    throw configError(message, { issuer: server.issuer })
  }
  const { registerClient, resolveClientMetadata } = await loadSdk()
  const clientMetadata = resolveClientMetadata(identity)
  const metadata = toSdkMetadata(server)
  const wish = { metadata, clientMetadata, fetchFn: requests.fetch, ...(scope && { scope }) }
  const made = await registerClient(server.issuer, wish).catch((error) => {
    throw toRegistrationError(error, host)
  })
  const { client_id, client_secret, client_secret_expires_at, token_endpoint_auth_method } = made
  if (client_id === '' || client_id.length > longestId) {
    throw unfitError(`${host} registered this client under a name that cannot be used`, { host })
  }
  return {
    issuer: server.issuer,
    client_id,
    ...(client_secret !== undefined && { client_secret }),
    ...(token_endpoint_auth_method !== undefined && { token_endpoint_auth_method }),
    // Seconds, and 0 for never (RFC 7591, section 3.2.1).
    ...(client_secret_expires_at && { client_secret_expires_at: client_secret_expires_at * 1_000 }),
    redirect_uris: clientMetadata.redirect_uris,
  }
}

function toRegistrationError(error: unknown, host: string): Error {
  const { name, status, body } = error as { name?: string; status?: number; body?: string }
  if (name !== 'RegistrationRejectedError' || status === undefined || status >= 500) {
    return toOAuthError(error, host)
  }
  const code = toKnownCode(/"error":"(\w+)"/.exec(body ?? '')?.[1])
  const reason = code ?? `http ${status}`
  return configError(`${host} refused to register this client: ${reason}`, { host, error: reason })
}
