import { type Clock, systemClock } from '@dataagent/guard'
import type { BearerChallenge } from './discovery/challenge.ts'
import { discover } from './discovery/discovery.ts'
import { isPrivateInTransit } from './discovery/safe-url.ts'
import { createStepUpLimit, joinScopes, type StepUpLimit } from './discovery/scopes.ts'
import type { OAuthCommonOptions } from './oauth-contract.ts'
import { configError } from './requests/oauth-error.ts'
import { createOAuthRequests, type OAuthRequests } from './requests/oauth-requests.ts'
import { type Credentials, createCredentials } from './storage/credentials.ts'
import { createMemoryOAuthStore } from './storage/oauth-store.ts'
import type { Discovery, TokenRecord } from './storage/records.ts'

/** What is known of an authorization server is taken for so long without asking again. */
const discoveryMs = 60 * 60_000
/** A token refused so soon was never accepted. */
const youthMs = 10_000

/** The options of an authorizer, made ready. */
export interface OAuthSetup {
  serverUrl: URL
  credentials: Credentials
  clock: Clock
  /** The configured scopes. */
  scope: string | undefined
  limit: StepUpLimit
  onWarning(text: string): void
  openRequests(signal: AbortSignal): OAuthRequests
}

export function createOAuthSetup(options: OAuthCommonOptions): OAuthSetup {
  const { egress, policy, proxy, clock = systemClock, onWarning = () => {} } = options
  const serverUrl = checkOptionUrl(options.serverUrl, 'serverUrl')
  const store = options.store ?? createMemoryOAuthStore()
  return {
    serverUrl,
    credentials: createCredentials({ store, serverUrl, onWarning, clock }),
    clock,
    scope: joinScopes(options.scopes?.join(' ')),
    limit: createStepUpLimit(clock),
    onWarning,
    openRequests: (signal) => createOAuthRequests({ egress, policy, proxy }, signal),
  }
}

/** Tokens and codes go to addresses that nobody on the way can read along with. */
export function checkOptionUrl(address: string | URL, option: string): URL {
  const url = URL.parse(String(address))
  if (url && isPrivateInTransit(url) && url.username === '' && url.password === '') {
    url.hash = ''
    return url
  }
  throw configError(`${option} must be an https address, or http on this machine`, { option })
}

/** Asks the server anew who authorizes access to it, and remembers the answer. */
export async function rediscover(
  { serverUrl, credentials, clock }: OAuthSetup,
  asked: { requests: OAuthRequests; challenge: BearerChallenge; issuer: string | undefined },
): Promise<Discovery> {
  const before = (await credentials.server())?.discovery
  const preferred = [asked.issuer, before?.authorization_server.issuer]
  const discovery = await discover({
    serverUrl,
    requests: asked.requests,
    clock,
    resourceMetadataUrl: asked.challenge.resourceMetadataUrl ?? before?.resource_metadata_url,
    preferred: preferred.filter((issuer) => issuer !== undefined),
  })
  await credentials.saveServer(discovery)
  return discovery
}

/** What is known already, if it is recent. */
export async function recentDiscovery(setup: OAuthSetup): Promise<Discovery | undefined> {
  const known = (await setup.credentials.server())?.discovery
  return known && setup.clock.now() - known.fetched_at < discoveryMs ? known : undefined
}

export function isYoung({ obtained_at }: TokenRecord, clock: Clock): boolean {
  return clock.now() - obtained_at < youthMs
}
