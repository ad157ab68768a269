import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { describeSql } from '../describe-sql.ts'
import type { BrowserSessionRow } from './tables.ts'

function aBrowser(fields: Partial<BrowserSessionRow> = {}): BrowserSessionRow {
  return {
    ...{ token_mac: randomUUID(), tenant_id: 'acme', user_id: 'ana', role: 'user', key_id: null },
    ...{ created_at: 1, last_used_at: 1, expires_at: 1_000 },
    ...fields,
  }
}

await describeSql('browser sessions', (subject) => {
  test('one is found until it is deleted', async () => {
    const { browserSessions } = subject().store
    const row = aBrowser({ key_id: 'k1' })
    await browserSessions.create(row)
    await browserSessions.touch(row.token_mac, 9)
    expect(await browserSessions.find(row.token_mac)).toEqual({ ...row, last_used_at: 9 })
    expect(await browserSessions.find(`${row.token_mac} `)).toBeUndefined()
    expect(await browserSessions.delete(row.token_mac)).toBe(true)
    expect(await browserSessions.delete(row.token_mac)).toBe(false)
    expect(await browserSessions.find(row.token_mac)).toBeUndefined()
  })

  test('a user is signed out everywhere, in one tenant', async () => {
    const { browserSessions } = subject().store
    const other = aBrowser({ tenant_id: 'globex', user_id: 'bo' })
    for (const row of [other, aBrowser({ user_id: 'bo' }), aBrowser({ user_id: 'bo' })]) {
      await browserSessions.create(row)
    }
    expect(await browserSessions.deleteByUser('acme', 'bo')).toBe(2)
    expect(await browserSessions.deleteByUser('acme', 'bo')).toBe(0)
    expect(await browserSessions.find(other.token_mac)).toEqual(other)
  })

  test('expired ones are deleted, some at a time', async () => {
    const { browserSessions } = subject().store
    const rows = [3, 4, 5, 6].map((expires_at) => aBrowser({ expires_at }))
    for (const row of rows) await browserSessions.create(row)
    expect(await browserSessions.deleteExpired(5, 2)).toBe(2)
    expect(await browserSessions.deleteExpired(5, 2)).toBe(1)
    expect(await browserSessions.deleteExpired(5, 2)).toBe(0)
    expect(await browserSessions.find(rows[3]!.token_mac)).toEqual(rows[3])
  })
})
