import { randomUUID } from 'node:crypto'
import type { ResultRow, ResultRows } from '@dataagent/hub'
import { Kysely } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeSql } from '../describe-sql.ts'
import { createEngine } from '../open-sql.ts'
import type { Database } from '../tables.ts'
import { createResultRows } from './result-rows.ts'

await describeSql('result rows', (subject) => {
  const stack = new AsyncDisposableStack()
  afterAll(() => stack.disposeAsync())
  let rows: ResultRows

  beforeAll(() => {
    const engine = createEngine({ url: subject().url })
    stack.defer(() => engine.close())
    rows = createResultRows({ db: new Kysely<Database>({ dialect: engine.dialect }), engine })
  })

  test('a page comes back as it was stored, under its exact id and number', async () => {
    const [first, second] = pagesOf(2, { content: '订单 😀 \u2400 \\ \' " \u202e' })
    await rows.insert([first!, second!])
    expect(await rows.page(first!.result_id, 2)).toEqual(second)
    expect(await rows.page(first!.result_id, 3)).toBeUndefined()
    expect(await rows.page(`${first!.result_id} `, 1)).toBeUndefined()
    expect(await rows.page(first!.result_id.toUpperCase(), 1)).toBeUndefined()
  })

  test('many megabytes are kept', async () => {
    const pages = pagesOf(100, { content: 'ä'.repeat(64 * 1024) })
    await rows.insert(pages)
    expect((await rows.page(pages[99]!.result_id, 100))?.content).toHaveLength(64 * 1024)
  })

  test('nothing to store is no error', async () => {
    await expect(rows.insert([])).resolves.toBeUndefined()
  })

  test('results that have expired are deleted, a bounded number at once', async () => {
    const old = [pagesOf(3, { expires_at: 10 }), pagesOf(2, { expires_at: 20 })]
    const fresh = pagesOf(1, { expires_at: 30 })
    for (const pages of [...old, fresh]) await rows.insert(pages)
    expect(await rows.deleteExpired(20, 1)).toBeGreaterThan(0)
    await rows.deleteExpired(20, 10)
    expect(await rows.deleteExpired(20, 10)).toBe(0)
    for (const pages of old) expect(await rows.page(pages[0]!.result_id, 1)).toBeUndefined()
    expect(await rows.page(fresh[0]!.result_id, 1)).toEqual(fresh[0])
  })
})

function pagesOf(count: number, fields: Partial<ResultRow>): ResultRow[] {
  const result_id = `res_${randomUUID()}`
  const row = {
    result_id,
    tenant_id: 't1',
    caller: 'c1',
    content: 'x',
    expires_at: 1e15,
    ...fields,
  }
  return Array.from({ length: count }, (_, index) => ({ ...row, page: index + 1 }))
}
