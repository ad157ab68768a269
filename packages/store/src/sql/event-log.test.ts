import { expect, test } from 'vitest'
import { describeSql } from './describe-sql.ts'
import { aSession, storedSession, textEntry } from './test-builders.ts'

await describeSql('event log', (subject) => {
  test('gives every entry the next seq and reads them back in order', async () => {
    const { events, ...store } = subject().store
    const session_id = await storedSession({ events, ...store })
    expect(await events.append(session_id, [textEntry('a'), textEntry('b')])).toEqual({
      first: 1,
      last: 2,
    })
    expect(await events.append(session_id, [textEntry('c')])).toEqual({ first: 3, last: 3 })
    expect(await events.read(session_id, { after: 1, limit: 10 })).toEqual([
      { seq: 2, ...textEntry('b') },
      { seq: 3, ...textEntry('c') },
    ])
    expect(await events.tail(session_id, 2)).toEqual([
      { seq: 2, ...textEntry('b') },
      { seq: 3, ...textEntry('c') },
    ])
    expect(await events.head(session_id)).toBe(3)
  })

  test('an empty log has head 0 and no tail', async () => {
    const { store } = subject()
    const session_id = await storedSession(store)
    expect(await store.events.head(session_id)).toBe(0)
    expect(await store.events.tail(session_id, 5)).toEqual([])
  })

  test('keeps JSON text to the letter: NUL, lone surrogates, emoji, long text, key order', async () => {
    const { store } = subject()
    const session_id = await storedSession(store)
    const value = { z: '\0', a: '\ud800', e: '\u{1F600}', long: 'x'.repeat(2_000_000), '': null }
    const entry = { kind: 'tool_result', json: JSON.stringify(value) }
    await store.events.append(session_id, [entry])
    const [read] = await store.events.tail(session_id, 1)
    expect(read?.json === entry.json).toBe(true)
  })

  test('1,000 concurrent appends to 20 sessions from two stores lose, mix and repeat nothing', async () => {
    const { store, open } = subject()
    const other = open()
    const sessions = await Promise.all(Array.from({ length: 20 }, () => storedSession(store)))
    const appended = await Promise.all(
      Array.from({ length: 1_000 }, async (_, n) => {
        const session_id = sessions[n % 20]!
        const log = (n % 3 === 0 ? other : store).events
        return { session_id, n, ...(await log.append(session_id, [textEntry(`${n}`)])) }
      }),
    )
    for (const session_id of sessions) {
      const rows = await store.events.read(session_id, { after: 0, limit: 1_000 })
      expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => index + 1))
      const acknowledged = appended.filter((append) => append.session_id === session_id)
      expect(rows).toHaveLength(acknowledged.length)
      for (const { n, first } of acknowledged) {
        expect(rows[first - 1]?.json).toBe(textEntry(`${n}`).json)
      }
    }
  })

  test('12 stores that append to one session all succeed, without a hole', async () => {
    const { store, open } = subject()
    const session_id = await storedSession(store)
    const logs = [store, ...Array.from({ length: 11 }, () => open({ maxConnections: 2 }))]
    await Promise.all(
      logs.map(async ({ events }, n) => {
        for (let i = 0; i < 20; i += 1) await events.append(session_id, [textEntry(`${n}-${i}`)])
      }),
    )
    const rows = await store.events.read(session_id, { after: 0, limit: 1_000 })
    expect(rows.map(({ seq }) => seq)).toEqual(Array.from({ length: 240 }, (_, n) => n + 1))
    expect(new Set(rows.map(({ json }) => json)).size).toBe(240)
  })

  test('many small entries at once are stored, whatever a statement may hold', async () => {
    const { store } = subject()
    const session_id = await storedSession(store)
    const entries = Array.from({ length: 40 }, (_, n) => textEntry(`${n}`))
    await Promise.all(Array.from({ length: 500 }, () => store.events.append(session_id, entries)))
    expect(await store.events.head(session_id)).toBe(20_000)
    const tooMany = Array.from({ length: 4_001 }, () => textEntry(''))
    await expect(store.events.append(session_id, tooMany)).rejects.toMatchObject({
      code: 'too_large',
    })
  })

  test('a session made anew under the id of a deleted one begins at 1', async () => {
    const { store } = subject()
    const session = aSession()
    await store.sessions.create(session)
    await store.events.append(session.session_id, [textEntry('a'), textEntry('b')])
    await store.sessions.delete('default', session.session_id)
    await store.sessions.create(session)
    const again = store.events.append(session.session_id, [textEntry('c')], { after: 0 })
    expect(await again).toEqual({ first: 1, last: 1 })
  })

  test('of two appends after the same seq one is stored and one is a conflict', async () => {
    const { store, open } = subject()
    const session_id = await storedSession(store)
    await store.events.append(session_id, [textEntry('0')])
    const logs = [store.events, open().events]
    const outcomes = await Promise.allSettled(
      logs.map((log, n) => log.append(session_id, [textEntry(`${n}`)], { after: 1 })),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(outcomes).toContainEqual({
      status: 'rejected',
      reason: expect.objectContaining({ code: 'conflict', data: { after: 1, head: 2 } }),
    })
    expect(await store.events.head(session_id)).toBe(2)
  })

  test('an append after a seq that another process wrote finds it', async () => {
    const { store, open } = subject()
    const session_id = await storedSession(store)
    await store.events.append(session_id, [textEntry('0')])
    await open().events.append(session_id, [textEntry('1')])
    expect(await store.events.append(session_id, [textEntry('2')], { after: 2 })).toEqual({
      first: 3,
      last: 3,
    })
  })

  test('an append to a session that does not exist is not_found and leaves its neighbours alone', async () => {
    const { store } = subject()
    const session_id = await storedSession(store)
    const outcomes = await Promise.allSettled([
      store.events.append(session_id, [textEntry('good')]),
      store.events.append('nobody', [textEntry('bad')]),
      store.events.append(session_id, [textEntry('good too')]),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(outcomes[1]).toMatchObject({ reason: { code: 'not_found' } })
    expect(await store.events.head(session_id)).toBe(2)
    expect(await store.events.head('nobody')).toBe(0)
  })

  test('an event over the limit is too_large, an append of nothing invalid', async () => {
    const { store } = subject()
    const session_id = await storedSession(store)
    const huge = { kind: 'text', json: `"${'x'.repeat(4 * 1024 * 1024)}"` }
    await expect(store.events.append(session_id, [huge])).rejects.toMatchObject({
      code: 'too_large',
    })
    await expect(store.events.append(session_id, [])).rejects.toMatchObject({
      code: 'invalid_request',
    })
  })

  test('deleting a session deletes its events', async () => {
    const { store } = subject()
    const session_id = await storedSession(store)
    await store.events.append(session_id, [textEntry('a')])
    expect(await store.sessions.delete('default', session_id)).toBe(true)
    expect(await store.events.tail(session_id, 1)).toEqual([])
  })
})
