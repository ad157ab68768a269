import { isMcpError } from '../errors.ts'
import { bindClient } from './clients/client-identity.ts'
import type { Authorizer } from './contract.ts'
import { selectScope } from './discovery/scopes.ts'
import type { OAuthClient, OAuthCommonOptions } from './oauth-contract.ts'
import {
  createOAuthSetup,
  isYoung,
  type OAuthSetup,
  recentDiscovery,
  rediscover,
} from './oauth-setup.ts'
import { refusedError, toGrantError, unavailableError } from './requests/oauth-error.ts'
import type { Discovery, TokenRecord } from './storage/records.ts'
import { createTokenKeeper, type RenewContext } from './tokens/token-keeper.ts'
import { requestTokens } from './tokens/token-request.ts'

export interface ClientCredentialsOptions extends OAuthCommonOptions {
  client: OAuthClient
}

/** What an assertion is wanted for. */
export interface AssertionRequest {
  /** The issuer it is to be shown to: its audience. */
  issuer: string
  /** The indicator of the server that the token is for. */
  resource: string
  scope?: string
  signal: AbortSignal
}

export interface JwtBearerOptions extends ClientCredentialsOptions {
  /**
   * Gives the assertion (RFC 7523): an ID-JAG of the identity provider, the token of a workload. It
   * is asked each time. An McpError it throws is passed on; of anything else only that it failed.
   */
  assertion: (request: AssertionRequest) => Promise<string>
}

/**
 * An authorizer for a service that acts for itself, as a client registered by hand (grant
 * `client_credentials`): by its secret, or by a private key. No person is asked.
 */
export function createClientCredentialsAuthorizer(options: ClientCredentialsOptions): Authorizer {
  return createGrantAuthorizer(options, async () => ({ grant_type: 'client_credentials' }))
}

/**
 * An authorizer that shows an assertion made elsewhere (grant `jwt-bearer`, RFC 7523): for
 * enterprise-managed authorization, where the identity provider vouches for the person, see
 * `requestIdJag`; or for a workload that has an identity of its own.
 */
export function createJwtBearerAuthorizer(options: JwtBearerOptions): Authorizer {
  const grant_type = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
  return createGrantAuthorizer(options, async (request) => ({
    grant_type,
    assertion: await options.assertion(request),
  }))
}

type ToParams = (request: AssertionRequest) => Promise<Record<string, string>>

function createGrantAuthorizer(options: ClientCredentialsOptions, toParams: ToParams): Authorizer {
  const setup = createOAuthSetup(options)
  const { credentials, clock } = setup
  return createTokenKeeper({ credentials, source: { canRenew: () => true, renew }, clock })

  async function renew(context: RenewContext): Promise<TokenRecord> {
    const { reason, tokens: refused, challenge, signal } = context
    const known = reason === 'refused' ? undefined : await recentDiscovery(setup)
    const requests = setup.openRequests(signal)
    const asked = { requests, challenge, issuer: options.client.issuer }
    const discovery = known ?? (await rediscover(setup, asked))
    const held = refused?.scope
    const wishes = { configured: setup.scope, challenged: challenge.scope, held }
    const scope = selectScope({ ...wishes, discovery, offline: false })
    checkHope(setup, context, scope)
    const tokens = await ask(setup, options.client, { context, discovery, scope, toParams })
    setup.limit.count(scope)
    await credentials.saveTokens(tokens)
    return tokens
  }
}

/** Asking again for what has just been given, and refused, is of no use. */
function checkHope(setup: OAuthSetup, context: RenewContext, scope: string | undefined): void {
  const { reason, tokens } = context
  if (reason === 'refused' && tokens && isYoung(tokens, setup.clock)) {
    throw refusedError(401, 'the server refuses the token that was just given for it')
  }
  if (reason === 'scope' && setup.limit.isReached(scope)) {
    throw refusedError(403, 'the server wants scopes that the client is not given')
  }
}

/** What one renewal of a grant is about. */
interface GrantRequest {
  context: RenewContext
  discovery: Discovery
  scope: string | undefined
  toParams: ToParams
}

async function ask(
  setup: OAuthSetup,
  own: OAuthClient,
  request: GrantRequest,
): Promise<TokenRecord> {
  const { discovery, scope, context } = request
  const { signal } = context
  const { issuer } = discovery.authorization_server
  const client = await bindClient(own, discovery, setup.credentials)
  const granted = await toGrantParams(request)
  const params = { ...granted, ...(scope !== undefined && { scope }) }
  const requests = setup.openRequests(signal)
  const base = { discovery, client, own, requests, clock: setup.clock }
  return requestTokens({ params, scope, by: 'grant', ...base }).catch((error) => {
    throw toGrantError(error, new URL(issuer).host)
  })
}

/** The host's own code: what it throws may hold what it works with. */
async function toGrantParams(request: GrantRequest): Promise<Record<string, string>> {
  const { context, discovery, scope, toParams } = request
  const { signal } = context
  const { resource, authorization_server } = discovery
  const { issuer } = authorization_server
  try {
    return await toParams({ issuer, resource, signal, ...(scope !== undefined && { scope }) })
  } catch (error) {
    throw isMcpError(error) ? error : unavailableError('the assertion could not be had')
  }
}
