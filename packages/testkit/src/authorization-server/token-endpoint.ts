import { createHash } from 'node:crypto'
import { findClient, type StandInClient } from './client-check.ts'
import type { StandInAnswer, StandInRequest } from './http-stand-in.ts'
import type { Grant, Issued } from './issued.ts'

export interface TokenEndpointOptions {
  issuer: string
  issued: Issued
  clients: Map<string, StandInClient>
  /** Seconds; 0 for tokens that do not say when they expire. */
  expiresIn: number
  /** Whether a refresh token is good once. */
  rotates: boolean
  /** Whether refresh tokens are given at all. */
  refreshes: boolean
  /** What is granted of what is asked for. */
  grantScope: (asked: string) => string
  /** Accepts the assertion of a jwt-bearer grant. */
  acceptsAssertion: (assertion: string) => boolean
}

/** RFC 6749, sections 4.1.3, 4.4.2 and 6; RFC 7636, section 4.6; RFC 7523, section 2.1. */
export function answerTokenRequest(
  request: StandInRequest,
  options: TokenEndpointOptions,
): StandInAnswer {
  const { issuer, clients } = options
  const form = new URLSearchParams(request.body)
  const client = findClient(request, clients, issuer)
  if (!client) return refuse('invalid_client', 401)
  const { client_id } = client
  const scope = form.get('scope') ?? ''
  const resource = form.get('resource') ?? undefined
  switch (form.get('grant_type')) {
    case 'authorization_code':
      return answerCode(form, client_id, options)
    case 'refresh_token':
      return answerRefresh(form, client_id, options)
    case 'client_credentials':
      return give({ client_id, scope: options.grantScope(scope), resource }, options)
    case 'urn:ietf:params:oauth:grant-type:jwt-bearer': {
      if (!options.acceptsAssertion(form.get('assertion') ?? '')) return refuse('invalid_grant')
      return give({ client_id, scope: options.grantScope(scope), resource }, options)
    }
    default:
      return refuse('unsupported_grant_type')
  }
}

function answerCode(
  form: URLSearchParams,
  client_id: string,
  options: TokenEndpointOptions,
): StandInAnswer {
  const grant = options.issued.takeCode(form.get('code') ?? '')
  const verifier = form.get('code_verifier') ?? ''
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const isGood =
    grant?.client_id === client_id &&
    grant.code_challenge === challenge &&
    grant.redirect_uri === form.get('redirect_uri') &&
    grant.resource === (form.get('resource') ?? undefined)
  if (!grant || !isGood) return refuse('invalid_grant')
  const refresh = options.refreshes ? options.issued.refresh(toGrant(grant)) : undefined
  return give(toGrant(grant), options, refresh)
}

function answerRefresh(
  form: URLSearchParams,
  client_id: string,
  options: TokenEndpointOptions,
): StandInAnswer {
  const { issued, rotates } = options
  const token = form.get('refresh_token') ?? ''
  const grant = issued.findRefresh(token)
  if (grant?.client_id !== client_id) return refuse('invalid_grant')
  if (!rotates) return give(grant, options)
  issued.revoke(token)
  return give(grant, options, issued.refresh(grant))
}

function toGrant({ client_id, scope, resource }: Grant): Grant {
  return { client_id, scope, resource }
}

function give(grant: Grant, options: TokenEndpointOptions, refresh_token?: string): StandInAnswer {
  const { expiresIn, issued } = options
  return {
    body: {
      access_token: issued.access({ ...grant, expires_in: expiresIn }),
      token_type: 'Bearer',
      ...(expiresIn > 0 && { expires_in: expiresIn }),
      ...(grant.scope !== '' && { scope: grant.scope }),
      ...(refresh_token !== undefined && { refresh_token }),
    },
  }
}

function refuse(error: string, status = 400): StandInAnswer {
  return { status, body: { error, error_description: 'The stand-in refuses it.' } }
}
