import { randomBytes } from 'node:crypto'
import { type Clock, systemClock } from '@dataagent/guard'
import { createNote } from '@dataagent/hub'
import type { Role } from '@dataagent/schema'
import { createMemoryKv } from '@dataagent/store/kv'
import {
  apiKeyLookup,
  createApiKey,
  createHasher,
  createKeyring,
  createToken,
  parseApiKey,
} from '@dataagent/store/secrets'
import { openSql, type SqlStore } from '@dataagent/store/sql'
import { temporaryDirectory } from '@dataagent/testkit'
import type { Config } from '../config/index.ts'
import type { StoredKey } from '../ports/index.ts'
import { testConfig } from '../testing/test-app.ts'
import type { IdentityStores, KeyCraft } from './ports.ts'
import { seedOperator } from './seed.ts'

export const testMaster = randomBytes(32)

export function createTestCraft(masters: Buffer[] = [testMaster]): KeyCraft {
  const hasher = createHasher({ keyring: createKeyring(masters) })
  return {
    create: createApiKey,
    kindOf: (key) => parseApiKey(key).kind,
    lookup: apiKeyLookup,
    hash: hasher.hashSecret,
    verify: hasher.verifyApiKey,
    createToken,
    tokenHash: hasher.tokenHash,
    tokenHashes: hasher.tokenHashes,
  }
}

/** A database and a KV with what the identity room needs of them. */
export interface Place extends IdentityStores, AsyncDisposable {
  config: Config
  clock: Clock
  tables: SqlStore
  note: ReturnType<typeof createNote>
  addUser(user_id: string, role?: Role, tenant_id?: string): Promise<void>
  /** Makes a key, and gives it. */
  addKey(user_id: string, change?: Partial<StoredKey>): Promise<{ key: string; key_id: string }>
}

export async function createPlace(
  change: Partial<Config> = {},
  clock: Clock = systemClock,
): Promise<Place> {
  const directory = await temporaryDirectory()
  const tables = openSql({ url: `sqlite:${directory.path}/test.db` })
  await tables.migrate()
  const config = testConfig({ api_keys: [], ...change })
  await seedOperator({ tables, clock, config })
  const craft = createTestCraft()
  const kv = createMemoryKv()
  return {
    ...{ config, clock, tables, craft, kv, note: createNote({ clock }) },
    async addUser(user_id, role = 'user', tenant_id = 'default') {
      const times = { created_at: clock.now(), disabled_at: null }
      await tables.users.create({ tenant_id, user_id, name: user_id, role, ...times })
    },
    async addKey(user_id, over = {}) {
      const { key, key_id } = craft.create()
      const user = await tables.users.get(over.tenant_id ?? 'default', user_id)
      const base = { tenant_id: 'default', user_id, role: user?.role ?? 'user', name: 'test' }
      const times = { created_at: clock.now(), expires_at: null, revoked_at: null }
      const row = { ...base, key_id, ...craft.hash(key), ...times, last_used_at: null, act_as: 0 }
      await tables.apiKeys.create({ ...row, ...over })
      return { key, key_id }
    },
    async [Symbol.asyncDispose]() {
      await kv[Symbol.asyncDispose]()
      await tables.close()
      await directory[Symbol.asyncDispose]()
    },
  }
}
