import { jsonResponse, type PlainRequest, type PlainResponse } from '../../http/index.ts'
import type { AuthenticateClient } from '../clients/client-authentication.ts'
import { oauthError, tooManyRequests } from '../oauth-error.ts'
import type { OAuthServerOptions } from '../options.ts'
import type { Throttle } from '../throttle.ts'
import { readFields } from './token.ts'

export interface RevokeOptions extends Pick<OAuthServerOptions, 'tokens'> {
  authenticate: AuthenticateClient
  throttle: Throttle
}

/** RFC 7009. A token that is not there, or not this client's, is as good as revoked to it. */
export function createRevoke({ tokens, authenticate, throttle }: RevokeOptions) {
  return async (request: PlainRequest): Promise<PlainResponse> => {
    const waitMs = await throttle.take('token', request.ip)
    if (waitMs !== undefined) return tooManyRequests(waitMs)
    const fields = readFields(request)
    if ('status' in fields) return fields
    const authenticated = await authenticate(request, fields)
    if (authenticated.status === 'refused') return authenticated.response
    const token = fields.get('token')
    if (token === undefined) return oauthError('invalid_request', 'token is missing')
    await tokens.revoke(token, { client_id: authenticated.client.client_id })
    return jsonResponse(200, {})
  }
}
