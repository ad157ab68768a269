import { expect, test } from 'vitest'
import { type LoadPage, loadAll } from './load-all.ts'

const listOf = (total: number) => {
  const asked: number[] = []
  const load: LoadPage<number> = async ({ limit, offset }) => {
    asked.push(offset)
    const rows = Array.from({ length: Math.min(limit, total - offset) }, (_, i) => offset + i)
    return offset % 400 === 0 ? { rows, total } : { rows, more: offset + limit < total }
  }
  return { load, asked }
}
const { signal } = new AbortController()

test.each([
  ...[0, 1, 200, 450, 600].map((total) => [total, total, false] as const),
  ...[[601, 600, true] as const, [9000, 600, true] as const],
])('of %i rows %i are loaded where 600 are the most', async (total, count, isCut) => {
  const { load, asked } = listOf(total)
  const all = await loadAll(load, { max: 600, signal })
  expect(all).toEqual({ rows: Array.from({ length: count }, (_, i) => i), isCut })
  expect(asked.length).toBeLessThanOrEqual(3)
})

test('no more is asked for once it is not wanted', async () => {
  const leaving = new AbortController()
  const { load, asked } = listOf(9000)
  const leave: LoadPage<number> = (page, options) => {
    if (page.offset === 200) leaving.abort()
    return load(page, options)
  }
  await expect(loadAll(leave, { max: 9000, signal: leaving.signal })).rejects.toThrow()
  expect(asked).toEqual([0, 200])
})
