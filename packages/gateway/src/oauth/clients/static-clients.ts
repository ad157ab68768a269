import type { OAuthSettings } from '../options.ts'
import type { OAuthClient } from './oauth-client.ts'

/** Says that the code is shown to the person, who gives it to the program. */
export const outOfBand = 'urn:ietf:wg:oauth:2.0:oob'

/** The program of the JSON-RPC profile where no callback is set for it. */
export const codeClient: OAuthClient = toStatic('jsonrpc', 'JSON-RPC client', outOfBand)

/** The program of the JSON-RPC profile: `dify` where an administrator has set its callback. */
export function toSeedClient({ oauth_redirect_uri }: OAuthSettings): OAuthClient {
  if (oauth_redirect_uri === undefined) return codeClient
  return toStatic('dify', 'Dify', oauth_redirect_uri)
}

function toStatic(client_id: string, client_name: string, redirect_uri: string): OAuthClient {
  return {
    client_id,
    client_name,
    redirect_uris: [redirect_uri],
    token_endpoint_auth_method: 'none',
    secret_hash: null,
    kind: 'static',
  }
}
