import { type ClientIdentity, findKnownClient } from '../clients/client-identity.ts'
import type { OAuthSetup } from '../oauth-setup.ts'
import { refusalCode, toOAuthError } from '../requests/oauth-error.ts'
import type { OAuthRequests } from '../requests/oauth-requests.ts'
import type { ClientRecord, Discovery, TokenRecord } from '../storage/records.ts'
import { requestTokens } from './token-request.ts'

export interface RefreshOptions {
  /** Of the issuer of `discovery`. */
  tokens: TokenRecord | undefined
  discovery: Discovery
  requests: OAuthRequests
}

/**
 * New tokens for old ones; `undefined` when only a sign-in can bring them, and then those that the
 * authorization server has declared dead are forgotten. All other failures leave them as they are.
 */
export async function refreshTokens(
  setup: OAuthSetup,
  identity: ClientIdentity,
  { tokens, discovery, requests }: RefreshOptions,
): Promise<TokenRecord | undefined> {
  if (tokens?.refresh_token === undefined) return undefined
  const { refresh_token, scope, issuer, client_id } = tokens
  const client = await findKnownClient(setup, identity, { discovery, client_id })
  if (!client) return undefined
  const params = { grant_type: 'refresh_token', refresh_token }
  const base = { discovery, client, own: identity.client, requests, clock: setup.clock }
  try {
    const answer = await requestTokens({ params, scope, by: 'refresh', ...base })
    const renewed = { refresh_token, ...answer }
    await setup.credentials.saveTokens(renewed)
    return renewed
  } catch (error) {
    const code = refusalCode(error)
    if (!isDeath(code, client)) throw toOAuthError(error, new URL(issuer).host)
    // Another process may have used up the refresh token, and then has stored the next one.
    const stored = await setup.credentials.reload()
    if (stored?.issuer === issuer && stored.refresh_token !== refresh_token) return stored
    await setup.credentials.dropTokens(issuer)
    if (code === 'invalid_client') await setup.credentials.dropClient(issuer)
    return undefined
  }
}

/** Whether the tokens, or the registration that they belong to, are gone there. */
function isDeath(code: string | undefined, { redirect_uris }: ClientRecord): boolean {
  const hasRegistered = redirect_uris !== undefined
  return code === 'invalid_grant' || (code === 'invalid_client' && hasRegistered)
}
