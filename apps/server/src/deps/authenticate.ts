import { createHash, timingSafeEqual } from 'node:crypto'
import type { Clock } from '@dataagent/guard'
import { AppError, roleSchema } from '@dataagent/schema'
import { apiKeyLookup, type Hasher, parseApiKey } from '@dataagent/store/secrets'
import type { ApiKeyRow, SqlStore } from '@dataagent/store/sql'
import type { Config } from '../config/index.ts'
import type { Authenticate } from './gate.ts'
import type { Principal } from './principal.ts'

export interface AuthenticateOptions {
  config: Config
  /** Throws `store_unavailable` until the database has been there once. */
  stores(): { sql: SqlStore; hasher: Hasher }
  clock: Clock
  /** Who the keys of the configuration belong to. */
  operator: Principal
}

/** How exact the time of last use is. */
const touchEveryMs = 60_000

/**
 * Checks `X-API-Key` against the configured and the stored keys. With the store away only
 * configured ones get in.
 */
export function createAuthenticate(options: AuthenticateOptions): Authenticate {
  const { config, operator } = options
  if (config.auth_disabled) return async () => operator
  const configured = config.api_keys.map((key) => digest(key.reveal()))

  return async ({ headers }) => {
    const key = headers['x-api-key']
    if (typeof key !== 'string' || key === '')
      throw new AppError('unauthenticated', 'Send your API key in the header X-API-Key.')
    if (isConfigured(configured, digest(key))) return operator
    return findStored(options, key)
  }
}

async function findStored(options: AuthenticateOptions, key: string): Promise<Principal> {
  const { stores, clock } = options
  if (key.length > 512 || parseApiKey(key).kind === 'mistyped') throw wrongKey()
  const { sql, hasher } = stores()
  const row = await sql.apiKeys.findByHash(apiKeyLookup(key))
  const verdict = row && hasher.verifyApiKey(key, row)
  if (!row || verdict === 'wrong' || !isUsable(row, clock.now())) throw wrongKey()
  const { tenant_id, user_id } = row
  const user = await sql.users.get(tenant_id, user_id)
  if (!user || user.disabled_at !== null) throw wrongKey()
  await noteUse(options, row, verdict === 'stale' ? key : undefined)
  return { tenant_id, user_id, role: roleSchema.parse(row.role) }
}

function isUsable({ revoked_at, expires_at }: ApiKeyRow, now: number): boolean {
  return revoked_at === null && (expires_at === null || expires_at > now)
}

/** Bookkeeping: a full disk must keep nobody out. */
async function noteUse(
  { stores, clock }: AuthenticateOptions,
  { key_id, last_used_at }: ApiKeyRow,
  staleKey: string | undefined,
): Promise<void> {
  const { sql, hasher } = stores()
  try {
    if (staleKey) {
      const { key_mac, pepper_kid } = hasher.hashSecret(staleKey)
      await sql.apiKeys.rehash(key_id, { key_mac, pepper_kid })
    }
    const now = clock.now()
    if (now - (last_used_at ?? 0) >= touchEveryMs) await sql.apiKeys.touch(key_id, now)
  } catch {
    // It is tried again with the next use.
  }
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
