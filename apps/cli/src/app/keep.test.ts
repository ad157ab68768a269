import { expect, test } from 'vitest'
import { keep } from './keep.ts'

test('what was read is kept', async () => {
  let reads = 0
  const read = keep(60_000, async () => ++reads)
  expect([await read(), await read()]).toEqual([1, 1])
})

test('what could not be read is asked for again at once', async () => {
  let reads = 0
  const read = keep(60_000, async () => {
    if (++reads === 1) throw new Error('away')
    return reads
  })
  await expect(read()).rejects.toThrow('away')
  expect(await read()).toBe(2)
})
