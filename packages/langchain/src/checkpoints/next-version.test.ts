import { expect, test } from 'vitest'
import { createNextVersion } from './next-version.ts'

test('a version is greater than the one before, from the first to the millionth', () => {
  const nextVersion = createNextVersion()
  for (const current of [0, 1, 1.999_999_999, 7, 1_000_000.999_999_999]) {
    const next = nextVersion(current)
    expect(next).toBeGreaterThan(current)
    expect(Math.floor(next)).toBe(Math.floor(current) + 1)
  }
  expect(Math.floor(nextVersion(undefined))).toBe(1)
})

test('within a step it is the same for all, in another step another', async () => {
  const nextVersion = createNextVersion()
  const [first, second] = [nextVersion(1.5), nextVersion(1.5)]
  expect(second).toBe(first)
  await Promise.resolve()
  expect(nextVersion(1.5)).not.toBe(first)
})
