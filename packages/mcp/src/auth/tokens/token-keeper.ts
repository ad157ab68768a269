import type { Clock } from '@dataagent/guard'
import { isMcpError } from '../../errors.ts'
import type { Authorizer } from '../contract.ts'
import { type BearerChallenge, parseBearerChallenge } from '../discovery/challenge.ts'
import { refusedError } from '../requests/oauth-error.ts'
import { openDeadline } from '../requests/oauth-requests.ts'
import type { Credentials } from '../storage/credentials.ts'
import type { TokenRecord } from '../storage/records.ts'
import { createSingleFlight } from './single-flight.ts'

/** Why there must be another token. */
export type RenewReason = 'expiring' | 'refused' | 'scope'

export interface RenewContext {
  reason: RenewReason
  /** The tokens that are no longer of use. */
  tokens: TokenRecord | undefined
  challenge: BearerChallenge
  signal: AbortSignal
}

/** How another token is come by. */
export interface TokenSource {
  /** Whether `renew` can do something before the server refuses the tokens. */
  canRenew(tokens: TokenRecord): boolean
  /** Saves and gives new tokens. Called by one at a time. Rejects as `challenged` does. */
  renew(context: RenewContext): Promise<TokenRecord>
}

export interface TokenKeeperOptions {
  credentials: Credentials
  source: TokenSource
  clock: Clock
}

/** A token that expires sooner is renewed before it is used; a short-lived one at half its life. */
const skewMs = 30_000
/** After a failure a token that is still good is used so long before the next attempt. */
const pauseMs = 5_000
const renewalMs = 30_000

/** Gives out one token to all requests, and renews it once for all of them. */
export function createTokenKeeper({ credentials, source, clock }: TokenKeeperOptions): Authorizer {
  const flights = createSingleFlight()
  let pausedUntil = Number.NEGATIVE_INFINITY

  return {
    async headers() {
      const tokens = await credentials.tokens()
      if (tokens === undefined) return {}
      return toHeaders(isExpiring(tokens, clock) ? await refreshed(tokens) : tokens)
    },
    async challenged({ status, wwwAuthenticate }, { sent, signal }) {
      const challenge = parseBearerChallenge(wwwAuthenticate)
      if (status === 403 && challenge.error !== 'insufficient_scope') {
        throw refusedError(403, 'the server forbids it, whatever the sign-in')
      }
      const reason = status === 401 ? 'refused' : 'scope'
      const token = findToken(sent)
      const key = JSON.stringify([reason, token, reason === 'scope' && challenge.scope])
      await flights.join(key, () => renew(reason, token, challenge), signal)
    },
  }

  async function refreshed(tokens: TokenRecord): Promise<TokenRecord> {
    const hasExpired = clock.now() >= (tokens.expires_at ?? 0)
    const mayWait = !hasExpired && clock.monotonic() < pausedUntil
    if (mayWait || !source.canRenew(tokens)) return tokens
    const { access_token } = tokens
    try {
      return await flights.join(access_token, () => renew('expiring', access_token, {}))
    } catch (error) {
      pausedUntil = clock.monotonic() + pauseMs
      if (hasExpired || isMcpError(error, 'sign_in')) throw error
      return tokens
    }
  }

  /** `refused`: the token that is no longer of use. Whoever came first may have replaced it. */
  function renew(
    reason: RenewReason,
    refused: string | undefined,
    challenge: BearerChallenge,
  ): Promise<TokenRecord> {
    return credentials.exclusively(async () => {
      const tokens = await credentials.reload()
      if (tokens && tokens.access_token !== refused && !isExpiring(tokens, clock)) return tokens
      using deadline = openDeadline(clock, renewalMs)
      return await source.renew({ reason, tokens, challenge, signal: deadline.signal })
    })
  }
}

export function isExpiring({ expires_at, obtained_at }: TokenRecord, clock: Clock): boolean {
  if (expires_at === undefined) return false
  return expires_at - clock.now() < Math.min(skewMs, (expires_at - obtained_at) / 2)
}

function toHeaders({ access_token }: TokenRecord): Record<string, string> {
  return { authorization: `Bearer ${access_token}` }
}

/** The token that a request was sent with. */
export function findToken(sent: Record<string, string>): string | undefined {
  const [, value] = Object.entries(sent).find(([name]) => /^authorization$/i.test(name)) ?? []
  return value?.replace(/^bearer +/i, '')
}
