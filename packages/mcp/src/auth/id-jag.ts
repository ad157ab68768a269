import type { AssertionRequest } from './grant-authorizer.ts'
import { checkOptionUrl } from './oauth-setup.ts'
import { toOAuthError } from './requests/oauth-error.ts'
import { createOAuthRequests, type OAuthWayOut } from './requests/oauth-requests.ts'
import { loadSdk } from './requests/sdk.ts'

export interface IdJagOptions extends OAuthWayOut, AssertionRequest {
  /** Of the identity provider. */
  tokenEndpoint: string
  client_id: string
  client_secret?: string
  /** What the identity provider gave when the person signed in there. */
  idToken: string
}

/**
 * Exchanges a person's ID token at their identity provider for an identity assertion (ID-JAG, RFC
 * 8693): the assertion of `createJwtBearerAuthorizer` in enterprise-managed authorization.
 */
export async function requestIdJag(options: IdJagOptions): Promise<string> {
  const { issuer, resource, scope, client_id, client_secret, idToken } = options
  const tokenEndpoint = checkOptionUrl(options.tokenEndpoint, 'tokenEndpoint')
  const requests = createOAuthRequests(options, options.signal)
  const { requestJwtAuthorizationGrant } = await loadSdk()
  try {
    const { jwtAuthGrant } = await requestJwtAuthorizationGrant({
      tokenEndpoint,
      audience: issuer,
      resource,
      idToken,
      clientId: client_id,
      fetchFn: requests.fetch,
      ...(client_secret !== undefined && { clientSecret: client_secret }),
      ...(scope !== undefined && { scope }),
    })
    return jwtAuthGrant
  } catch (error) {
    throw toOAuthError(error, tokenEndpoint.host)
  }
}
