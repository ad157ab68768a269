import { createHash } from 'node:crypto'
import { endpointPaths } from '../paths.ts'
import type { Addresses } from './addresses.ts'
import { cleanName } from './clients/oauth-client.ts'
import { codeClient, toSeedClient } from './clients/static-clients.ts'
import type { OAuthServer } from './contract.ts'
import type { OAuthServerOptions } from './options.ts'

export interface BeginForSeedOptions extends Pick<OAuthServerOptions, 'craft' | 'settings'> {
  addresses: Addresses
}

/**
 * The address says all that is asked, so that nothing is kept for those who never come. The
 * verifier is not in it: whoever sees the address cannot use the code.
 */
export function createBeginForSeed(options: BeginForSeedOptions): OAuthServer['beginForSeed'] {
  const { addresses, craft, settings } = options

  return async ({ client, code_challenge }) => {
    const code_verifier = code_challenge === undefined ? createVerifier(craft) : undefined
    const known = toSeedClient(settings)
    const name = known === codeClient ? cleanName(client) : undefined
    const query = new URLSearchParams({
      client_id: known.client_id,
      redirect_uri: known.redirect_uris[0]!,
      state: craft.createToken(),
      response_type: 'code',
      code_challenge: code_challenge ?? toChallenge(code_verifier!),
      code_challenge_method: 'S256',
      resource: addresses.urlOf(endpointPaths.seed),
      ...(name !== undefined && { client_name: name }),
    })
    const authorization_url = `${addresses.authorizationEndpoint()}?${query}`
    return { authorization_url, ...(code_verifier !== undefined && { code_verifier }) }
  }
}

function createVerifier(craft: OAuthServerOptions['craft']): string {
  return createHash('sha256').update(craft.createToken()).digest('base64url')
}

function toChallenge(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url')
}
