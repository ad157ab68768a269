import { AppError } from '@dataagent/schema'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bo, textOf } from '../test-data-room.ts'
import { openShopRoom, type ShopRoom } from './test-shop-room.ts'

const cleanup = new AsyncDisposableStack()
let room: ShopRoom
const sql = 'SELECT count(*) AS n FROM sales'

beforeAll(async () => {
  room = cleanup.use(await openShopRoom())
  await room.call('run_sql', { source: 'Shop', sql })
})
afterAll(() => cleanup.disposeAsync())

test("saves the query's SQL under the user's words, for the user alone", async () => {
  const outcome = await room.call('save_question', { query: 'q1', question: '卖了多少?' })
  expect(textOf(outcome)).toBe('Saved: 卖了多少?')
  expect(await room.store.questions.list('default', 'ada')).toMatchObject([
    {
      question: '卖了多少?',
      sql,
      source_id: room.source_id,
      verified: false,
      owner_user_id: 'ada',
    },
  ])
  expect(await room.store.questions.list('default', 'bo')).toEqual([])
})

test('what others save does not count as verified', async () => {
  const outcome = await room.call('run_sql', { source: 'Shop', sql })
  expect(textOf(outcome)).not.toContain('verified')
})

test("a query of another's session cannot be saved", async () => {
  const asked = { query: 'q1', question: 'mine?' }
  const outcome = await room.call('save_question', asked, { principal: bo })
  expect(outcome).toMatchObject({ error: { code: 'not_found' } })
})

test('a full list is said', async () => {
  const saved = { source_id: room.source_id, also: [], sql, verified: false, updated_at: 1 }
  const put = (i: number) =>
    room.store.questions.put(
      {
        ...{ ...saved, tenant_id: 'default', question_id: `more-${i}`, question: `${i}` },
        owner_user_id: 'ada',
      },
      { max: 500 },
    )
  for (let i = 1; i < 500; i += 1) await put(i)
  await expect(put(500)).rejects.toBeInstanceOf(AppError)
  const outcome = await room.call('save_question', { query: 'q1', question: 'one more' })
  expect(outcome).toMatchObject({ error: { code: 'quota_exceeded' } })
})
