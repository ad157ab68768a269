import { createPublicKey, type JsonWebKey, verify } from 'node:crypto'
import type { StandInRequest } from './http-stand-in.ts'

/** A client that an authorization server knows. */
export interface StandInClient {
  client_id: string
  client_secret?: string
  /** For `private_key_jwt` with ES256. */
  public_key?: JsonWebKey
  redirect_uris?: string[]
}

/** The client that a token request shows to be; `undefined` when it shows nobody known. */
export function findClient(
  request: StandInRequest,
  clients: Map<string, StandInClient>,
  issuer: string,
): StandInClient | undefined {
  const form = new URLSearchParams(request.body)
  const assertion = form.get('client_assertion')
  if (assertion !== null) return findByAssertion(assertion, clients, issuer)
  const basic = readBasic(request.headers.authorization)
  const id = basic?.id ?? form.get('client_id') ?? ''
  const client = clients.get(id)
  const secret = basic?.secret ?? form.get('client_secret') ?? undefined
  return client?.client_secret === secret ? client : undefined
}

/** RFC 6749, section 2.3.1: both halves are form-encoded. */
function readBasic(header: string | undefined): { id: string; secret: string } | undefined {
  const [, encoded] = /^Basic (.+)$/i.exec(header ?? '') ?? []
  if (encoded === undefined) return undefined
  const [id = '', secret = ''] = Buffer.from(encoded, 'base64').toString().split(':')
  const decode = (text: string) => decodeURIComponent(text.replaceAll('+', ' '))
  return { id: decode(id), secret: decode(secret) }
}

/** RFC 7523, section 3. */
function findByAssertion(
  assertion: string,
  clients: Map<string, StandInClient>,
  issuer: string,
): StandInClient | undefined {
  const [header = '', payload = '', signature = ''] = assertion.split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
  const client = clients.get(claims.sub)
  if (client?.public_key === undefined || claims.iss !== claims.sub || claims.aud !== issuer) {
    return undefined
  }
  const key = createPublicKey({ key: client.public_key, format: 'jwk' })
  const signed = Buffer.from(`${header}.${payload}`)
  const bytes = Buffer.from(signature, 'base64url')
  return verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, bytes) ? client : undefined
}
