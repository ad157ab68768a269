import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { readLast, readPages } from './read-pages.ts'
import { aMessage, aSession, describeSessionStores, entry, stored } from './test-session-stores.ts'

const page = { limit: 10, offset: 0 }
const code = (name: string) => ({ code: name })

await describeSessionStores('sessions', (subject) => {
  test('a session comes back as it was stored, under its own tenant only [D13.1]', async () => {
    const { stores, other } = subject()
    const session = aSession({ metadata: { 标题: '你好\0', n: [1, null], '': { deep: [] } } })
    await stores.sessions.create(session)
    expect(await other.sessions.get('acme', session.session_id)).toEqual(session)
    expect(await other.sessions.get('globex', session.session_id)).toBeUndefined()
    expect(await other.sessions.get('acme', `${session.session_id} `)).toBeUndefined()
    await expect(other.sessions.create(session)).rejects.toMatchObject(code('conflict'))
    const theirs = { ...session, tenant_id: 'globex' }
    await expect(other.sessions.create(theirs)).rejects.toMatchObject(code('conflict'))
    await expect(stores.sessions.create(aSession({ session_id: '' }))).rejects.toMatchObject(
      code('invalid_request'),
    )
  })

  test('what was given is a copy', async () => {
    const { stores } = subject()
    const session = aSession({ metadata: { n: 1 } })
    await stores.sessions.create(session)
    session.metadata.n = 2
    const read = await stores.sessions.get('acme', session.session_id)
    read!.metadata.n = 3
    expect(await stores.sessions.get('acme', session.session_id)).toMatchObject({
      metadata: { n: 1 },
    })
  })

  test('of 20 that create one id at once, one does', async () => {
    const { stores, other } = subject()
    const session = aSession()
    const all = Array.from({ length: 20 }, (_, n) =>
      (n % 2 ? stores : other).sessions.create(session),
    )
    const outcomes = await Promise.allSettled(all)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('no more are created than a user may have, whoever creates them [D35.4]', async () => {
    const { stores, other } = subject()
    const user_id = randomUUID()
    const create = (n: number) =>
      (n % 2 ? stores : other).sessions.create(aSession({ user_id }), { max: 3 })
    const outcomes = await Promise.allSettled(Array.from({ length: 12 }, (_, n) => create(n)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'quota_exceeded', data: { limit: 'max_sessions_per_user', max: 3 } },
    })
    const own = await other.sessions.listByUser('acme', user_id, page)
    expect(own).toHaveLength(3)
    await stores.sessions.delete('acme', own[0]!.session_id)
    await create(1)
    await stores.sessions.create(aSession({ user_id }))
    await stores.sessions.create(aSession({ user_id: randomUUID() }), { max: 1 })
    expect(await other.sessions.countByUser('acme', user_id)).toBe(4)
  })

  test('are found by their title and by what was said, to the letter', async () => {
    const { stores, other } = subject()
    const user_id = randomUUID()
    const found = async (text: string, of = { tenant_id: 'acme', user_id }) => {
      const sessions = await other.sessions.search(of.tenant_id, of.user_id, text, page)
      const count = await other.sessions.countFound(of.tenant_id, of.user_id, text)
      expect(count).toBe(sessions.length)
      return sessions.map(({ session_id }) => session_id)
    }
    const titled = await stored(stores, { user_id, metadata: { title: '销售分析 50%_off\\' } })
    const said = await stored(stores, { user_id, last_active: 2_000_000, metadata: { n: 50 } })
    const theirs = await stored(stores, { user_id: randomUUID(), metadata: { title: '销售' } })
    await stores.messages.add([
      aMessage(said, { seq: 1, content: 'How are SALES in 上海?' }),
      aMessage(said, { seq: 2, content: "It's 50% sales_off" }),
    ])
    await stores.messages.add([aMessage(theirs, { content: 'sales' })])
    expect(await found('sales')).toEqual([said])
    expect(await found('50%')).toEqual([said, titled])
    expect(await found('50%_OFF\\')).toEqual([titled])
    expect(await found('上海')).toEqual([said])
    expect(await found('销售')).toEqual([titled])
    expect(await found("it's")).toEqual([said])
    for (const text of ['5_%', 'sales off', '%', '\0', "' or 1=1"]) {
      const holding = text === '%' ? [said, titled] : []
      expect(await found(text)).toEqual(holding)
    }
    expect(await found('sales', { tenant_id: 'globex', user_id })).toEqual([])
    expect(
      await other.sessions.search('acme', user_id, '50%', { limit: 1, offset: 1 }),
    ).toMatchObject([{ session_id: titled }])
    const title = 'anders'
    await stores.sessions.update('acme', titled, () => ({ metadata: { title } }))
    expect(await found('销售')).toEqual([])
    expect(await found('ANDERS')).toEqual([titled])
  })

  test('50 updates at once from two processes are all kept [D23.3]', async () => {
    const { stores, other } = subject()
    const session_id = await stored(stores)
    const updates = Array.from({ length: 50 }, (_, n) =>
      (n % 2 ? stores : other).sessions.update('acme', session_id, ({ metadata }) => ({
        metadata: { ...metadata, [`k${n}`]: n },
      })),
    )
    await Promise.all(updates)
    const session = await stores.sessions.get('acme', session_id)
    expect(Object.keys(session!.metadata)).toHaveLength(50)
  })

  test('an update changes what it may, and an unknown session is not_found', async () => {
    const { stores } = subject()
    const session = aSession()
    await stores.sessions.create(session)
    const state = { ...session.state, status: 'running' } as const
    const updated = await stores.sessions.update('acme', session.session_id, () => ({
      ...{ state, last_active: 2_000_000, user_id: 'eve', tenant_id: 'globex' },
    }))
    const expected = { ...session, state, last_active: 2_000_000 }
    expect(await stores.sessions.get('acme', session.session_id)).toEqual(expected)
    expect(updated).toMatchObject({ state, last_active: 2_000_000 })
    for (const tenant of ['acme', 'globex']) {
      const id = tenant === 'acme' ? 'nobody' : session.session_id
      const change = stores.sessions.update(tenant, id, () => ({}))
      await expect(change).rejects.toMatchObject(code('not_found'))
    }
  })

  test('a deleted session is gone with its events and messages, and its id begins anew', async () => {
    const { stores, other } = subject()
    const session_id = await stored(stores)
    await stores.events.append(session_id, [entry('a'), entry('b')])
    await stores.messages.add([aMessage(session_id)])
    expect(await other.sessions.delete('globex', session_id)).toBe(false)
    expect(await other.sessions.delete('acme', session_id)).toBe(true)
    expect(await other.sessions.delete('acme', session_id)).toBe(false)
    expect(await other.sessions.get('acme', session_id)).toBeUndefined()
    expect(await other.events.tail(session_id, 5)).toEqual([])
    expect(await other.messages.list(session_id, page)).toEqual([])
    await other.sessions.create(aSession({ session_id }))
    const again = await other.events.append(session_id, [entry('c')], { after: 0 })
    expect(again).toEqual({ first: 1, last: 1 })
    expect(await other.messages.count(session_id)).toBe(0)
  })

  test('lists by user and by assistant, latest first, page by page, one tenant only [D13.2] [D32.5]', async () => {
    const { stores, other } = subject()
    const fields = { tenant_id: 'listing', assistant_id: 'sql' }
    const [a, b, c] = [
      await stored(stores, { ...fields, last_active: 1_000 }),
      await stored(stores, { ...fields, last_active: 3_000 }),
      await stored(stores, { ...fields, last_active: 2_000 }),
    ]
    await stored(stores, { ...fields, user_id: 'bo', last_active: 500 })
    await stored(stores, { ...fields, tenant_id: 'listing2' })
    const ids = (sessions: { session_id: string }[]) => sessions.map((each) => each.session_id)
    expect(ids(await other.sessions.listByUser('listing', 'ada', page))).toEqual([b, c, a])
    expect(ids(await other.sessions.listByUser('listing', 'ada', { limit: 1, offset: 1 }))).toEqual(
      [c],
    )
    expect(await other.sessions.listByAssistant('listing', 'sql', page)).toHaveLength(4)
    await stores.sessions.update('listing', a, () => ({ last_active: 9_000 }))
    await stores.sessions.update('listing', b, () => ({ assistant_id: 'other' }))
    expect(ids(await other.sessions.listByUser('listing', 'ada', page))).toEqual([a, b, c])
    expect(ids(await other.sessions.listByAssistant('listing', 'other', page))).toEqual([b])
    expect(await other.sessions.listByAssistant('listing', 'sql', page)).toHaveLength(3)
    expect(await other.sessions.countByUser('listing', 'ada')).toBe(3)
    await stores.sessions.delete('listing', c)
    expect(ids(await other.sessions.listByUser('listing', 'ada', page))).toEqual([a, b])
    expect(await other.sessions.countByUser('listing', 'ada')).toBe(2)
  })

  test('what expired is deleted with all it has, oldest first, and the rest stays', async () => {
    const { stores, other } = subject()
    const old = [
      await stored(stores, { last_active: 10 }),
      await stored(stores, { last_active: 11 }),
      await stored(stores, { last_active: 12 }),
    ]
    const young = await stored(stores, { last_active: 30 })
    const revived = await stored(stores, { last_active: 9 })
    await stores.sessions.update('acme', revived, () => ({ last_active: 31 }))
    await stores.messages.add([aMessage(old[0]!)])
    expect(await other.sessions.cleanupExpired({ before: 20, limit: 2 })).toEqual(old.slice(0, 2))
    expect(await other.sessions.cleanupExpired({ before: 20, limit: 9 })).toEqual(old.slice(2))
    expect(await other.sessions.cleanupExpired({ before: 20, limit: 9 })).toEqual([])
    expect(await other.messages.count(old[0]!)).toBe(0)
    for (const id of [young, revived]) expect(await other.sessions.get('acme', id)).toBeDefined()
  })
})

await describeSessionStores('session logs', (subject) => {
  test('every entry has the next seq and is read back to the letter', async () => {
    const { stores, other } = subject()
    const session_id = await stored(stores)
    expect(await stores.events.head(session_id)).toBe(0)
    expect(await stores.events.tail(session_id, 5)).toEqual([])
    const odd = { kind: 'tool_result', json: JSON.stringify({ z: '\0', a: '\ud800', e: '😀' }) }
    expect(await stores.events.append(session_id, [entry('a'), odd])).toEqual({ first: 1, last: 2 })
    expect(await other.events.append(session_id, [entry('c')])).toEqual({ first: 3, last: 3 })
    const rows = [
      { seq: 1, ...entry('a') },
      { seq: 2, ...odd },
      { seq: 3, ...entry('c') },
    ]
    expect(await stores.events.read(session_id, { after: 0, limit: 10 })).toEqual(rows)
    expect(await stores.events.read(session_id, { after: 1, limit: 1 })).toEqual([rows[1]])
    expect(await stores.events.read(session_id, { after: 3, limit: 1 })).toEqual([])
    expect(await stores.events.tail(session_id, 2)).toEqual(rows.slice(1))
    expect(await stores.events.tail(session_id, 9)).toEqual(rows)
    expect(await other.events.head(session_id)).toBe(3)
  })

  test('a read ends with the event with which it has 8 MiB, and pages are the whole log', async () => {
    const { stores } = subject()
    const session_id = await stored(stores)
    const mebibyte = 1024 * 1024
    // In UTF-8 three times as long.
    const wide = { kind: 'text', json: JSON.stringify('订'.repeat(mebibyte)) }
    for (let n = 0; n < 6; n += 1) await stores.events.append(session_id, [entry(`${n}`), wide])
    const seqsOf = (rows: { seq: number }[]) => rows.map(({ seq }) => seq)
    const first = await stores.events.read(session_id, { after: 0, limit: 100 })
    expect(seqsOf(first)).toEqual([1, 2, 3, 4, 5, 6])
    expect(first[1]?.json).toBe(wide.json)
    expect(seqsOf(await stores.events.tail(session_id, 100))).toEqual([8, 9, 10, 11, 12])
    expect(seqsOf(await stores.events.tail(session_id, 1))).toEqual([12])
    const all = await Array.fromAsync(
      readPages(stores.events, session_id, { after: 0, limit: 100 }),
    )
    expect(all.map(seqsOf)).toEqual([
      [1, 2, 3, 4, 5, 6],
      [7, 8, 9, 10, 11, 12],
    ])
    const last = await Array.fromAsync(readLast(stores.events, session_id, 9))
    expect(last.flatMap(seqsOf)).toEqual([4, 5, 6, 7, 8, 9, 10, 11, 12])
  })

  test('of appends after the same seq one is stored and the others are conflicts', async () => {
    const { stores, other } = subject()
    const session_id = await stored(stores)
    await stores.events.append(session_id, [entry('0')])
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, (_, n) =>
        (n % 2 ? stores : other).events.append(session_id, [entry(`${n}`), entry('+')], {
          after: 1,
        }),
      ),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const refused = outcomes.filter(({ status }) => status === 'rejected')
    for (const each of refused) {
      const reason = { code: 'conflict', data: { after: 1, head: 3 } }
      expect(each).toMatchObject({ reason })
    }
    expect(await stores.events.head(session_id)).toBe(3)
  })

  test('200 appends at once from two processes are all there, whole and in a row', async () => {
    const { stores, other } = subject()
    const session_id = await stored(stores)
    const appended = await Promise.all(
      Array.from({ length: 200 }, async (_, n) => {
        const log = (n % 2 ? stores : other).events
        return { n, ...(await log.append(session_id, [entry(`${n}`), entry(`${n}+`)])) }
      }),
    )
    const rows = await stores.events.read(session_id, { after: 0, limit: 1_000 })
    expect(rows.map(({ seq }) => seq)).toEqual(Array.from({ length: 400 }, (_, n) => n + 1))
    for (const { n, first } of appended) {
      expect(rows[first - 1]?.json).toBe(entry(`${n}`).json)
      expect(rows[first]?.json).toBe(entry(`${n}+`).json)
    }
  })

  test('what cannot be appended leaves nothing behind', async () => {
    const { stores } = subject()
    const session_id = await stored(stores)
    const huge = { kind: 'text', json: `"${'x'.repeat(4 * 1024 * 1024)}"` }
    const many = Array.from({ length: 4_001 }, () => entry(''))
    const append = (id: string, entries: (typeof huge)[]) => stores.events.append(id, entries)
    await expect(append('nobody', [entry('a')])).rejects.toMatchObject(code('not_found'))
    await expect(append(session_id, [entry('a'), huge])).rejects.toMatchObject(code('too_large'))
    await expect(append(session_id, many)).rejects.toMatchObject(code('too_large'))
    await expect(append(session_id, [])).rejects.toMatchObject(code('invalid_request'))
    expect(await stores.events.head(session_id)).toBe(0)
    await append(session_id, many.slice(1))
    expect(await stores.events.head(session_id)).toBe(4_000)
  })
})

