import { createHash, timingSafeEqual } from 'node:crypto'
import type { Clock } from '@dataagent/guard'
import { AppError, roleSchema } from '@dataagent/schema'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../config/index.ts'
import { operator } from './admin-key.ts'
import type { KeyStores, StoredKey } from './ports.ts'
import type { Principal } from './principal.ts'

export interface AuthenticateOptions {
  config: Pick<Config, 'api_keys' | 'auth_disabled'>
  /** Throws `store_unavailable` until the database has been there once. */
  stores(): KeyStores
  clock: Clock
}

/** How exact the time of last use is. */
const touchEveryMs = 60_000

/**
 * Checks `X-API-Key` against the configured and the stored keys. With the store away only
 * configured ones get in; others are told to come back.
 */
export function createAuthenticate(options: AuthenticateOptions) {
  const { api_keys, auth_disabled } = options.config
  const configured = api_keys.map((key) => digest(key.reveal()))

  return async ({ headers }: Pick<FastifyRequest, 'headers'>): Promise<Principal> => {
    if (auth_disabled) return operator
    const key = headers['x-api-key']
    if (typeof key !== 'string' || key === '')
      throw new AppError('unauthenticated', 'Send your API key in the header X-API-Key.')
    return isConfigured(configured, digest(key)) ? operator : findStored(options, key)
  }
}

async function findStored({ stores, clock }: AuthenticateOptions, key: string): Promise<Principal> {
  const { tables, craft } = stores()
  if (key.length > 512 || craft.isMistyped(key)) throw wrongKey()
  const row = await tables.apiKeys.findByHash(craft.lookup(key))
  const verdict = row && craft.verify(key, row)
  if (!row || verdict === 'wrong' || !isUsable(row, clock.now())) throw wrongKey()
  const { tenant_id, user_id } = row
  const user = await tables.users.get(tenant_id, user_id)
  if (!user || user.disabled_at !== null) throw wrongKey()
  if (verdict === 'stale') await ignoringFailure(tables.apiKeys.rehash(row.key_id, craft.hash(key)))
  if (clock.now() - (row.last_used_at ?? 0) >= touchEveryMs)
    await ignoringFailure(tables.apiKeys.touch(row.key_id, clock.now()))
  return { tenant_id, user_id, role: roleSchema.parse(row.role) }
}

function isUsable({ revoked_at, expires_at }: StoredKey, now: number): boolean {
  return revoked_at === null && (expires_at === null || expires_at > now)
}

/** Bookkeeping: a full disk must keep nobody out. The next use tries again. */
async function ignoringFailure(work: Promise<void>): Promise<void> {
  await work.catch(() => {})
}

/** Looks at all of them, so that the time does not tell which one was near. */
function isConfigured(configured: Buffer[], given: Buffer): boolean {
  return configured.filter((one) => timingSafeEqual(one, given)).length > 0
}

function digest(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

function wrongKey(): AppError {
  return new AppError('unauthenticated', 'This API key is not valid.')
}
