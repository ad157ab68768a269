import { randomBytes } from 'node:crypto'
import { AppError, createSecret } from '@dataagent/schema'
import { createFakeClock } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { testConfig } from '../testing/test-app.ts'
import { createIdentity } from './identity.ts'
import { createPlace, createTestCraft, type Place, testMaster } from './test-identity.ts'
import { startIdentityServer } from './test-identity-server.ts'

const chosen = 'a-key-that-somebody-chose'
const refused = { code: 'unauthenticated', message: 'This credential is not valid.' }

/** Looks the key up anew: nothing is believed from before. */
function check(place: Place, key: string) {
  const { config, clock } = place
  return createIdentity({ config, clock, stores: () => place }).authenticateKey(key, '192.0.2.1')
}

test.each(['x-api-key', 'authorization'])(
  'a stored key in %s gets in as its user, and its use is noted [D19.2]',
  async (header) => {
    await using place = await createPlace()
    await place.addUser('ada')
    const { key, key_id } = await place.addKey('ada')
    await using server = await startIdentityServer(place)
    const value = header === 'authorization' ? `Bearer ${key}` : key
    const answer = await server.ask('/who', { [header]: value })
    const principal = { tenant_id: 'default', user_id: 'ada', role: 'user', api_key: key_id }
    expect(await answer.json()).toEqual({ principal, via: 'api_key' })
    const row = await place.tables.apiKeys.get('default', key_id)
    expect(row?.last_used_at).toBeGreaterThan(Date.now() - 10_000)
  },
)

test('wrong, mistyped, huge, expired and revoked keys and those of a disabled user get one and the same answer [D19.3]', async () => {
  await using place = await createPlace()
  await place.addUser('ada')
  await place.addUser('bob')
  const now = Date.now()
  const good = await place.addKey('ada')
  const expired = await place.addKey('ada', { expires_at: now - 1 })
  const revoked = await place.addKey('ada', { revoked_at: now - 1 })
  const disabled = await place.addKey('bob')
  await place.tables.users.update('default', 'bob', { disabled_at: now })
  const unknown = place.craft.create()
  const stored = [expired, revoked, disabled, unknown].map(({ key }) => key)
  const odd = [good.key.slice(0, -1), good.key.toUpperCase(), 'x'.repeat(10_000), chosen]
  for (const key of [...stored, ...odd])
    await expect(check(place, key)).rejects.toMatchObject(refused)
  expect((await check(place, good.key)).principal.user_id).toBe('ada')
})

test('a row that somebody wrote into the database without the master key opens nothing [T61]', async () => {
  await using place = await createPlace()
  const stranger = createTestCraft([randomBytes(32)])
  const { pepper_kid } = place.craft.hash(chosen)
  await place.addKey('admin', { ...stranger.hash(chosen), pepper_kid })
  await expect(check(place, chosen)).rejects.toMatchObject(refused)
})

test('after a new master key an old key still works, and is stored under the new one', async () => {
  await using place = await createPlace()
  const { key, key_id } = await place.addKey('admin')
  const craft = createTestCraft([randomBytes(32), testMaster])
  expect((await check({ ...place, craft }, key)).principal.user_id).toBe('admin')
  const row = await place.tables.apiKeys.get('default', key_id)
  expect(row && craft.verify(key, row)).toBe('ok')
})

test('a key keeps no right that its user has lost', async () => {
  await using place = await createPlace()
  await place.addUser('ada', 'admin')
  const admin = await place.addKey('ada')
  const auditor = await place.addKey('ada', { role: 'auditor' })
  expect((await check(place, admin.key)).principal.role).toBe('admin')
  await place.tables.users.update('default', 'ada', { role: 'user' })
  expect((await check(place, admin.key)).principal.role).toBe('user')
  // What an auditor may do and what a user may do have nothing in common.
  await expect(check(place, auditor.key)).rejects.toMatchObject(refused)
})

test('configured keys are of whom they name; their tenants and users are made [D19.4]', async () => {
  const acme = `tenant=acme;user=ada;role=user;act_as=true;key=${chosen}-2`
  await using place = await createPlace({ api_keys: [chosen, acme].map(createSecret) })
  const bare = await check(place, chosen)
  expect(bare.principal).toMatchObject({ tenant_id: 'default', user_id: 'admin', role: 'admin' })
  const long = await check(place, `${chosen}-2`)
  expect(long.principal).toMatchObject({ tenant_id: 'acme', user_id: 'ada', role: 'user' })
  expect(long.principal.api_key).toMatch(/^configured-[0-9a-f]{12}$/)
  expect((await check(place, `${chosen}-2`)).principal).toEqual(long.principal)
  expect(await place.tables.tenants.get('acme')).toMatchObject({ features_enabled: ['*'] })
  expect(await place.tables.tenants.get('default')).toMatchObject({ features_enabled: ['*'] })
  await expect(check(place, acme)).rejects.toMatchObject(refused)
})

test('a configured key of a user who is disabled is refused', async () => {
  const entry = createSecret(`user=ada;key=${chosen}`)
  await using place = await createPlace({ api_keys: [entry] })
  await place.tables.users.update('default', 'ada', { disabled_at: Date.now() })
  await expect(check(place, chosen)).rejects.toMatchObject(refused)
})

