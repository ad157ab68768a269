import { timingSafeEqual } from 'node:crypto'
import type { PlainRequest, PlainResponse } from '../../http/index.ts'
import { oauthError } from '../oauth-error.ts'
import type { OAuthServerOptions } from '../options.ts'
import type { ClientBook } from './client-book.ts'
import { type OAuthClient, toDocumentClient, unnamed } from './oauth-client.ts'

type Shown = { client_id: string; secret: string | undefined }

export type Authenticated =
  | { status: 'ok'; client: OAuthClient }
  | { status: 'refused'; response: PlainResponse }

export type AuthenticateClient = (
  request: PlainRequest,
  fields: ReadonlyMap<string, string>,
) => Promise<Authenticated>

/** Which program asks (RFC 6749 §2.3): by its id alone, by a secret in the form or in a header. */
export function createClientAuthentication(
  options: Pick<OAuthServerOptions, 'craft'> & { book: ClientBook },
): AuthenticateClient {
  const { craft, book } = options

  function isSecret(secret: string, stored: string): boolean {
    return craft.tokenHashes(secret).some((hash) => isSame(hash, stored))
  }

  return async (request, fields) => {
    const shown = readShown(request, fields)
    if (shown === undefined) return refused(request)
    const found = await book.find(shown.client_id, request.ip)
    if (found.status === 'unknown') return refused(request)
    // What it shows was given to this id, after its document was read; nobody needs its host for
    // that. To refuse it would have the client throw away what it was allowed.
    if (found.status !== 'ok') return { status: 'ok', client: toUnread(shown.client_id) }
    const { client } = found
    if (client.secret_hash === null) return { status: 'ok', client }
    const isRight = shown.secret !== undefined && isSecret(shown.secret, client.secret_hash)
    return isRight ? { status: 'ok', client } : refused(request)
  }
}

/** A client whose document cannot be read now: none of them has a secret. */
function toUnread(client_id: string): OAuthClient {
  return toDocumentClient({ client_id, client_name: unnamed, redirect_uris: [] })
}

/** Undefined where nothing is shown, or two things that differ. */
function readShown(
  { headers }: PlainRequest,
  fields: ReadonlyMap<string, string>,
): Shown | undefined {
  const [client_id, secret] = [fields.get('client_id'), fields.get('client_secret')]
  if (headers.authorization === undefined)
    return client_id === undefined ? undefined : { client_id, secret }
  const basic = readBasic(headers.authorization)
  if (basic === undefined || secret !== undefined) return undefined
  return client_id === undefined || client_id === basic.client_id ? basic : undefined
}

function readBasic(header: string): Shown | undefined {
  const encoded = /^basic ([A-Za-z0-9+/=]+)$/i.exec(header)?.[1]
  const text = Buffer.from(encoded ?? '', 'base64').toString()
  const colon = text.indexOf(':')
  if (colon < 1) return undefined
  const [client_id, secret] = [text.slice(0, colon), text.slice(colon + 1)].map(decode)
  return client_id === undefined || secret === undefined ? undefined : { client_id, secret }
}

/** Both parts are written as forms write them. */
function decode(text: string): string | undefined {
  return new URLSearchParams(`v=${text.replaceAll('&', '%26')}`).get('v') ?? undefined
}

function refused({ headers }: PlainRequest): Authenticated {
  const challenge = { 'www-authenticate': 'Basic realm="mcp"' }
  const options = { status: 401, headers: headers.authorization === undefined ? {} : challenge }
  const description = 'the client is not known, or its secret is wrong; register it again'
  return { status: 'refused', response: oauthError('invalid_client', description, options) }
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
