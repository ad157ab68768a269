import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError, type DataRow } from '@dataagent/schema'
import { temporaryDirectory } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { openKeptResults } from './kept-results.ts'

const key = { tenant_id: 'default', query_id: 'query-1' }

async function* inBatches(rows: readonly DataRow[], size: number) {
  for (let at = 0; at < rows.length; at += size) yield rows.slice(at, at + size)
}

const numbered = (count: number): DataRow[] =>
  Array.from({ length: count }, (_, i) => [i, `row ${i} 好`, null])

async function openResults(limits: { maxBytes?: number; maxTenantBytes?: number } = {}) {
  const dir = await temporaryDirectory()
  const results = await openKeptResults({ root: dir.path, ...limits })
  return {
    ...{ results, path: dir.path },
    async [Symbol.asyncDispose]() {
      await results[Symbol.asyncDispose]()
      await dir[Symbol.asyncDispose]()
    },
  }
}

test.each([0, 1, 499, 500, 501, 1_777])('%d rows are read from any place', async (count) => {
  await using scene = await openResults()
  const { results } = scene
  const rows = numbered(count)
  expect(await results.keep(key, inBatches(rows, 333))).toEqual({ rows: count, isCut: false })
  for (const [offset, limit] of [
    [0, 10],
    [495, 10],
    [count - 1, 5],
    [0, 5_000],
    [count, 1],
  ]) {
    const from = Math.max(0, offset!)
    expect(await results.read(key, { offset: from, limit: limit! })).toEqual(
      rows.slice(from, from + limit!),
    )
  }
  expect((await Array.fromAsync(results.stream(key))).flat()).toEqual(rows)
})

test('of a result that failed nothing is kept', async () => {
  await using scene = await openResults()
  const { results, path } = scene
  async function* failing() {
    yield numbered(600)
    throw new AppError('timeout', 'The query took too long.')
  }
  await expect(results.keep(key, failing())).rejects.toMatchObject({ code: 'timeout' })
  await expect(results.read(key, { offset: 0, limit: 1 })).rejects.toMatchObject({
    code: 'not_found',
  })
  expect(await readdir(join(path, 'default'))).toEqual([])
})

test('of what does not fit the first rows are kept, and no more are asked for', async () => {
  await using scene = await openResults({ maxBytes: 20_000 })
  const { results } = scene
  let asked = 0
  async function* many() {
    for (;;) {
      asked += 1
      yield numbered(500)
    }
  }
  const kept = await results.keep(key, many())
  expect(kept.isCut).toBe(true)
  expect(kept.rows).toBeGreaterThan(0)
  expect(asked).toBeLessThan(10)
  expect(await results.read(key, { offset: 0, limit: 10_000 })).toHaveLength(kept.rows)
})

test('what is removed is gone, and may be removed again', async () => {
  await using scene = await openResults()
  const { results } = scene
  await results.keep(key, inBatches(numbered(3), 3))
  await results.remove(key)
  await results.remove(key)
  await expect(results.read(key, { offset: 0, limit: 1 })).rejects.toMatchObject({
    code: 'not_found',
  })
})

test('a tenant fills no more of the disk than it may: the oldest rows make room', async () => {
  const maxTenantBytes = 100_000
  await using scene = await openResults({ maxTenantBytes })
  const { results, path } = scene
  const other = { tenant_id: 'other', query_id: 'kept' }
  await results.keep(other, inBatches(numbered(400), 400))
  const keys = Array.from({ length: 40 }, (_, i) => ({ ...key, query_id: `q-${i}` }))
  for (const each of keys) await results.keep(each, inBatches(numbered(400), 400))
  const names = await readdir(join(path, 'default'))
  const sizes = await Promise.all(names.map(async (name) => stat(join(path, 'default', name))))
  expect(sizes.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(maxTenantBytes * 1.1)
  const page = { offset: 0, limit: 1 }
  await expect(results.read(keys[0]!, page)).rejects.toMatchObject({ code: 'not_found' })
  expect(await results.read(keys.at(-1)!, page)).toHaveLength(1)
  expect(await results.read(other, page)).toHaveLength(1)
})
