import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
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

const mebibyte = 1024 * 1024

test('wide rows are kept one by one while they fit, and no more of them are held', async () => {
  await using scene = await openResults({ maxBytes: mebibyte })
  const { results } = scene
  let asked = 0
  async function* wide() {
    for (let i = 0; i < 120; i += 1) {
      asked += 1
      yield [[i, 'x'.repeat(mebibyte / 5)]]
    }
  }
  expect(await results.keep(key, wide())).toEqual({ rows: 4, isCut: true })
  expect(asked).toBeLessThanOrEqual(6)
  const [last] = await results.read(key, { offset: 3, limit: 10 })
  expect(last![0]).toBe(3)
})

test('narrow and wide rows are read from any place, also those after a wide one', async () => {
  await using scene = await openResults()
  const { results } = scene
  const isWide = (i: number) => i % 700 === 650
  const rows = numbered(2_000).map(
    (row, i): DataRow => (isWide(i) ? [i, '"'.repeat(2 * mebibyte)] : row),
  )
  expect(await results.keep(key, inBatches(rows, 333))).toEqual({ rows: 2_000, isCut: false })
  for (const offset of [0, 499, 500, 649, 650, 651, 1_149, 1_150, 1_999, 2_000]) {
    expect(await results.read(key, { offset, limit: 3 })).toEqual(rows.slice(offset, offset + 3))
  }
  expect((await Array.fromAsync(results.stream(key))).flat()).toEqual(rows)
})

test('what was kept before lines had lengths of their own is read', async () => {
  await using scene = await openResults()
  const { results, path } = scene
  const rows = numbered(1_200)
  await results.keep(key, inBatches(rows, 500))
  const file = join(path, 'default', 'query-1.index')
  const { firsts: _, ...older } = JSON.parse(await readFile(file, 'utf8'))
  await writeFile(file, JSON.stringify(older))
  expect(await results.read(key, { offset: 998, limit: 4 })).toEqual(rows.slice(998, 1_002))
  expect((await Array.fromAsync(results.stream(key))).flat()).toEqual(rows)
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
