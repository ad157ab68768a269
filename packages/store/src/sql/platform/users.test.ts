import { longCount } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { describeSql } from '../describe-sql.ts'
import { aNote, anApiKey, aUser, notesOf, storedTenant, storedUser } from '../test-builders.ts'

const attempts = longCount(20, 200)

await describeSql('users', (subject) => {
  // The first of its block: later ones leave such users behind.
  test('the last who manages the platform stays, also where two of two tenants step down at once', async () => {
    const { store, open } = subject()
    const role = 'platform_admin'
    const [one, other] = [await storedUser(store, { role }), await storedUser(store, { role })]
    for (const { tenant_id } of [one, other])
      await store.users.create(aUser({ tenant_id, role: 'admin' }))
    const outcomes = await Promise.allSettled([
      store.users.update(one.tenant_id, one.user_id, { role: 'admin' }),
      open().users.update(other.tenant_id, other.user_id, { disabled_at: 5 }),
    ])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'conflict', message: expect.stringContaining('manages the platform') },
    })
  })

  test('one is reinstated with a key and a note, or not at all', async () => {
    const { store } = subject()
    const user = await storedUser(store, { role: 'user', disabled_at: 5 })
    const { tenant_id, user_id } = user
    const role = 'admin'
    const key = anApiKey(user)
    const note = () => aNote({ tenant_id, kind: 'user', target: user_id })
    await store.users.reinstate({ tenant_id, user_id, role }, key, { note: note() })
    expect(await store.users.get(tenant_id, user_id)).toEqual({ ...user, role, disabled_at: null })
    expect(await store.apiKeys.get(tenant_id, key.key_id)).toEqual(key)
    const again = store.users.reinstate({ tenant_id, user_id, role: 'user' }, key, { note: note() })
    await expect(again).rejects.toMatchObject({ code: 'conflict' })
    expect(await store.users.get(tenant_id, user_id)).toMatchObject({ role })
    expect(await notesOf(store, tenant_id)).toEqual([`user ${user_id}`])
    const nobody = { tenant_id, user_id: 'nobody' }
    const lost = store.users.reinstate({ ...nobody, role }, anApiKey(nobody))
    await expect(lost).rejects.toMatchObject({ code: 'not_found' })
  })

  test('who no longer manages the tenant has no key that acts for others', async () => {
    const { store } = subject()
    const chief = await storedUser(store, { role: 'admin' })
    const { tenant_id } = chief
    const boss = await storedUser(store, { tenant_id, role: 'admin' })
    const keys = [chief, boss].map((user) => anApiKey(user, { act_as: 1 }))
    for (const key of keys) await store.apiKeys.create(key)
    const acts = () =>
      Promise.all(
        keys.map(async ({ key_id }) => (await store.apiKeys.get(tenant_id, key_id))?.act_as),
      )
    await store.users.update(tenant_id, boss.user_id, { name: 'Boss', role: 'admin' })
    expect(await acts()).toEqual([1, 1])
    await store.users.update(tenant_id, boss.user_id, { role: 'user' })
    expect(await acts()).toEqual([1, 0])
    await store.users.update(tenant_id, boss.user_id, { role: 'admin' })
    expect(await acts()).toEqual([1, 0])
  })

  test('the same user id in two tenants is two users', async () => {
    const { users } = subject().store
    const [a, b] = [await storedTenant(subject().store), await storedTenant(subject().store)]
    const user = aUser({ tenant_id: a.tenant_id, user_id: 'ana' })
    await users.create(user)
    expect(await users.get(b.tenant_id, 'ana')).toBeUndefined()
    await users.create({ ...user, tenant_id: b.tenant_id, role: 'admin' })
    await users.update(a.tenant_id, 'ana', { disabled_at: 5 })
    expect(await users.get(a.tenant_id, 'ana')).toEqual({ ...user, disabled_at: 5 })
    expect(await users.get(b.tenant_id, 'ana')).toMatchObject({ role: 'admin', disabled_at: null })
    expect(await users.count(a.tenant_id)).toBe(1)
    expect(await users.list(a.tenant_id, { limit: 10, offset: 0 })).toHaveLength(1)
    await expect(users.create(user)).rejects.toMatchObject({ code: 'conflict' })
    for (const options of [{}, { max: 3 }]) {
      const lost = users.create(aUser({ tenant_id: 'nobody' }), options)
      await expect(lost).rejects.toMatchObject({ code: 'not_found' })
    }
  })

  test('are found by a text in their name or id, without regard to case', async () => {
    const { users } = subject().store
    const { tenant_id } = await storedTenant(subject().store)
    const { tenant_id: other } = await storedTenant(subject().store)
    await users.create(aUser({ tenant_id, user_id: 'ana', name: 'Ana Smith' }))
    await users.create(aUser({ tenant_id, user_id: 'bo', name: '王小明 100%' }))
    await users.create(aUser({ tenant_id: other, user_id: 'anabel', name: 'Anabel' }))
    const found = async (q: string) => {
      const list = await users.list(tenant_id, { limit: 10, offset: 0, q })
      expect(await users.count(tenant_id, { q })).toBe(list.length)
      return list.map(({ user_id }) => user_id)
    }
    expect(await found('SMITH')).toEqual(['ana'])
    expect(await found('小明')).toEqual(['bo'])
    expect(await found('A')).toEqual(['ana'])
    expect(await found('%')).toEqual(['bo'])
    expect(await found('_')).toEqual([])
  })

  test.each(['', ' a', 'a ', 'a\0', 'a\n', '\ud800', 'x'.repeat(192)])(
    'refuses the user id %j',
    async (user_id) => {
      const create = subject().store.users.create(aUser({ tenant_id: 'default', user_id }))
      await expect(create).rejects.toMatchObject({ code: 'invalid_request' })
    },
  )

  test(`of ${attempts} created at once from two stores as many succeed as the tenant may have [D35.4]`, async () => {
    const { store, open } = subject()
    const { tenant_id } = await storedTenant(store)
    const stores = [store, open()]
    const outcomes = await Promise.allSettled(
      Array.from({ length: attempts }, (_, n) =>
        stores[n % 2]!.users.create(aUser({ tenant_id }), { max: 5 }),
      ),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'quota_exceeded', data: { limit: 'max_users', max: 5 } },
    })
    expect(await store.users.count(tenant_id)).toBe(5)
  })

  test('a change is noted with it, a refused one is not', async () => {
    const { store } = subject()
    const { tenant_id, user_id } = await storedUser(store)
    const note = () => aNote({ tenant_id, kind: 'user', target: user_id })
    const updated = await store.users.update(tenant_id, user_id, { name: 'B' }, { note: note() })
    expect(updated).toEqual(await store.users.get(tenant_id, user_id))
    const lost = store.users.update(tenant_id, 'nobody', { name: 'B' }, { note: note() })
    await expect(lost).rejects.toMatchObject({ code: 'not_found' })
    const full = store.users.create(aUser({ tenant_id }), { note: note(), max: 1 })
    await expect(full).rejects.toMatchObject({ code: 'quota_exceeded' })
    expect(await notesOf(store, tenant_id)).toEqual([`user ${user_id}`])
  })

  test('the last who manages a tenant stays, also where two step down at once', async () => {
    const { store, open } = subject()
    const first = await storedUser(store, { role: 'admin' })
    const { tenant_id } = first
    const second = aUser({ tenant_id, role: 'platform_admin' })
    await store.users.create(second)
    await storedUser(store, { role: 'platform_admin' })
    await store.users.create(aUser({ tenant_id, role: 'admin', disabled_at: 1 }))
    const outcomes = await Promise.allSettled([
      store.users.update(tenant_id, first.user_id, { role: 'user' }),
      open().users.update(tenant_id, second.user_id, { disabled_at: 5 }),
    ])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'conflict' },
    })
    await store.users.update(tenant_id, first.user_id, { name: 'Still here' })
  })
})
