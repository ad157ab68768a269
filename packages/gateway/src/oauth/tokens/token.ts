import {
  jsonResponse,
  type PlainRequest,
  type PlainResponse,
  readForm,
  toFields,
} from '../../http/index.ts'
import type { Redeemed } from '../../tokens/index.ts'
import type { Addresses } from '../addresses.ts'
import type { AuthenticateClient } from '../clients/client-authentication.ts'
import type { ClientBook } from '../clients/client-book.ts'
import type { OAuthClient } from '../clients/oauth-client.ts'
import { oauthError, tooManyRequests } from '../oauth-error.ts'
import type { OAuthServerOptions } from '../options.ts'
import type { Throttle } from '../throttle.ts'

export interface TokenOptions extends Pick<OAuthServerOptions, 'tokens'> {
  addresses: Addresses
  authenticate: AuthenticateClient
  book: ClientBook
  throttle: Throttle
}

interface Ask {
  client: OAuthClient
  fields: ReadonlyMap<string, string>
  resource: { resource?: string }
}

/** `POST /mcp/oauth/token`: a code or a refresh token for tokens. */
export function createToken({ tokens, addresses, authenticate, book, throttle }: TokenOptions) {
  async function byCode({ client, fields, resource }: Ask): Promise<PlainResponse> {
    const names = ['code', 'redirect_uri', 'code_verifier'] as const
    const missing = names.find((name) => !fields.has(name))
    if (missing !== undefined) return oauthError('invalid_request', `${missing} is missing`)
    const [code, redirect_uri, code_verifier] = names.map((name) => fields.get(name)!)
    if (!/^[A-Za-z0-9._~-]{43,128}$/.test(code_verifier!)) {
      return oauthError('invalid_grant', 'code_verifier is not one of RFC 7636')
    }
    const shown = { redirect_uri: redirect_uri!, code_verifier: code_verifier!, ...resource }
    const { client_id } = client
    return toAnswer(client, await tokens.redeem(code!, { client_id, ...shown }))
  }

  async function byRefreshToken({ client, fields, resource }: Ask): Promise<PlainResponse> {
    const [token, scope] = [fields.get('refresh_token'), fields.get('scope')]
    if (token === undefined) return oauthError('invalid_request', 'refresh_token is missing')
    const shown = { ...resource, ...(scope !== undefined && { scope }) }
    const { client_id } = client
    return toAnswer(client, await tokens.refresh(token, { client_id, ...shown }))
  }

  async function toAnswer(client: OAuthClient, redeemed: Redeemed): Promise<PlainResponse> {
    if (redeemed.status === 'refused') return oauthError(redeemed.error, redeemed.why)
    await book.used(client)
    const { access_token, ...rest } = redeemed.tokens
    const body = { access_token, token_type: 'Bearer', ...rest }
    return jsonResponse(200, body, { pragma: 'no-cache' })
  }

  async function grant(request: PlainRequest, fields: ReadonlyMap<string, string>) {
    const authenticated = await authenticate(request, fields)
    if (authenticated.status === 'refused') return authenticated.response
    const named = fields.get('resource')
    const resource = named === undefined ? undefined : addresses.parseResource(named)
    if (named !== undefined && resource === undefined) {
      return oauthError('invalid_target', 'resource is not one of this server')
    }
    const { client } = authenticated
    const ask: Ask = { client, fields, resource: resource === undefined ? {} : { resource } }
    const type = fields.get('grant_type')
    if (type === undefined) return oauthError('invalid_request', 'grant_type is missing')
    if (type === 'authorization_code') return byCode(ask)
    if (type === 'refresh_token') return byRefreshToken(ask)
    return oauthError('unsupported_grant_type', 'use authorization_code or refresh_token')
  }

  return async (request: PlainRequest): Promise<PlainResponse> => {
    const waitMs = await throttle.take('token', request.ip)
    if (waitMs !== undefined) return tooManyRequests(waitMs)
    const fields = readFields(request)
    return 'status' in fields ? fields : grant(request, fields)
  }
}

/** The form, or the answer to one that cannot be read. */
export function readFields(request: PlainRequest): ReadonlyMap<string, string> | PlainResponse {
  const form = readForm(request)
  if (form === undefined) {
    return oauthError('invalid_request', 'send application/x-www-form-urlencoded')
  }
  const read = toFields(form)
  if (read.status === 'ok') return read.fields
  if (read.name === 'resource') return oauthError('invalid_target', 'a token is for one resource')
  return oauthError('invalid_request', `${read.name.slice(0, 50)} is there more than once`)
}
