import type { ClientIdentity } from './clients/client-identity.ts'
import type { OAuthAuthorizer, OAuthAuthorizerOptions, SignInStatus } from './oauth-contract.ts'
import { checkOptionUrl, createOAuthSetup, type OAuthSetup } from './oauth-setup.ts'
import { configError } from './requests/oauth-error.ts'
import { openDeadline } from './requests/oauth-requests.ts'
import { finishSignIn } from './sign-in/finish-sign-in.ts'
import { isWaiting, toPendingSignIn } from './sign-in/sign-in.ts'
import { createSignInSource } from './sign-in/sign-in-source.ts'
import { forgetTokens } from './sign-in/sign-out.ts'
import { createSingleFlight } from './tokens/single-flight.ts'
import { createTokenKeeper } from './tokens/token-keeper.ts'

const flowMs = 30_000

/**
 * An authorizer for a server that wants OAuth, on behalf of a person: it finds out who authorizes
 * access, registers this client there, has the person sign in and renews the tokens. Make one per
 * server and user, and share it between all connections. Throws kind `config` for options that
 * cannot work.
 */
export function createOAuthAuthorizer(options: OAuthAuthorizerOptions): OAuthAuthorizer {
  const setup = createOAuthSetup(options)
  const identity = toIdentity(options)
  const source = createSignInSource(setup, identity)
  const { credentials, clock } = setup
  const flights = createSingleFlight()

  return {
    ...createTokenKeeper({ credentials, source, clock }),
    status: () => readStatus(setup),
    async signIn({ signal } = {}) {
      const begin = (deadline: AbortSignal) => source.begin(setup.openRequests(deadline))
      return toPendingSignIn(await flights.join('sign-in', () => alone(begin), signal))
    },
    async finish(response, { signal } = {}) {
      const finish = (deadline: AbortSignal) => finishSignIn(setup, identity, response, deadline)
      await flights.join(`finish ${response.state}`, () => alone(finish), signal)
    },
    async signOut({ signal } = {}) {
      const forget = (deadline: AbortSignal) => forgetTokens(setup, identity, deadline)
      await flights.join('sign-out', () => alone(forget), signal)
    },
  }

  /** One thing at a time is done to what is kept, and not for ever. */
  function alone<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return credentials.exclusively(async () => {
      using deadline = openDeadline(clock, flowMs)
      return await work(deadline.signal)
    })
  }
}

async function readStatus({ credentials, clock }: OAuthSetup): Promise<SignInStatus> {
  const tokens = (await credentials.tokens()) ?? (await credentials.reload())
  const { expires_at = Number.POSITIVE_INFINITY, refresh_token } = tokens ?? {}
  if (tokens && (refresh_token !== undefined || clock.now() < expires_at)) {
    const { issuer, scope } = tokens
    return {
      status: 'signed_in',
      issuer,
      ...(scope !== undefined && { scope }),
      ...(tokens.expires_at !== undefined && { expires_at: tokens.expires_at }),
    }
  }
  const waiting = (await credentials.signIns()).find((signIn) => isWaiting(signIn, clock))
  if (waiting) return { status: 'pending', signIn: toPendingSignIn(waiting) }
  return { status: 'signed_out' }
}

function toIdentity(options: OAuthAuthorizerOptions): ClientIdentity {
  const { redirectUrl, clientMetadataUrl, client, clientMetadata = {} } = options
  checkOptionUrl(redirectUrl, 'redirectUrl')
  if (clientMetadataUrl !== undefined) checkMetadataUrl(clientMetadataUrl)
  return {
    client,
    clientMetadataUrl,
    redirectUrl,
    clientMetadata: {
      client_name: 'DataAgent',
      redirect_uris: [redirectUrl],
      response_types: ['code'],
      grant_types: ['authorization_code', 'refresh_token'],
      ...clientMetadata,
    },
  }
}

/** Client ID Metadata Documents, section 3: https, with a path. */
function checkMetadataUrl(address: string): void {
  const url = URL.parse(address)
  if (url?.protocol === 'https:' && url.pathname !== '/') return
  const option = 'clientMetadataUrl'
  throw configError(`${option} must be an https address with a path`, { option })
}
