import { randomBytes } from 'node:crypto'
import { systemClock } from '@dataagent/guard'
import { AppError, createSecret } from '@dataagent/schema'
import { apiKeyLookup, createHasher, createKeyring, type Hasher } from '@dataagent/store/secrets'
import { openSql, type SqlStore } from '@dataagent/store/sql'
import { temporaryDirectory } from '@dataagent/testkit'
import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { makeAdminKey, operator, seedOperator } from '../start/admin-key.ts'
import { testConfig } from '../testing/test-app.ts'
import { createAuthenticate } from './authenticate.ts'

const master = randomBytes(32)
const clock = systemClock
const config = testConfig({ api_keys: [createSecret('configured-key-1')] })

interface Installation extends AsyncDisposable {
  sql: SqlStore
  hasher: Hasher
}

async function install(): Promise<Installation> {
  const directory = await temporaryDirectory()
  const sql = openSql({ url: `sqlite:${directory.path}/test.db` })
  await sql.migrate()
  await seedOperator({ sql, clock })
  const hasher = createHasher({ keyring: createKeyring([master]) })
  return {
    sql,
    hasher,
    async [Symbol.asyncDispose]() {
      await sql.close()
      await directory[Symbol.asyncDispose]()
    },
  }
}

function check(
  { sql, hasher }: Omit<Installation, keyof AsyncDisposable>,
  key: string | undefined,
) {
  const stores = () => ({ sql, hasher })
  const authenticate = createAuthenticate({ config, stores, clock, operator })
  return authenticate({ headers: { 'x-api-key': key } } as unknown as FastifyRequest)
}

const refused = { code: 'unauthenticated' }

test('a stored key gets in as its user, and its use is noted', async () => {
  await using place = await install()
  const { key } = await makeAdminKey({ ...place, clock })
  expect(await check(place, key)).toEqual(operator)
  const row = await place.sql.apiKeys.findByHash(apiKeyLookup(key))
  expect(row?.last_used_at).toBeGreaterThan(Date.now() - 10_000)
})

test('no key, a mistyped one, an unknown one and a huge one are refused', async () => {
  await using place = await install()
  const { key } = await makeAdminKey({ ...place, clock })
  const wrong = [undefined, '', key.slice(0, -1), key.toUpperCase(), 'configured-key-2']
  for (const one of [...wrong, 'x'.repeat(10_000), `da_${'a'.repeat(60)}`])
    await expect(check(place, one)).rejects.toMatchObject(refused)
})

test('a revoked or expired key and a disabled user are refused', async () => {
  await using place = await install()
  const revoked = await makeAdminKey({ ...place, clock })
  await place.sql.apiKeys.revoke('default', revoked.key_id, Date.now())
  await expect(check(place, revoked.key)).rejects.toMatchObject(refused)

  const { key } = await makeAdminKey({ ...place, clock })
  await place.sql.users.setDisabled('default', operator.user_id, Date.now())
  await expect(check(place, key)).rejects.toMatchObject(refused)

  await place.sql.users.setDisabled('default', operator.user_id, null)
  const expired = 'a-key-that-an-attacker-chose'
  await plant(place.sql, { ...place.hasher.hashSecret(expired), expires_at: Date.now() - 1 })
  await expect(check(place, expired)).rejects.toMatchObject(refused)
})

test('a row that somebody wrote into the database without the master key opens nothing', async () => {
  await using place = await install()
  const key = 'a-key-that-an-attacker-chose'
  const stranger = createHasher({ keyring: createKeyring([randomBytes(32)]) })
  const { pepper_kid } = place.hasher.hashSecret('any-key-long-enough')
  await plant(place.sql, { ...stranger.hashSecret(key), pepper_kid, expires_at: null })
  await expect(check(place, key)).rejects.toMatchObject(refused)
})

test('after a new master key an old key still works, and is stored under the new one', async () => {
  await using place = await install()
  const { key } = await makeAdminKey({ ...place, clock })
  const next = createHasher({ keyring: createKeyring([randomBytes(32), master]) })
  expect(await check({ ...place, hasher: next }, key)).toEqual(operator)
  const row = await place.sql.apiKeys.findByHash(apiKeyLookup(key))
  expect(row && next.verifyApiKey(key, row)).toBe('ok')
})

test('with the store away a configured key gets in and a stored one is told to come back', async () => {
  const stores = () => {
    throw new AppError('store_unavailable', 'away')
  }
  const authenticate = createAuthenticate({ config, stores, clock, operator })
  const ask = (key: string) =>
    authenticate({ headers: { 'x-api-key': key } } as unknown as FastifyRequest)
  expect(await ask('configured-key-1')).toEqual(operator)
  await expect(ask('some-other-key')).rejects.toMatchObject({ code: 'store_unavailable' })
})

type Planted = ReturnType<Hasher['hashSecret']> & { expires_at: number | null }

async function plant(sql: SqlStore, hashes: Planted): Promise<void> {
  await sql.apiKeys.create({
    key_id: 'planted',
    ...operator,
    name: 'planted',
    created_at: 1,
    revoked_at: null,
    last_used_at: null,
    ...hashes,
  })
}
