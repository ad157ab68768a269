import type { AddClientAuthentication } from '@modelcontextprotocol/client'
import type { OAuthClient } from '../oauth-contract.ts'
import { loadSdk } from '../requests/sdk.ts'
import type { ClientRecord } from '../storage/records.ts'

/**
 * Shows the authorization server who asks for a token. The SDK has this too, but leaves out the
 * encoding that RFC 6749, section 2.3.1, asks for, and fails on secrets beyond Latin-1.
 */
export function authenticateClient(
  client: ClientRecord,
  own: OAuthClient | undefined,
): AddClientAuthentication {
  return async (headers, params, url, metadata) => {
    const sdk = await loadSdk()
    const { client_id, client_secret } = client
    if (own?.private_key !== undefined) {
      const { private_key: privateKey, algorithm: alg = 'ES256' } = own
      const sign = { issuer: client_id, subject: client_id, privateKey, alg }
      return sdk.createPrivateKeyJwtAuth(sign)(headers, params, url, metadata)
    }
    const supported = metadata?.token_endpoint_auth_methods_supported ?? []
    const method = sdk.selectClientAuthMethod(client, supported)
    if (method === 'client_secret_basic' && client_secret !== undefined) {
      headers.set('authorization', `Basic ${toBasic(client_id, client_secret)}`)
      return
    }
    params.set('client_id', client_id)
    if (method === 'client_secret_post' && client_secret !== undefined) {
      params.set('client_secret', client_secret)
    }
  }
}

function toBasic(id: string, secret: string): string {
  return Buffer.from(`${toFormText(id)}:${toFormText(secret)}`).toString('base64')
}

/** One value as application/x-www-form-urlencoded writes it. */
function toFormText(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1)
}
