import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { describeSql } from './describe-sql.ts'
import { aMessage, aSession, storedSession } from './test-builders.ts'

await describeSql('sessions and messages', (subject) => {
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

  test('more sessions than are looked through at once are all searched', async () => {
    const { sessions } = subject().store
    const user_id = randomUUID()
    const all = Array.from({ length: 210 }, (_, n) =>
      aSession({ user_id, last_active: 1_000 + n, metadata: { title: n % 7 ? '' : `每周 ${n}` } }),
    )
    await Promise.all(all.map((session) => sessions.create(session)))
    expect(await sessions.countFound('default', user_id, '每周')).toBe(30)
    const found = await sessions.search('default', user_id, '每周', { limit: 2, offset: 28 })
    expect(found).toEqual([all[7], all[0]])
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
})
