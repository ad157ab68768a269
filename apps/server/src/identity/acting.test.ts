import { expect, test } from 'vitest'
import { createPlace } from './test-identity.ts'
import { cookieOf, startIdentityServer } from './test-identity-server.ts'

test('a key that may act for others is then the user, with the key and the holder on record', async () => {
  await using place = await createPlace()
  await place.addUser('ada')
  await place.addUser('bot')
  const { key, key_id } = await place.addKey('bot', { act_as: 1 })
  await using server = await startIdentityServer(place)
  const answer = await server.ask('/who', { 'x-api-key': key, 'x-dataagent-act-as': 'ada' })
  expect(await answer.json()).toEqual({
    principal: {
      ...{ tenant_id: 'default', user_id: 'ada', role: 'user' },
      ...{ api_key: key_id, acting_user: 'bot' },
    },
    via: 'api_key',
  })
})

test('nobody acts for administrators, auditors, the disabled, the unknown or another tenant [D32.1]', async () => {
  await using place = await createPlace()
  const { key } = await place.addKey('admin', { act_as: 1 })
  await place.addUser('boss', 'admin')
  await place.addUser('eve', 'auditor')
  await place.addUser('gone')
  await place.tables.users.update('default', 'gone', { disabled_at: Date.now() })
  const tenant = await place.tables.tenants.get('default')
  if (tenant) await place.tables.tenants.create({ ...tenant, tenant_id: 'acme' })
  await place.addUser('zoe', 'user', 'acme')
  await using server = await startIdentityServer(place)
  for (const user of ['admin', 'boss', 'eve', 'gone', 'nobody', 'zoe', '*', '']) {
    const answer = await server.ask('/who', { 'x-api-key': key, 'x-dataagent-act-as': user })
    expect([user, answer.status]).toEqual([user, 403])
  }
})

test('a key without that right acts for nobody, nor does a browser', async () => {
  await using place = await createPlace()
  await place.addUser('ada')
  const plain = await place.addKey('admin')
  const acting = await place.addKey('admin', { act_as: 1 })
  await using server = await startIdentityServer(place)
  const asked = { 'x-dataagent-act-as': 'ada' }
  expect((await server.ask('/who', { 'x-api-key': plain.key, ...asked })).status).toBe(403)
  const cookie = cookieOf(await server.ask('/in', { 'x-key': acting.key }, 'POST'))
  expect((await server.ask('/who', { cookie, ...asked })).status).toBe(403)
})

test('a key acts for others no longer than its holder has the role that it was given with', async () => {
  await using place = await createPlace()
  for (const user of ['ada', 'bot']) await place.addUser(user)
  await place.addUser('boss', 'admin')
  const keys = {
    own: await place.addKey('boss', { act_as: 1 }),
    narrow: await place.addKey('boss', { role: 'user', act_as: 1 }),
    // As it was stored before its holder's role went.
    outlived: await place.addKey('bot', { role: 'admin', act_as: 1 }),
    given: await place.addKey('bot', { act_as: 1 }),
  }
  await using server = await startIdentityServer(place)
  const statuses = async () => {
    server.identity.forget()
    const asked = Object.entries(keys).map(async ([name, { key }]) => {
      const headers = { 'x-api-key': key, 'x-dataagent-act-as': 'ada' }
      return [name, (await server.ask('/who', headers)).status]
    })
    return Object.fromEntries(await Promise.all(asked))
  }
  expect(await statuses()).toEqual({ own: 200, narrow: 200, outlived: 403, given: 200 })
  await place.tables.users.update('default', 'boss', { role: 'user' })
  expect(await statuses()).toEqual({ own: 403, narrow: 403, outlived: 403, given: 200 })
  await place.tables.users.update('default', 'boss', { role: 'admin' })
  expect(await statuses()).toEqual({ own: 403, narrow: 403, outlived: 403, given: 200 })
})
