import { randomBytes } from 'node:crypto'
import { type Clock, systemClock } from '@dataagent/guard'
import { AppError, createSecret } from '@dataagent/schema'
import {
  apiKeyLookup,
  createApiKey,
  createHasher,
  createKeyring,
  parseApiKey,
} from '@dataagent/store/secrets'
import { openSql, type SqlStore } from '@dataagent/store/sql'
import { temporaryDirectory } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { testConfig } from '../testing/test-app.ts'
import { makeAdminKey, operator, seedOperator } from './admin-key.ts'
import { createAuthenticate } from './authenticate.ts'
import type { KeyCraft, KeyHashes, KeyStores } from './ports.ts'

const master = randomBytes(32)
const clock = systemClock
const config = testConfig({ api_keys: [createSecret('configured-key-1')] })

interface Installation extends KeyStores, AsyncDisposable {
  tables: SqlStore
  clock: Clock
}

function createCraft(masters: Buffer[]): KeyCraft {
  const hasher = createHasher({ keyring: createKeyring(masters) })
  return {
    create: createApiKey,
    isMistyped: (key) => parseApiKey(key).kind === 'mistyped',
    lookup: apiKeyLookup,
    hash: hasher.hashSecret,
    verify: hasher.verifyApiKey,
  }
}

async function install(): Promise<Installation> {
  const directory = await temporaryDirectory()
  const sql = openSql({ url: `sqlite:${directory.path}/test.db` })
  await sql.migrate()
  await seedOperator({ tables: sql, clock })
  return {
    tables: sql,
    craft: createCraft([master]),
    clock,
    async [Symbol.asyncDispose]() {
      await sql.close()
      await directory[Symbol.asyncDispose]()
    },
  }
}

function check(stores: KeyStores, key: string | undefined) {
  const authenticate = createAuthenticate({ config, stores: () => stores, clock })
  return authenticate({ headers: { 'x-api-key': key } })
}

const refused = { code: 'unauthenticated' }

test('a stored key gets in as its user, and its use is noted', async () => {
  await using place = await install()
  const { key } = await makeAdminKey(place)
  expect(await check(place, key)).toEqual(operator)
  const row = await place.tables.apiKeys.findByHash(apiKeyLookup(key))
  expect(row?.last_used_at).toBeGreaterThan(Date.now() - 10_000)
})

test('no key, a mistyped one, an unknown one and a huge one are refused', async () => {
  await using place = await install()
  const { key } = await makeAdminKey(place)
  const wrong = [undefined, '', key.slice(0, -1), key.toUpperCase(), 'configured-key-2']
  for (const one of [...wrong, 'x'.repeat(10_000), `da_${'a'.repeat(60)}`])
    await expect(check(place, one)).rejects.toMatchObject(refused)
})

test('a revoked or expired key and a disabled user are refused', async () => {
  await using place = await install()
  const revoked = await makeAdminKey(place)
  await place.tables.apiKeys.revoke('default', revoked.key_id, Date.now())
  await expect(check(place, revoked.key)).rejects.toMatchObject(refused)

  const expired = 'a-key-that-an-attacker-chose'
  await plant(place, { ...place.craft.hash(expired), expires_at: Date.now() - 1 })
  await expect(check(place, expired)).rejects.toMatchObject(refused)

  const { key } = await makeAdminKey(place)
  await (place.tables as SqlStore).users.setDisabled('default', operator.user_id, Date.now())
  await expect(check(place, key)).rejects.toMatchObject(refused)
})

test('a row that somebody wrote into the database without the master key opens nothing', async () => {
  await using place = await install()
  const key = 'a-key-that-an-attacker-chose'
  const { pepper_kid } = place.craft.hash('any-key-long-enough')
  const stranger = createCraft([randomBytes(32)])
  await plant(place, { ...stranger.hash(key), pepper_kid, expires_at: null })
  await expect(check(place, key)).rejects.toMatchObject(refused)
})

test('after a new master key an old key still works, and is stored under the new one', async () => {
  await using place = await install()
  const { key } = await makeAdminKey(place)
  const craft = createCraft([randomBytes(32), master])
  expect(await check({ ...place, craft }, key)).toEqual(operator)
  const row = await place.tables.apiKeys.findByHash(apiKeyLookup(key))
  expect(row && craft.verify(key, row)).toBe('ok')
})

test('with the store away a configured key gets in and a stored one is told to come back', async () => {
  const stores = () => {
    throw new AppError('store_unavailable', 'away')
  }
  const authenticate = createAuthenticate({ config, stores, clock })
  const ask = (key: string) => authenticate({ headers: { 'x-api-key': key } })
  expect(await ask('configured-key-1')).toEqual(operator)
  await expect(ask('some-other-key')).rejects.toMatchObject({ code: 'store_unavailable' })
})

async function plant(
  { tables }: KeyStores,
  row: KeyHashes & { expires_at: number | null },
): Promise<void> {
  const times = { created_at: 1, revoked_at: null, last_used_at: null }
  await tables.apiKeys.create({ key_id: 'planted', ...operator, name: 'planted', ...times, ...row })
}
