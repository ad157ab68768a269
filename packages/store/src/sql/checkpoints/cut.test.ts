import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { cut } from './cut.ts'

const texts = (bytes: Uint8Array) =>
  [...cut(bytes)].map((part) => Buffer.from(part).toString('hex'))

test.each([0, 1, 1_024, 16_384, 16_385, 1_000_000, 5_000_000])(
  'the parts of %d bytes are all of them, in order, of a size that can be stored',
  (size) => {
    const bytes = randomBytes(size)
    const parts = [...cut(bytes)]
    expect(Buffer.concat(parts).equals(bytes)).toBe(true)
    for (const part of parts) expect(part.length).toBeLessThanOrEqual(256 * 1024)
    expect(parts.length).toBeLessThan(2 + size / 1_024)
  },
)

test('bytes without change are cut at the most', () => {
  expect([...cut(new Uint8Array(40_000))].map((part) => part.length)).toEqual([
    16_384, 16_384, 7_232,
  ])
})

test('what is put before, in between and behind leaves most parts as they were', () => {
  const bytes = randomBytes(400_000)
  const more = randomBytes(1_000)
  const known = new Set(texts(bytes))
  for (const changed of [
    Buffer.concat([more, bytes]),
    Buffer.concat([bytes.subarray(0, 200_000), more, bytes.subarray(200_000)]),
    Buffer.concat([bytes, more]),
  ]) {
    const fresh = texts(changed).filter((part) => !known.has(part))
    expect(fresh.join('').length / 2).toBeLessThan(40_000)
  }
})
