import type { DataRow } from '@dataagent/schema'
import { expect, test } from 'vitest'
import { createFirstRows } from './first-rows.ts'

async function read(batches: DataRow[][], limits: { keepRows: number; shown: number }, width = 1) {
  let given = 0
  async function* counted() {
    for (const batch of batches) {
      given += 1
      yield batch
    }
  }
  const columns = Array.from({ length: width }, (_, i) => ({
    ...{ name: `c${i}`, type: 'TEXT', kind: 'text' as const },
  }))
  const first = createFirstRows({ columns, batches: counted() }, limits)
  const kept = (await Array.fromAsync(first.batches)).flat() as DataRow[]
  return { kept, rows: first.rows, hasMore: first.hasMore, given }
}

const limits = { keepRows: 4, shown: 2 }

test('gives all of a result that fits, and shows the first rows', async () => {
  const { kept, rows, hasMore } = await read(
    [
      [[1], [2]],
      [[3], [4]],
    ],
    limits,
  )
  expect(kept).toEqual([[1], [2], [3], [4]])
  expect(rows).toEqual([[1], [2]])
  expect(hasMore).toBe(false)
})

test.each([
  ['within a batch', [[[1], [2], [3]], [[4], [5]], [[6]]]],
  ['between batches', [[[1], [2], [3], [4]], [[5]], [[6]]]],
])('ends at the limit %s, and knows of more', async (_, batches) => {
  const { kept, hasMore, given } = await read(batches, limits)
  expect(kept).toEqual([[1], [2], [3], [4]])
  expect(hasMore).toBe(true)
  expect(given).toBe(2)
})

test('long texts are shown cut, and kept whole', async () => {
  const long = `${'x'.repeat(1_999)}🚀${'y'.repeat(4_000_000)}`
  const { kept, rows } = await read([[[long]]], limits)
  expect(kept[0]![0]).toBe(long)
  expect(rows[0]![0]).toBe(`${'x'.repeat(1_999)}\ufffd…`)
})

test('a row of very many texts is shown short', async () => {
  const row = Array.from({ length: 1_600 }, () => 'x'.repeat(5_000))
  const { rows } = await read([[row]], limits, row.length)
  expect(JSON.stringify(rows).length).toBeLessThan(100_000)
})

test('what is shown stays within bounds', async () => {
  const batch = Array.from({ length: 1_000 }, (): DataRow => ['é'.repeat(1_000)])
  const { rows, kept } = await read([batch], { keepRows: 1_000, shown: 1_000 })
  expect(Buffer.byteLength(JSON.stringify(rows))).toBeLessThan(64 * 1024 + 10)
  expect(kept).toHaveLength(1_000)
})
