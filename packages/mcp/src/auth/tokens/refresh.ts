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
    if (await isDead(refusalCode(error), client, setup)) return undefined
    throw toOAuthError(error, new URL(issuer).host)
  }
}

/** Whether tokens, or the registration they belong to, are gone at the authorization server. */
async function isDead(
  code: string | undefined,
  { issuer, redirect_uris }: ClientRecord,
  { credentials }: OAuthSetup,
): Promise<boolean> {
  const isRegistered = redirect_uris !== undefined
  if (code !== 'invalid_grant' && !(code === 'invalid_client' && isRegistered)) return false
  await credentials.dropTokens(issuer)
  if (code === 'invalid_client') await credentials.dropClient(issuer)
  return true
}
