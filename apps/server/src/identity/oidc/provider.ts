import type { Egress } from '@dataagent/guard'
import { AppError } from '@dataagent/schema'
import type { Configuration, DiscoveryRequestOptions } from 'openid-client'
import type { Config } from '../../config/index.ts'

export type OidcSettings = Pick<
  Config,
  | 'oidc_issuer'
  | 'oidc_client_id'
  | 'oidc_client_secret'
  | 'oidc_scopes'
  | 'oidc_user_claim'
  | 'oidc_role_claim'
  | 'oidc_tenant'
  | 'oidc_allowed_domains'
  | 'public_url'
>

const answerMs = 10_000
const answerBytes = 1_048_576

/** Reads what the provider says of itself, once; after a failure anew. Throws `unavailable`. */
export function createProvider(config: OidcSettings, egress: Pick<Egress, 'createFetch'>) {
  let found: Promise<Configuration> | undefined

  return (): Promise<Configuration> => {
    found ??= discover(config, egress).catch((error) => {
      found = undefined
      throw new AppError('unavailable', 'The identity provider does not answer.', { cause: error })
    })
    return found
  }
}

/** Loaded only where people sign in so. */
async function discover(config: OidcSettings, egress: Pick<Egress, 'createFetch'>) {
  const client = await import('openid-client')
  const { oidc_issuer = '', oidc_client_id = '', oidc_client_secret } = config
  const issuer = new URL(oidc_issuer)
  const secret = oidc_client_secret?.reveal()
  const authentication = secret === undefined ? client.None() : client.ClientSecretBasic(secret)
  const limits = { timeoutMs: answerMs, maxResponseBytes: answerBytes, redirect: 'error' } as const
  const options: DiscoveryRequestOptions = {
    // An administrator has named the provider: it may be inside.
    [client.customFetch]: egress.createFetch({
      ...limits,
      policy: { mode: 'any' },
    }) as NonNullable<DiscoveryRequestOptions[typeof client.customFetch]>,
    execute: [
      client.enableNonRepudiationChecks,
      ...(issuer.protocol === 'http:' ? [client.allowInsecureRequests] : []),
    ],
  }
  return client.discovery(issuer, oidc_client_id, secret, authentication, options)
}
