import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { describeSql } from './describe-sql.ts'
import type { SqlStore } from './open-sql.ts'
import type { ApiKeyRow } from './tables.ts'
import { aMessage, aSession, aTenant, aUser, storedSession } from './test-builders.ts'

await describeSql('repositories', (subject) => {
  test('a session comes back as it was stored, under its own tenant only', async () => {
    const { sessions } = subject().store
    const session = aSession({ metadata: { 标题: '你好', n: [1, null] } })
    await sessions.create(session)
    expect(await sessions.get('default', session.session_id)).toEqual(session)
    expect(await sessions.get('other', session.session_id)).toBeUndefined()
    expect(await sessions.get('default', `${session.session_id} `)).toBeUndefined()
    expect(await sessions.get('default', session.session_id.toUpperCase())).toBeUndefined()
    await expect(sessions.create(session)).rejects.toMatchObject({ code: 'conflict' })
  })

  test('50 concurrent updates of one session from two stores are all kept', async () => {
    const { store, open } = subject()
    const session_id = await storedSession(store)
    const stores = [store, open()]
    await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        stores[n % 2]!.sessions.update('default', session_id, ({ metadata }) => ({
          metadata: { ...metadata, [n]: true },
        })),
      ),
    )
    const updated = await store.sessions.get('default', session_id)
    expect(Object.keys(updated?.metadata ?? {})).toHaveLength(50)
  })

  test('an update of an unknown session is not_found', async () => {
    const change = subject().store.sessions.update('default', 'nobody', () => ({}))
    await expect(change).rejects.toMatchObject({ code: 'not_found' })
  })

  test('lists the sessions of a user and of an assistant, latest first, page by page', async () => {
    const { sessions } = subject().store
    const ids: string[] = []
    for (const last_active of [1_001, 1_003, 1_002]) {
      const session = aSession({ tenant_id: 'listing', assistant_id: 'sql', last_active })
      await sessions.create(session)
      ids.push(session.session_id)
    }
    await sessions.create(aSession({ tenant_id: 'listing', user_id: 'bo', assistant_id: 'sql' }))
    const byUser = await sessions.listByUser('listing', 'ana', { limit: 10, offset: 0 })
    expect(byUser.map(({ session_id }) => session_id)).toEqual([ids[1], ids[2], ids[0]])
    expect(await sessions.listByUser('listing', 'ana', { limit: 1, offset: 1 })).toHaveLength(1)
    expect(await sessions.listByAssistant('listing', 'sql', { limit: 9, offset: 0 })).toHaveLength(
      4,
    )
    expect(await sessions.countByUser('listing', 'ana')).toBe(3)
  })

  test('expired sessions are deleted with their messages, others stay', async () => {
    const { sessions, messages } = subject().store
    const old = aSession({ last_active: 10 })
    const young = aSession({ last_active: 30 })
    await sessions.create(old)
    await sessions.create(young)
    await messages.add([aMessage(old.session_id)])
    expect(await sessions.cleanupExpired({ before: 20, limit: 100 })).toEqual([old.session_id])
    expect(await messages.count(old.session_id)).toBe(0)
    expect(await sessions.get('default', young.session_id)).toEqual(young)
  })

  test('messages are listed oldest first, stored once, and all or none', async () => {
    const { store } = subject()
    const session_id = await storedSession(store)
    const turn = [
      aMessage(session_id, { seq: 1, content: '问题' }),
      aMessage(session_id, { seq: 4, role: 'assistant', content: 'answer' }),
    ]
    await store.messages.add(turn)
    const again = [aMessage(session_id, { seq: 9 }), aMessage(session_id, { seq: 4 })]
    await expect(store.messages.add(again)).rejects.toMatchObject({ code: 'conflict' })
    expect(await store.messages.list(session_id, { limit: 10, offset: 0 })).toEqual(turn)
    expect(await store.messages.list(session_id, { limit: 1, offset: 1 })).toEqual([turn[1]])
    await expect(store.messages.add([aMessage('nobody')])).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  test('a message with NUL or a lone surrogate is stored readable', async () => {
    const { store } = subject()
    const session_id = await storedSession(store)
    await store.messages.add([aMessage(session_id, { content: 'a\0b\ud800c\u{1F600}' })])
    const [message] = await store.messages.list(session_id, { limit: 1, offset: 0 })
    expect(message?.content).toBe('a\ufffdb\ufffdc\u{1F600}')
  })

  test('a tenant keeps its limits up to 2^53 - 1 and its features', async () => {
    const { tenants } = subject().store
    const tenant = aTenant({ workspace_quota: Number.MAX_SAFE_INTEGER, features_enabled: ['mcp'] })
    await tenants.create(tenant)
    expect(await tenants.get(tenant.tenant_id)).toEqual(tenant)
    await tenants.update(tenant.tenant_id, { max_users: 3, features_enabled: [] })
    expect(await tenants.get(tenant.tenant_id)).toMatchObject({
      max_users: 3,
      features_enabled: [],
    })
    await expect(tenants.create(tenant)).rejects.toMatchObject({ code: 'conflict' })
    await expect(tenants.update('nobody', { max_users: 1 })).rejects.toMatchObject({
      code: 'not_found',
    })
    expect(await tenants.list({ limit: 100, offset: 0 })).not.toEqual([])
  })

  test('the same user id in two tenants is two users', async () => {
    const { tenants, users } = subject().store
    const [a, b] = [aTenant(), aTenant()]
    await tenants.create(a)
    await tenants.create(b)
    const user = aUser({ tenant_id: a.tenant_id, user_id: 'ana' })
    await users.create(user)
    expect(await users.get(b.tenant_id, 'ana')).toBeUndefined()
    await users.create({ ...user, tenant_id: b.tenant_id, role: 'admin' })
    await users.setDisabled(a.tenant_id, 'ana', 5)
    expect(await users.get(a.tenant_id, 'ana')).toEqual({ ...user, disabled_at: 5 })
    expect(await users.get(b.tenant_id, 'ana')).toMatchObject({ role: 'admin', disabled_at: null })
    expect(await users.count(a.tenant_id)).toBe(1)
    await expect(users.create(user)).rejects.toMatchObject({ code: 'conflict' })
    await expect(users.create(aUser({ tenant_id: 'nobody' }))).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  test.each(['', ' a', 'a ', 'a\0', 'a\n', '\ud800', 'x'.repeat(192)])(
    'refuses the user id %j',
    async (user_id) => {
      const create = subject().store.users.create(aUser({ tenant_id: 'default', user_id }))
      await expect(create).rejects.toMatchObject({ code: 'invalid_request' })
    },
  )

  test('an API key is found by its hash, counted while usable, and revoked once', async () => {
    const { apiKeys } = subject().store
    const { tenant_id } = await storedUser(subject().store, 'ana')
    const key = anApiKey({ tenant_id, user_id: 'ana', expires_at: 100 })
    await apiKeys.create(key)
    expect(await apiKeys.findByHash(key.hashed_api_key)).toEqual(key)
    expect(await apiKeys.findByHash('other')).toBeUndefined()
    expect([await apiKeys.countUsable(99), await apiKeys.countUsable(100)]).toEqual([1, 0])
    await apiKeys.touch(key.key_id, 7)
    await apiKeys.rehash(key.key_id, { key_mac: 'new', pepper_kid: 'k2' })
    await apiKeys.revoke(tenant_id, key.key_id, 50)
    await apiKeys.revoke(tenant_id, key.key_id, 60)
    expect(await apiKeys.list(tenant_id, { limit: 10, offset: 0 })).toEqual([
      { ...key, last_used_at: 7, key_mac: 'new', pepper_kid: 'k2', revoked_at: 50 },
    ])
    expect(await apiKeys.countUsable(10)).toBe(0)
    await expect(apiKeys.revoke('other', key.key_id, 50)).rejects.toMatchObject({
      code: 'not_found',
    })
    await expect(
      apiKeys.create({ ...key, user_id: 'bo', key_id: 'b', hashed_api_key: 'b' }),
    ).rejects.toMatchObject({ code: 'not_found' })
  })

  test('of first keys that are made at once from two stores, one is made', async () => {
    const { store, open } = subject()
    const { tenant_id } = await storedUser(store, 'bo')
    const stores = [store, open()]
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        stores[n % 2]!.apiKeys.createFirst(anApiKey({ tenant_id, user_id: 'bo' }), 20 - n),
      ),
    )
    expect(made.filter((isMade) => isMade)).toHaveLength(1)
    const [only, ...others] = await store.apiKeys.list(tenant_id, { limit: 10, offset: 0 })
    expect(others).toEqual([])
    await store.apiKeys.revoke(tenant_id, only!.key_id, 1)
    expect(await store.apiKeys.createFirst(anApiKey({ tenant_id, user_id: 'bo' }), 2)).toBe(true)
  })

  test('a setting is set once by setIfAbsent and replaced by set', async () => {
    const { settings } = subject().store
    const values = await Promise.all(['a', 'b', 'c'].map((v) => settings.setIfAbsent('check', v)))
    expect(new Set(values).size).toBe(1)
    expect(await settings.get('check')).toBe(values[0])
    await settings.set('check', 'd')
    expect(await settings.get('check')).toBe('d')
    expect(await settings.get('nothing')).toBeUndefined()
  })
})

async function storedUser(store: SqlStore, user_id: string) {
  const tenant = aTenant()
  await store.tenants.create(tenant)
  await store.users.create(aUser({ tenant_id: tenant.tenant_id, user_id }))
  return tenant
}

function anApiKey(fields: Pick<ApiKeyRow, 'tenant_id' | 'user_id'> & Partial<ApiKeyRow>) {
  return {
    key_id: randomUUID(),
    name: 'first',
    role: 'admin' as const,
    hashed_api_key: randomUUID(),
    key_mac: 'mac',
    pepper_kid: 'k1',
    created_at: 1,
    expires_at: null,
    revoked_at: null,
    last_used_at: null,
    ...fields,
  }
}
