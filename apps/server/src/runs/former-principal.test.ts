import { expect, test } from 'vitest'
import { createIdentity } from '../identity/index.ts'
import { createPlace } from '../identity/test-identity.ts'
import type { RunRow } from '../ports/index.ts'
import { toFormerPrincipal } from './former-principal.ts'

const run = { tenant_id: 'default', user_id: 'ada', role: 'user', api_key: null } as RunRow

test('who began a run in the name of another goes on so, as long as they still may', async () => {
  await using place = await createPlace()
  const { tables } = place
  const { stillMay } = createIdentity({ ...place, stores: () => place })
  await place.addUser('ada')
  await place.addUser('boss', 'admin')
  const { key_id: api_key } = await place.addKey('boss', { act_as: 1 })
  const former = () => toFormerPrincipal(stillMay, { ...run, api_key })
  const { tenant_id, user_id, role } = run
  expect(await former()).toEqual({
    principal: { tenant_id, user_id, role, api_key, acting_user: 'boss' },
    ...{ mayGoOn: true, isAsBefore: true },
  })
  const ended = { principal: { user_id, api_key }, mayGoOn: false, isAsBefore: false }
  await tables.users.update('default', 'boss', { disabled_at: 1 })
  expect(await former()).toMatchObject(ended)
  await tables.users.update('default', 'boss', { disabled_at: null })
  expect(await former()).toMatchObject({ mayGoOn: true })
  await tables.users.update('default', 'boss', { role: 'user' })
  expect(await former()).toMatchObject(ended)
})

test('they have no more rights than they had, nor than they have now', async () => {
  await using place = await createPlace()
  const { stillMay } = createIdentity({ ...place, stores: () => place })
  await place.addUser('ada', 'user')
  await place.addUser('eve', 'auditor')
  const former = (change: Partial<RunRow>) => toFormerPrincipal(stillMay, { ...run, ...change })
  const lowered = { principal: { role: 'user' }, mayGoOn: true, isAsBefore: false }
  expect(await former({ role: 'admin' })).toMatchObject(lowered)
  await place.tables.users.update('default', 'ada', { role: 'admin' })
  const kept = { principal: { role: 'user' }, mayGoOn: true, isAsBefore: true }
  expect(await former({ role: 'user' })).toMatchObject(kept)
  expect(await former({ role: 'user', user_id: 'eve' })).toMatchObject({ mayGoOn: false })
  expect(await former({ role: 'admin', user_id: 'eve' })).toMatchObject({ mayGoOn: false })
  expect(await former({ user_id: 'nobody' })).toMatchObject({ mayGoOn: false })
})
