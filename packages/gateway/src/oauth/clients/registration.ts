import { randomUUID } from 'node:crypto'
import {
  jsonResponse,
  type PlainRequest,
  type PlainResponse,
  retryAfter,
} from '../../http/index.ts'
import type { ClientRow } from '../../ports.ts'
import { oauthError, tooManyRequests } from '../oauth-error.ts'
import type { OAuthServerOptions } from '../options.ts'
import type { Throttle } from '../throttle.ts'
import { parseRegistration, type RegistrationRequest } from './registration-request.ts'

const hour = 3_600_000
/** How many programs may be registered at once. */
const max = 10_000
const unusedMs = 30 * 24 * hour
/** Where there is no room left, those go that came this long ago and were never used. */
const unusedWhenFullMs = hour
const sweptAtOnce = 1000

export interface RegistrationOptions
  extends Pick<OAuthServerOptions, 'clients' | 'craft' | 'clock' | 'settings' | 'onLog'> {
  throttle: Throttle
}

/** RFC 7591: whoever is given the URL can connect. */
export function createRegistration(options: RegistrationOptions) {
  const { clients, craft, clock, settings, throttle, onLog } = options

  let nextSweepAt = Number.NEGATIVE_INFINITY

  async function store(row: ClientRow): Promise<boolean> {
    if (clock.monotonic() >= nextSweepAt) {
      nextSweepAt = clock.monotonic() + hour
      await clients.deleteUnused(clock.now() - unusedMs, sweptAtOnce)
    }
    if (await clients.create(row, { max })) return true
    await clients.deleteUnused(clock.now() - unusedWhenFullMs, sweptAtOnce)
    return clients.create(row, { max })
  }

  return async ({ body, ip }: PlainRequest): Promise<PlainResponse> => {
    const waitMs = await throttle.take('register', ip)
    if (waitMs !== undefined) return tooManyRequests(waitMs)
    const parsed = parseRegistration(body, settings.oauth_redirect_uri)
    if (parsed.status === 'refused') return oauthError(parsed.error, parsed.description)
    const secret = needsSecret(parsed.request) ? craft.createToken() : undefined
    const secret_hash = secret === undefined ? null : craft.tokenHash(secret)
    const row = toRow(parsed.request, secret_hash, clock.now())
    if (!(await store(row))) return noRoom()
    onLog({ level: 'info', message: 'a client registered itself', client: row.client_name, ip })
    return jsonResponse(201, toAnswer(row, secret))
  }
}

function needsSecret({ token_endpoint_auth_method }: RegistrationRequest): boolean {
  return token_endpoint_auth_method !== 'none'
}

function noRoom(): PlainResponse {
  const description = 'too many clients are registered; try again later'
  const headers = retryAfter(unusedWhenFullMs)
  return oauthError('temporarily_unavailable', description, { status: 503, headers })
}

function toRow(
  request: RegistrationRequest,
  secret_hash: string | null,
  created_at: number,
): ClientRow {
  return {
    client_id: randomUUID(),
    client_name: request.client_name,
    redirect_uris: JSON.stringify(request.redirect_uris),
    client_uri: request.client_uri ?? null,
    logo_uri: request.logo_uri ?? null,
    token_endpoint_auth_method: request.token_endpoint_auth_method,
    grant_types: JSON.stringify(request.grant_types),
    scope: request.scope ?? null,
    secret_hash,
    kind: 'dynamic',
    created_at,
    last_used_at: null,
  }
}

function toAnswer(row: ClientRow, secret: string | undefined): Record<string, unknown> {
  const { client_id, client_name, token_endpoint_auth_method, client_uri, logo_uri, scope } = row
  return {
    client_id,
    client_id_issued_at: Math.floor(row.created_at / 1000),
    ...(secret !== undefined && { client_secret: secret, client_secret_expires_at: 0 }),
    client_name,
    redirect_uris: JSON.parse(row.redirect_uris),
    grant_types: JSON.parse(row.grant_types),
    response_types: ['code'],
    token_endpoint_auth_method,
    ...(client_uri !== null && { client_uri }),
    ...(logo_uri !== null && { logo_uri }),
    ...(scope !== null && { scope }),
  }
}
