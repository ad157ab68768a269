import type { User } from '@dataagent/schema'
import { expect, test } from 'vitest'
import { makeAdminKey } from './admin-key.ts'
import { createIdentity } from './identity.ts'
import { createPlace, type Place } from './test-identity.ts'

/** What the operator's keys are once the user has been changed so, somebody else being there. */
async function keyAfter(place: Place, change: Partial<Pick<User, 'role' | 'disabled_at'>>) {
  await place.addUser('second', 'platform_admin')
  await place.tables.users.update('default', 'admin', change)
  return makeAdminKey(place)
}

function roleWith(place: Place, key: string) {
  const { config, clock } = place
  const identity = createIdentity({ config, clock, stores: () => place })
  return identity.authenticateKey(key, '192.0.2.1').then(({ principal }) => principal.role)
}

const changesOf = ({ tables }: Place) =>
  tables.hub.changes.query({ tenant_id: 'default', limit: 10, offset: 0 })

test.each([
  ['disabled', { disabled_at: 5 }, 'enabled'],
  ['demoted', { role: 'user' }, 'changed'],
  ['both', { role: 'auditor', disabled_at: 5 }, 'enabled'],
] as const)(
  'a new key opens everything where its user was %s, and that is noted',
  async (_, change, action) => {
    await using place = await createPlace()
    const { key, isReinstated } = await keyAfter(place, change)
    expect(isReinstated).toBe(true)
    expect(await roleWith(place, key)).toBe('platform_admin')
    const by = { by_tenant: 'default', user_id: 'admin', role: 'platform_admin' }
    expect(await changesOf(place)).toMatchObject([{ ...by, kind: 'user', target: 'admin', action }])
  },
)

test('where its user is as it was, a new key changes nothing else', async () => {
  await using place = await createPlace()
  const { key, isReinstated } = await keyAfter(place, { disabled_at: null })
  expect(isReinstated).toBe(false)
  expect(await roleWith(place, key)).toBe('platform_admin')
  expect(await changesOf(place)).toEqual([])
})
