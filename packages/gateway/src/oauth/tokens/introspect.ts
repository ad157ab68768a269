import { isAdministrator, type Principal } from '@dataagent/hub'
import { jsonResponse, type PlainRequest, type PlainResponse } from '../../http/index.ts'
import type { GrantRow } from '../../ports.ts'
import type { TokenSession } from '../../tokens/index.ts'
import { oauthError, tooManyRequests } from '../oauth-error.ts'
import type { OAuthServerOptions } from '../options.ts'
import { waitAfter } from '../throttle.ts'
import { readFields } from './token.ts'

/** RFC 7662, for administrators with a key of theirs: what a token of their tenant stands for. */
export function createIntrospect(
  options: Pick<OAuthServerOptions, 'tokens' | 'people' | 'publicUrl'>,
) {
  const { tokens, people, publicUrl } = options

  async function describe(token: string, by: Principal): Promise<Record<string, unknown>> {
    const found = await tokens.introspect(token)
    if (!found.active) return { active: false }
    const held = 'session' in found ? found.session : found.grant
    if (by.role !== 'platform_admin' && by.tenant_id !== held.tenant_id) return { active: false }
    const told = 'session' in found ? ofSession(found.session) : ofGrant(found.grant)
    return { active: true, iss: publicUrl(), ...told }
  }

  async function answer(request: PlainRequest, key: string): Promise<PlainResponse> {
    const principal = await people.byKey(key, request.ip)
    if (principal === undefined) return unauthorized()
    if (!isAdministrator(principal)) {
      return oauthError('insufficient_scope', 'for administrators alone', { status: 403 })
    }
    const fields = readFields(request)
    if ('status' in fields) return fields
    const token = fields.get('token')
    if (token === undefined) return oauthError('invalid_request', 'token is missing')
    return jsonResponse(200, await describe(token, principal))
  }

  return async (request: PlainRequest): Promise<PlainResponse> => {
    const key = /^bearer ([\x21-\x7e]{1,512})$/i.exec(request.headers.authorization ?? '')?.[1]
    if (key === undefined) return unauthorized()
    return answer(request, key).catch((error: unknown) => tooManyRequests(waitAfter(error)))
  }
}

function unauthorized(): PlainResponse {
  const headers = { 'www-authenticate': 'Bearer realm="mcp"' }
  return oauthError('invalid_token', 'send the API key of an administrator', {
    status: 401,
    headers,
  })
}

function ofSession(session: TokenSession): Record<string, unknown> {
  const { scopes, group_name, client } = session
  return { ...ofBoth(session), token_type: 'Bearer', scope: scopes.join(' '), group_name, client }
}

function ofGrant(grant: GrantRow): Record<string, unknown> {
  return { ...ofBoth(grant), scope: grant.scope, client: grant.client_name }
}

function ofBoth(held: TokenSession | GrantRow): Record<string, unknown> {
  const { client_id, user_id, resource, group_id, tenant_id, created_at, expires_at } = held
  return {
    ...(client_id !== null && { client_id }),
    ...(user_id !== null && { sub: user_id }),
    ...(resource !== null && { aud: resource }),
    iat: Math.floor(created_at / 1000),
    exp: Math.floor(expires_at / 1000),
    tenant_id,
    group_id,
  }
}
