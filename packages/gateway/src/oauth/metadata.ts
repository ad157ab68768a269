import {
  jsonResponse,
  methodNotAllowed,
  type PlainRequest,
  type PlainResponse,
  preflight,
  withCors,
} from '../http/index.ts'
import { scopes } from '../tokens/index.ts'
import { type Addresses, paths } from './addresses.ts'
import type { OAuthSettings } from './options.ts'

const resourcePrefix = '/.well-known/oauth-protected-resource'
const serverPath = '/.well-known/oauth-authorization-server'

export interface MetadataOptions {
  addresses: Addresses
  settings: OAuthSettings
}

/**
 * RFC 9728 for each endpoint and for all of them, RFC 8414 for the one authorization server. Any
 * other document that a client may look for is a plain 404: whatever else it read, it would take
 * for one.
 */
export function createMetadata({ addresses, settings }: MetadataOptions) {
  function documentAt(path: string): Record<string, unknown> | undefined {
    if (path === serverPath) return toServerMetadata(addresses, settings)
    if (!path.startsWith(resourcePrefix)) return undefined
    const resource = addresses.resourceAt(path.slice(resourcePrefix.length))
    return resource === undefined ? undefined : toResourceMetadata(resource)
  }

  function toResourceMetadata(resource: string): Record<string, unknown> {
    return {
      resource,
      authorization_servers: [addresses.issuer()],
      scopes_supported: scopes,
      bearer_methods_supported: ['header'],
      ...(settings.server_name !== undefined && { resource_name: settings.server_name }),
    }
  }

  return ({ method, path }: PlainRequest): PlainResponse | undefined => {
    if (!path.startsWith('/.well-known/o')) return undefined
    if (method === 'OPTIONS') return preflight('GET')
    if (method !== 'GET' && method !== 'HEAD') return withCors(methodNotAllowed('GET, HEAD'))
    const document = documentAt(path)
    if (document === undefined) return withCors(jsonResponse(404, { error: 'not_found' }))
    return withCors(jsonResponse(200, document, { 'cache-control': 'public, max-age=60' }))
  }
}

function toServerMetadata(addresses: Addresses, settings: OAuthSettings): Record<string, unknown> {
  const { urlOf } = addresses
  const authMethods = ['none', 'client_secret_post', 'client_secret_basic']
  return {
    issuer: addresses.issuer(),
    authorization_endpoint: addresses.authorizationEndpoint(),
    token_endpoint: urlOf(paths.token),
    ...(settings.dynamic_registration !== false && {
      registration_endpoint: urlOf(paths.register),
    }),
    revocation_endpoint: urlOf(paths.revoke),
    introspection_endpoint: urlOf(paths.introspect),
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: authMethods,
    revocation_endpoint_auth_methods_supported: authMethods,
    scopes_supported: scopes,
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
  }
}
