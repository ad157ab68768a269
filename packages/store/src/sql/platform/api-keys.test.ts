import { expect, test } from 'vitest'
import { describeSql } from '../describe-sql.ts'
import { aNote, anApiKey, notesOf, storedUser } from '../test-builders.ts'

const page = { limit: 10, offset: 0 }

await describeSql('API keys', (subject) => {
  test('a key is found by its hash, counted while usable, and revoked once', async () => {
    const { store } = subject()
    const { apiKeys } = store
    const user = await storedUser(store)
    const { tenant_id, user_id } = user
    const key = anApiKey(user, { expires_at: 100, act_as: 1 })
    const note = () => aNote({ tenant_id, kind: 'api_key', target: key.key_id })
    await apiKeys.create(key, { note: note() })
    expect(await apiKeys.findByHash(key.hashed_api_key)).toEqual(key)
    expect(await apiKeys.get(tenant_id, key.key_id)).toEqual(key)
    expect(await apiKeys.get('other', key.key_id)).toBeUndefined()
    expect(await apiKeys.findByHash('other')).toBeUndefined()
    expect([await apiKeys.countUsable(99), await apiKeys.countUsable(100)]).toEqual([1, 0])
    const stale = [apiKeys.countStale('another', 99), apiKeys.countStale('another', 100)]
    expect(await Promise.all([...stale, apiKeys.countStale(key.pepper_kid, 99)])).toEqual([1, 0, 0])
    await apiKeys.touch(key.key_id, 7)
    await apiKeys.rehash(key.key_id, { key_mac: 'new', pepper_kid: 'k2' })
    await apiKeys.revoke(tenant_id, key.key_id, 50, { note: note() })
    await apiKeys.revoke(tenant_id, key.key_id, 60, { note: note() })
    expect(await apiKeys.listByUser(tenant_id, user_id, page)).toEqual([
      { ...key, last_used_at: 7, key_mac: 'new', pepper_kid: 'k2', revoked_at: 50 },
    ])
    expect(await apiKeys.countUsable(10)).toBe(0)
    expect(await notesOf(store, tenant_id)).toHaveLength(2)
    const elsewhere = apiKeys.revoke('other', key.key_id, 50)
    await expect(elsewhere).rejects.toMatchObject({ code: 'not_found' })
    const ofNobody = apiKeys.create(anApiKey({ tenant_id, user_id: 'nobody' }))
    await expect(ofNobody).rejects.toMatchObject({ code: 'not_found' })
  })

  test('of any number at once as many are made as a user may have that can be used', async () => {
    const { store } = subject()
    const user = await storedUser(store)
    const make = () => store.apiKeys.create(anApiKey(user, { created_at: 50 }), { max: 2 })
    await store.apiKeys.create(anApiKey(user, { expires_at: 50 }))
    await store.apiKeys.create(anApiKey(user, { revoked_at: 9 }))
    const settled = await Promise.allSettled([make(), make(), make(), make()])
    const refused = settled.filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(2)
    for (const each of refused) expect(each).toMatchObject({ reason: { code: 'quota_exceeded' } })
  })

  test("a user's keys are listed oldest first, page by page", async () => {
    const { store } = subject()
    const user = await storedUser(store)
    for (const created_at of [3, 1, 2]) await store.apiKeys.create(anApiKey(user, { created_at }))
    const { tenant_id, user_id } = user
    const times = async (offset: number) =>
      (await store.apiKeys.listByUser(tenant_id, user_id, { limit: 2, offset })).map(
        ({ created_at }) => created_at,
      )
    expect([await times(0), await times(2)]).toEqual([[1, 2], [3]])
    expect(await store.apiKeys.countByUser(tenant_id, user_id)).toBe(3)
    expect(await store.apiKeys.countByUser(tenant_id, 'nobody')).toBe(0)
  })

  test('of first keys that are made at once from two stores, one is made', async () => {
    const { open, empty } = subject()
    const url = await empty()
    const stores = [open({ url }), open({ url })]
    await stores[0]!.migrate()
    const user = await storedUser(stores[0]!)
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        stores[n % 2]!.apiKeys.createFirst(anApiKey(user), 20 - n),
      ),
    )
    expect(made.filter((isMade) => isMade)).toHaveLength(1)
    const { apiKeys } = stores[0]!
    const [only, ...others] = await apiKeys.listByUser(user.tenant_id, user.user_id, page)
    expect(others).toEqual([])
    await apiKeys.revoke(user.tenant_id, only!.key_id, 1)
    expect(await apiKeys.createFirst(anApiKey(user), 2)).toBe(true)
  })

  test('of 10 rotations at once from two stores one takes place, whole', async () => {
    const { store, open } = subject()
    const user = await storedUser(store)
    const { tenant_id, user_id } = user
    const old = anApiKey(user)
    await store.apiKeys.create(old)
    const stores = [store, open()]
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, (_, n) => {
        const note = aNote({ tenant_id, kind: 'api_key', target: old.key_id })
        return stores[n % 2]!.apiKeys.rotate(old.key_id, anApiKey(user), 9, { note })
      }),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const outcome of outcomes.filter(({ status }) => status === 'rejected')) {
      expect(outcome).toMatchObject({ reason: { code: 'conflict' } })
    }
    expect(await store.apiKeys.get(tenant_id, old.key_id)).toMatchObject({ revoked_at: 9 })
    expect(await store.apiKeys.countByUser(tenant_id, user_id)).toBe(2)
    expect(await notesOf(store, tenant_id)).toHaveLength(1)
  })

  test("a rotation to a key that is taken, or of another's, leaves the old one", async () => {
    const { store } = subject()
    const [user, other] = [await storedUser(store), await storedUser(store)]
    const key = anApiKey(user)
    await store.apiKeys.create(key)
    const taken = store.apiKeys.rotate(key.key_id, { ...anApiKey(user), ...key }, 9)
    await expect(taken).rejects.toMatchObject({ code: 'conflict' })
    const theirs = store.apiKeys.rotate(key.key_id, anApiKey(other), 9)
    await expect(theirs).rejects.toMatchObject({ code: 'not_found' })
    expect(await store.apiKeys.get(user.tenant_id, key.key_id)).toEqual(key)
  })
})
