import { type Fields, toFields } from '../../http/index.ts'
import type { Addresses } from '../addresses.ts'
import { cleanName, type OAuthClient } from '../clients/oauth-client.ts'
import { codeClient } from '../clients/static-clients.ts'
import { parseScopes } from '../scopes.ts'
import type { Transaction } from './transaction.ts'

const longestState = 2000

export type Asked =
  | { status: 'ok'; asked: Transaction }
  | { status: 'refused'; error: string; description: string; state: string | undefined }

export interface AuthorizationRequest {
  query: URLSearchParams
  /** Known, as is that `redirect_uri` is one of its own. */
  client: OAuthClient
  redirect_uri: string
  addresses: Addresses
}

type Fault = { error: string; description: string }

/** RFC 6749 §4.1.1 with RFC 7636 and RFC 8707: what the program asks for, or why it may not. */
export function readAuthorizationRequest(request: AuthorizationRequest): Asked {
  const { query, client, redirect_uri, addresses } = request
  const fields = toFields(query)
  const state = query.get('state') || undefined
  const fault = fields.status === 'ok' ? findFault(fields.fields, addresses) : repeated(fields)
  if (fault !== undefined || fields.status !== 'ok') {
    const echoed = isShort(state) && query.getAll('state').length < 2 ? state : undefined
    return { status: 'refused', ...(fault as Fault), state: echoed }
  }
  const get = (name: string): string | undefined => fields.fields.get(name)
  const resource = get('resource')
  return {
    status: 'ok',
    asked: {
      client_id: client.client_id,
      client_name: nameOf(client, get('client_name')),
      client_kind: client.kind,
      redirect_uri,
      state,
      code_challenge: get('code_challenge')!,
      resource: resource === undefined ? undefined : addresses.parseResource(resource),
      scopes: parseScopes(get('scope'))!,
    },
  }
}

/** A program of the JSON-RPC profile has no registration that could name it. */
function nameOf({ client_id, client_name }: OAuthClient, given: string | undefined): string {
  return client_id === codeClient.client_id ? (cleanName(given) ?? client_name) : client_name
}

function repeated(fields: Fields): Fault {
  const name = fields.status === 'repeated' ? fields.name : ''
  if (name === 'resource') return fault('invalid_target', 'a token is for one resource')
  // It is shown to people: whoever made the link up has no say in what they read.
  const told = /^\w{1,50}$/.test(name) ? name : 'a parameter'
  return fault('invalid_request', `${told} is there more than once`)
}

function findFault(fields: ReadonlyMap<string, string>, addresses: Addresses): Fault | undefined {
  const resource = fields.get('resource')
  if (!isShort(fields.get('state'))) return fault('invalid_request', 'state is too long')
  if (fields.has('request')) return fault('request_not_supported', 'send plain parameters')
  if (fields.has('request_uri')) return fault('request_uri_not_supported', 'send plain parameters')
  return (
    responseFault(fields) ??
    challengeFault(fields) ??
    (resource !== undefined && addresses.parseResource(resource) === undefined
      ? fault('invalid_target', 'resource is not one of this server')
      : undefined) ??
    (parseScopes(fields.get('scope')) === undefined
      ? fault('invalid_scope', 'scope names none of this server')
      : undefined)
  )
}

function responseFault(fields: ReadonlyMap<string, string>): Fault | undefined {
  const type = fields.get('response_type')
  if (type === undefined) return fault('invalid_request', 'response_type is missing')
  if (type !== 'code') return fault('unsupported_response_type', 'response_type must be code')
  const mode = fields.get('response_mode') ?? 'query'
  return mode === 'query' ? undefined : fault('invalid_request', 'response_mode must be query')
}

/** Without a method it would be `plain`, by which whoever sees the request can use the code. */
function challengeFault(fields: ReadonlyMap<string, string>): Fault | undefined {
  const challenge = fields.get('code_challenge')
  if (challenge === undefined) return fault('invalid_request', 'code_challenge is missing (PKCE)')
  if (fields.get('code_challenge_method') !== 'S256') {
    return fault('invalid_request', 'code_challenge_method must be S256')
  }
  if (/^[A-Za-z0-9_-]{43}$/.test(challenge)) return undefined
  return fault('invalid_request', 'code_challenge is not a SHA-256 in base64url')
}

function fault(error: string, description: string): Fault {
  return { error, description }
}

function isShort(state: string | undefined): boolean {
  return state === undefined || state.length <= longestState
}
