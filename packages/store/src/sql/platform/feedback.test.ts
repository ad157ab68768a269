import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { describeSql } from '../describe-sql.ts'
import type { FeedbackRow } from './tables.ts'

function aFeedback(fields: Partial<FeedbackRow> = {}): FeedbackRow {
  return {
    ...{ tenant_id: 'acme', session_id: randomUUID(), seq: 1, user_id: 'ana' },
    ...{ assistant_id: 'default', rating: 'down', reason: 'Wrong city', created_at: 1 },
    ...{ updated_at: 1, ...fields },
  }
}

const page = { limit: 10, offset: 0 }

await describeSql('feedback', (subject) => {
  test('of a turn is the last that was given, since the first', async () => {
    const { feedback } = subject().store
    const row = aFeedback()
    const { tenant_id, session_id, seq } = row
    await feedback.put(row)
    await feedback.put({ ...row, rating: 'up', reason: null, created_at: 5, updated_at: 5 })
    const last = { ...row, rating: 'up', reason: null, updated_at: 5 }
    expect(await feedback.get(tenant_id, session_id, seq)).toEqual(last)
    expect(await feedback.list({ tenant_id, session_id, ...page })).toEqual([last])
    await feedback.delete(tenant_id, session_id, seq)
    expect(await feedback.get(tenant_id, session_id, seq)).toBeUndefined()
  })

  test('is listed by tenant, session, person and rating, newest first', async () => {
    const { feedback } = subject().store
    const tenant_id = randomUUID()
    const session_id = randomUUID()
    const rows = [
      aFeedback({ tenant_id, session_id, seq: 1, updated_at: 9 }),
      aFeedback({ tenant_id, session_id, seq: 4, updated_at: 3, rating: 'up' }),
      aFeedback({ tenant_id, user_id: 'bo', updated_at: 6 }),
    ]
    for (const row of [...rows, aFeedback({ session_id, tenant_id: randomUUID() })])
      await feedback.put(row)
    const [first, second, third] = rows
    expect(await feedback.list({ tenant_id, ...page })).toEqual([first, third, second])
    expect(await feedback.list({ tenant_id, session_id, ...page })).toEqual([second, first])
    expect(await feedback.list({ tenant_id, rating: 'up', ...page })).toEqual([second])
    expect(await feedback.list({ tenant_id, user_id: 'bo', ...page })).toEqual([third])
    expect(await feedback.count({ tenant_id, rating: 'down' })).toBe(2)
    expect(await feedback.list({ tenant_id, limit: 1, offset: 1 })).toEqual([third])
  })

  test('goes with its session, and when it is old', async () => {
    const { feedback } = subject().store
    const tenant_id = randomUUID()
    const kept = aFeedback({ tenant_id, updated_at: 2_000 })
    const gone = aFeedback({ tenant_id })
    const other = aFeedback()
    for (const row of [kept, gone, { ...gone, seq: 2 }, other]) await feedback.put(row)
    await feedback.deleteOf([gone.session_id, other.session_id])
    await feedback.deleteOf([])
    expect(await feedback.list({ tenant_id, ...page })).toEqual([kept])
    expect(await feedback.get('acme', other.session_id, 1)).toBeUndefined()
    expect(await feedback.count({ tenant_id: kept.tenant_id })).toBe(1)
    const old = aFeedback({ updated_at: 1_000 })
    await feedback.put(old)
    await feedback.deleteOld(1_500, 100)
    expect(await feedback.get('acme', old.session_id, 1)).toBeUndefined()
    expect(await feedback.count({ tenant_id: kept.tenant_id })).toBe(1)
  })
})