test('who may still do what they allowed is asked of the tables, by the key they were known by', async () => {
  await using place = await createPlace()
  const { config, clock, tables } = place
  const { stillMay } = createIdentity({ config, clock, stores: () => place })
  await place.addUser('ada')
  await place.addUser('bob')
  const { key_id } = await place.addKey('ada')
  const ada = { tenant_id: 'default', user_id: 'ada', user_key_id: null }
  const byKey = { ...ada, user_key_id: key_id }
  expect(await stillMay(ada)).toEqual({
    principal: { tenant_id: 'default', user_id: 'ada', role: 'user' },
    expires_at: null,
  })
  expect(await stillMay(byKey)).toMatchObject({
    principal: { user_id: 'ada', role: 'user', api_key: key_id },
    expires_at: null,
  })
  expect(await stillMay({ ...byKey, user_id: 'bob' })).toBeUndefined()
  expect(await stillMay({ ...ada, user_id: 'nobody' })).toBeUndefined()
  await tables.apiKeys.revoke('default', key_id, clock.now())
  expect(await stillMay(byKey)).toBeUndefined()
  await tables.users.update('default', 'ada', { disabled_at: clock.now() })
  expect(await stillMay(ada)).toBeUndefined()
})

test('a key tells whose it is when it has ended, one of the configuration too', async () => {
  const entry = createSecret('user=bot;act_as=true;key=bot-key-0123456789abcdef')
  await using place = await createPlace({ api_keys: [entry] })
  const { config, clock, tables } = place
  const identity = createIdentity({ config, clock, stores: () => place })
  await place.addUser('ada')
  const { key_id } = await place.addKey('ada')
  await tables.apiKeys.revoke('default', key_id, clock.now())
  expect(await identity.holderOf('default', key_id)).toBe('ada')
  expect(await identity.holderOf('other', key_id)).toBeUndefined()
  const { principal } = await identity.authenticateKey('bot-key-0123456789abcdef', '::1')
  const user_key_id = principal.api_key!
  const acted = { tenant_id: 'default', user_id: 'ada', user_key_id }
  expect(await identity.stillMay(acted)).toMatchObject({ principal: { acting_user: 'bot' } })
  await tables.users.update('default', 'bot', { disabled_at: clock.now() })
  expect(await identity.stillMay(acted)).toBeUndefined()
  expect(await identity.holderOf('default', user_key_id)).toBe('bot')
})

test('with authentication off, whoever runs the server may what they allowed', async () => {
  await using place = await createPlace()
  const config = testConfig({ auth_disabled: true })
  const { stillMay } = createIdentity({ config, clock: place.clock, stores: () => place })
  const operator = { tenant_id: 'default', user_id: 'admin', user_key_id: null }
  expect(await stillMay(operator)).toMatchObject({ principal: { role: 'platform_admin' } })
  expect(await stillMay({ ...operator, user_id: 'gone' })).toBeUndefined()
})

test('with the store away a configured key gets in and a stored one is told to come back', async () => {
  const config = testConfig({ api_keys: [createSecret(chosen)] })
  const stores = () => {
    throw new AppError('store_unavailable', 'away')
  }
  const identity = createIdentity({ config, stores, clock: createFakeClock() })
  const ask = (key: string) => identity.authenticateKey(key, '192.0.2.1')
  expect((await ask(chosen)).principal.role).toBe('admin')
  await expect(ask('some-other-key')).rejects.toMatchObject({ code: 'store_unavailable' })
})

test('several credentials at once must agree', async () => {
  await using place = await createPlace()
  await place.addUser('ada')
  const [one, two] = [await place.addKey('ada'), await place.addKey('ada')]
  await using server = await startIdentityServer(place)
  const status = async (headers: Record<string, string>) =>
    (await server.ask('/who', headers)).status
  expect(await status({ 'x-api-key': one.key, authorization: `Bearer ${one.key}` })).toBe(200)
  expect(await status({ 'x-api-key': one.key, authorization: `Bearer ${two.key}` })).toBe(401)
  expect(await status({ 'x-api-key': one.key, authorization: 'Bearer wrong' })).toBe(401)
  expect(await status({ 'x-api-key': one.key, authorization: 'Basic YTpi' })).toBe(200)
})

test('a revoked key ends at once here, and within a second in other processes', async () => {
  const clock = createFakeClock()
  await using place = await createPlace({}, clock)
  const { key, key_id } = await place.addKey('admin')
  const options = { config: place.config, clock, stores: () => place }
  const [here, there] = [createIdentity(options), createIdentity(options)]
  for (const one of [here, there]) await one.authenticateKey(key, '192.0.2.1')
  await place.tables.apiKeys.revoke('default', key_id, clock.now())
  here.forget()
  await expect(here.authenticateKey(key, '192.0.2.1')).rejects.toMatchObject(refused)
  clock.advance(1_000)
  await expect(there.authenticateKey(key, '192.0.2.1')).rejects.toMatchObject(refused)
})
