import { isPlainObject } from '@dataagent/schema/base'
import { unfitError } from '../requests/oauth-error.ts'
import type { AuthorizationServer } from '../storage/records.ts'
import type { UrlRules } from './safe-url.ts'

const endpoints = [
  'authorization_endpoint',
  'token_endpoint',
  'registration_endpoint',
  'revocation_endpoint',
] as const
const lists = [
  'scopes_supported',
  'response_types_supported',
  'code_challenge_methods_supported',
  'token_endpoint_auth_methods_supported',
] as const
const flags = [
  'client_id_metadata_document_supported',
  'authorization_response_iss_parameter_supported',
] as const

/**
 * Takes from a metadata document (RFC 8414, section 2) what is used, and checks it: it must be of
 * the issuer that was asked for (section 3.3), and every endpoint an address that secrets may be
 * sent to.
 */
export function toAuthorizationServer(
  value: unknown,
  asked: string,
  rules: UrlRules,
): AuthorizationServer {
  const metadata = isPlainObject(value) ? value : {}
  const { host } = new URL(asked)
  const { issuer } = metadata
  // Resource metadata often ends an issuer in a slash that the issuer itself does not have.
  if (issuer !== asked && `${issuer}/` !== asked) {
    throw unfitError(`the metadata of ${host} is of another issuer`, { host })
  }
  const server = { issuer, ...pick(metadata, endpoints, isPresent) }
  for (const name of endpoints) {
    if (name in server) rules.check(server[name], `${name} of ${host}`)
  }
  rules.check(server.token_endpoint, `token_endpoint of ${host}`)
  return {
    ...server,
    ...pick(metadata, lists, isTexts),
    ...pick(metadata, flags, (flag) => flag === true),
  } as AuthorizationServer
}

/** The endpoints that 2025-03-26 gives a server without metadata. */
export function legacyAuthorizationServer({ origin }: URL): AuthorizationServer {
  return {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    registration_endpoint: `${origin}/register`,
    // That revision demands PKCE of every server, and has no way to say so.
    code_challenge_methods_supported: ['S256'],
  }
}

/** Whether two spellings, of which one may end in a slash more, name the same issuer. */
export function isSameIssuer(one: string, other: string): boolean {
  return one === other || `${one}/` === other || one === `${other}/`
}

function pick<K extends string>(
  metadata: Record<string, unknown>,
  names: readonly K[],
  fits: (value: unknown) => boolean,
): Partial<Record<K, unknown>> {
  const entries = names.map((name) => [name, metadata[name]] as const)
  return Object.fromEntries(entries.filter(([, value]) => fits(value))) as Partial<
    Record<K, unknown>
  >
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}
