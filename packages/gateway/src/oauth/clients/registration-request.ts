import { parseJson } from '@dataagent/schema'
import { z } from 'zod'
import { redirectUriFault } from '../redirect-uri.ts'
import { parseScopes } from '../scopes.ts'
import { cleanName, unnamed } from './oauth-client.ts'

const webAddress = z.string().max(1000).refine(isWebAddress).optional().catch(undefined)

const requestSchema = z.object({
  client_name: z.string().max(1000).optional(),
  client_uri: webAddress,
  logo_uri: webAddress,
  redirect_uris: z.array(z.string()).min(1).max(20),
  grant_types: z.array(z.string()).max(10).default(['authorization_code', 'refresh_token']),
  response_types: z.array(z.string()).max(10).default(['code']),
  token_endpoint_auth_method: z
    .enum(['none', 'client_secret_post', 'client_secret_basic'])
    .default('client_secret_basic'),
  scope: z.string().max(1000).optional(),
})

export interface RegistrationRequest
  extends Omit<z.infer<typeof requestSchema>, 'client_name' | 'scope' | 'response_types'> {
  client_name: string
  scope: string | undefined
}

export type ParsedRegistration =
  | { status: 'ok'; request: RegistrationRequest }
  | {
      status: 'refused'
      error: 'invalid_redirect_uri' | 'invalid_client_metadata'
      description: string
    }

/**
 * RFC 7591 §2, of which members that are null count as left out: Dify sends `scope: null`.
 * `allowed` is an address that an administrator vouches for.
 */
export function parseRegistration(body: string, allowed: string | undefined): ParsedRegistration {
  const parsed = requestSchema.safeParse(readMembers(body))
  if (!parsed.success) return toRefused(parsed.error)
  const { response_types, client_name, scope, ...request } = parsed.data
  const uris = request.redirect_uris.filter((uri) => uri !== allowed)
  const fault = uris.map(redirectUriFault).find((found) => found !== undefined)
  if (fault !== undefined) return refused('invalid_redirect_uri', fault)
  if (!response_types.includes('code') || !request.grant_types.includes('authorization_code')) {
    const description = 'clients of this server use the grant authorization_code with a code'
    return refused('invalid_client_metadata', description)
  }
  const grant_types = request.grant_types.filter(isOurGrant)
  const named = { client_name: cleanName(client_name) ?? unnamed, scope: ourScope(scope) }
  return { status: 'ok', request: { ...request, grant_types, ...named } }
}

function readMembers(body: string): unknown {
  try {
    const value = parseJson(body, { depthMax: 20 })
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null))
  } catch {
    return undefined
  }
}

function toRefused({ issues }: z.ZodError): ParsedRegistration {
  const [field] = issues[0]?.path ?? []
  if (field === undefined) return refused('invalid_client_metadata', 'the body is no JSON object')
  if (field !== 'redirect_uris') {
    return refused('invalid_client_metadata', `${String(field)} is not one that this server takes`)
  }
  return refused('invalid_redirect_uri', 'redirect_uris must be a list of 1 to 20 URLs')
}

function refused(
  error: 'invalid_redirect_uri' | 'invalid_client_metadata',
  description: string,
): ParsedRegistration {
  return { status: 'refused', error, description }
}

function isOurGrant(grant: string): boolean {
  return grant === 'authorization_code' || grant === 'refresh_token'
}

function ourScope(scope: string | undefined): string | undefined {
  return scope === undefined ? undefined : parseScopes(scope)?.join(' ')
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text)
}
