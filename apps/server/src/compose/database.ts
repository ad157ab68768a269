import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Clock } from '@dataagent/guard'
import { AppError } from '@dataagent/schema'
import type { Keyring } from '@dataagent/store/secrets'
import type { SqlStore } from '@dataagent/store/sql'
import { type Config, createStartError, databaseUrl } from '../config/index.ts'
import type { Dependency } from '../deps/index.ts'
import { type AdminKey, ensureAdminKey, type KeyStores, seedOperator } from '../identity/index.ts'
import { version } from '../version.ts'
import { toOpenError } from './database-fault.ts'
import { createFileCheck } from './database-file.ts'

interface DatabaseOptions {
  config: Config
  clock: Clock
  /** Whether this process makes the first key. */
  makesKey: boolean
}

/** The database, once it has been there. */
export interface OpenedDatabase extends KeyStores {
  sql: SqlStore
  keyring: Keyring
}

/**
 * The database of these settings. Its code is loaded when it is opened, so that listening does not
 * wait for it.
 */
export function openDatabase({ config, clock, makesKey }: DatabaseOptions) {
  const adminKey = Promise.withResolvers<AdminKey>()
  const first = Promise.withResolvers<void>()
  let sql: SqlStore | undefined
  let opened: OpenedDatabase | undefined
  let checkFile = () => {}
  let closed = false

  async function open(): Promise<void> {
    const { openSql, parseDatabaseUrl } = await import('@dataagent/store/sql')
    if (closed) throw new AppError('store_unavailable', 'The database is closed.')
    const url = databaseUrl(config)
    const target = parseDatabaseUrl(url)
    sql ??= openSql({ url })
    try {
      await prepare(sql)
    } catch (error) {
      throw toOpenError(error, target)
    }
    checkFile = createFileCheck(target)
  }

  async function prepare(store: SqlStore): Promise<void> {
    await assertNotNewer(store)
    await store.migrate()
    const keyring = await openKeyring(config, store)
    const stores = { tables: store, craft: await createCraft(keyring), sql: store, keyring }
    await seedOperator({ ...stores, clock, config })
    if (makesKey) adminKey.resolve(await findAdminKey(config, stores, clock))
    opened = stores
    first.resolve()
  }

  async function check(): Promise<void> {
    checkFile()
    await sql?.ping()
  }

  return {
    dependency: { name: 'database', open, check } satisfies Dependency,
    adminKey: adminKey.promise,
    /** Resolves when the database has been there once. */
    whenOpened: first.promise,
    /** Throws `store_unavailable` until the database has been there once. */
    opened(): OpenedDatabase {
      if (opened) return opened
      throw new AppError('store_unavailable', 'The database has not answered yet.')
    },
    async close(): Promise<void> {
      closed = true
      await sql?.close()
    },
  }
}

/** Who does not know what the tables hold would leave out what others need. */
async function assertNotNewer(store: SqlStore): Promise<void> {
  const names = await store.unknownMigrations()
  if (names.length === 0) return
  const list = names.join(', ')
  throw createStartError(
    {
      en: `The database is of a newer version of the program: it has ${list}, and this is ${version}. Start the newer version, or restore a backup of this one. Nothing was changed.`,
      zh: `数据库来自更新版本的程序：其中有 ${list}，而当前版本为 ${version}。请启动更新的版本，或恢复当前版本的备份。未作任何更改。`,
    },
    undefined,
  )
}

async function findAdminKey(config: Config, stores: KeyStores, clock: Clock): Promise<AdminKey> {
  const isConfigured = config.auth_disabled || config.api_keys.length > 0
  return isConfigured ? { status: 'configured' } : ensureAdminKey({ ...stores, clock })
}

async function createCraft(keyring: Keyring): Promise<KeyStores['craft']> {
  const { apiKeyLookup, createApiKey, createHasher, createToken, parseApiKey } = await import(
    '@dataagent/store/secrets'
  )
  const hasher = createHasher({ keyring })
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

/** Throws `config_invalid` where the master key is not the one that the database began with. */
async function openKeyring(config: Config, { settings }: SqlStore): Promise<Keyring> {
  const secrets = await import('@dataagent/store/secrets')
  const name = 'key_check'
  const keyring = await secrets.openKeyring({
    file: config.master_key_file,
    value: config.master_key?.reveal() ?? fleetingKey(config),
    makeAt: join(config.data_dir, 'master.key'),
    keyCheck: await settings.get(name),
  })
  // Another node may have come first with another key.
  const check = await settings.setIfAbsent(name, secrets.createKeyCheck(keyring))
  secrets.verifyKeyCheck(keyring, check)
  return keyring
}

/** Where nothing is kept there is nothing for a key file to open later. */
function fleetingKey({ session_store, master_key_file }: Config): string | undefined {
  if (session_store !== 'memory' || master_key_file) return undefined
  return randomBytes(32).toString('base64')
}