await describeSessionStores('messages of sessions', (subject) => {
  test('are listed oldest first, stored once, and all or none [D26.2] [D26.5]', async () => {
    const { stores, other } = subject()
    const session_id = await stored(stores)
    const turn = [
      aMessage(session_id, { seq: 2, content: '问题' }),
      aMessage(session_id, { seq: 10, role: 'assistant', content: 'answer\n"quoted"' }),
    ]
    await stores.messages.add([turn[1]!])
    await stores.messages.add([turn[0]!])
    const again = [aMessage(session_id, { seq: 11 }), aMessage(session_id, { seq: 10 })]
    await expect(other.messages.add(again)).rejects.toMatchObject(code('conflict'))
    const sameId = [aMessage(session_id, { seq: 12, message_id: turn[0]!.message_id })]
    await expect(other.messages.add(sameId)).rejects.toMatchObject(code('conflict'))
    expect(await other.messages.list(session_id, page)).toEqual(turn)
    expect(await other.messages.list(session_id, { limit: 1, offset: 1 })).toEqual([turn[1]])
    expect(await other.messages.count(session_id)).toBe(2)
    const nowhere = other.messages.add([aMessage('nobody')])
    await expect(nowhere).rejects.toMatchObject(code('not_found'))
  })

  test('of 10 that save the same turn at once, one does', async () => {
    const { stores, other } = subject()
    const session_id = await stored(stores)
    const save = (n: number) =>
      (n % 2 ? stores : other).messages.add([aMessage(session_id, { content: `${n}` })])
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, (_, n) => save(n)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await stores.messages.count(session_id)).toBe(1)
  })
})
