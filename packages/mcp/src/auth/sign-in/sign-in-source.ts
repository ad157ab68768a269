import { type ClientIdentity, findOrRegisterClient } from '../clients/client-identity.ts'
import type { BearerChallenge } from '../discovery/challenge.ts'
import { selectScope } from '../discovery/scopes.ts'
import { isYoung, type OAuthSetup, recentDiscovery, rediscover } from '../oauth-setup.ts'
import { refusedError } from '../requests/oauth-error.ts'
import type { OAuthRequests } from '../requests/oauth-requests.ts'
import type { Discovery, SignInRecord, TokenRecord } from '../storage/records.ts'
import { refreshTokens } from '../tokens/refresh.ts'
import { isExpiring, type RenewContext, type TokenSource } from '../tokens/token-keeper.ts'
import { beginSignIn, signInNeeded } from './sign-in.ts'

export interface SignInSource extends TokenSource {
  /** The sign-in to send a person to, whatever tokens there are. */
  begin(requests: OAuthRequests): Promise<SignInRecord>
}

/** Why a person is to sign in, and what for. */
interface Wish {
  requests: OAuthRequests
  discovery: Discovery
  challenge: BearerChallenge
  /** The scopes until now. */
  held: string | undefined
}

/** Tokens that a person has signed in for: refreshed while that goes, else another sign-in. */
export function createSignInSource(setup: OAuthSetup, identity: ClientIdentity): SignInSource {
  const { credentials, clock, serverUrl } = setup

  return {
    canRenew: ({ refresh_token }) => refresh_token !== undefined,
    async renew(context) {
      const requests = setup.openRequests(context.signal)
      return context.reason === 'scope' ? stepUp(context, requests) : replace(context, requests)
    },
    async begin(requests) {
      const discovery = await look(requests, {})
      return begin({ requests, discovery, challenge: {}, held: undefined })
    },
  }

  function look(requests: OAuthRequests, challenge: BearerChallenge): Promise<Discovery> {
    return rediscover(setup, { requests, challenge, issuer: identity.client?.issuer })
  }

  async function stepUp(context: RenewContext, requests: OAuthRequests): Promise<never> {
    const { tokens, challenge } = context
    const discovery = (await recentDiscovery(setup)) ?? (await look(requests, challenge))
    const wish = { requests, discovery, challenge, held: tokens?.scope }
    if (setup.limit.isReached(scopeOf(wish))) {
      throw refusedError(403, 'the server wants scopes that a sign-in has not brought')
    }
    throw signInNeeded(await begin(wish), serverUrl)
  }

  async function replace(context: RenewContext, requests: OAuthRequests): Promise<TokenRecord> {
    const { reason, tokens: refused, challenge } = context
    const known = reason === 'expiring' ? await recentDiscovery(setup) : undefined
    const discovery = known ?? (await look(requests, challenge))
    const { issuer } = discovery.authorization_server
    const isSame = refused?.issuer === issuer
    const tokens = isSame ? refused : await credentials.tokensOf(issuer)
    if (tokens && !isSame && !isExpiring(tokens, clock)) return tokens
    const isUseless = isSame && reason === 'refused' && isYoung(refused, clock)
    if (isUseless && refused.obtained_by === 'sign_in') {
      throw refusedError(401, 'the server refuses the tokens of a sign-in that has just succeeded')
    }
    // Tokens that a refresh has just brought and that are refused would be so after another one.
    const refresh = { tokens, discovery, requests }
    const renewed = isUseless ? undefined : await refreshTokens(setup, identity, refresh)
    if (renewed) return renewed
    throw signInNeeded(
      await begin({ requests, discovery, challenge, held: tokens?.scope }),
      serverUrl,
    )
  }

  async function begin(wish: Wish): Promise<SignInRecord> {
    const { discovery, requests } = wish
    const scope = scopeOf(wish)
    const client = await findOrRegisterClient(setup, identity, { discovery, requests, scope })
    const { redirectUrl } = identity
    return beginSignIn({ discovery, client, redirectUrl, scope, credentials, clock })
  }

  function scopeOf({ discovery, challenge, held }: Wish): string | undefined {
    const offline = identity.clientMetadata.grant_types?.includes('refresh_token') ?? false
    const { scope: configured } = setup
    return selectScope({ configured, challenged: challenge.scope, held, discovery, offline })
  }
}
