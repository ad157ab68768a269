import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { chosenCount, longCount } from './long-count.ts'

beforeEach(() => {
  vi.stubEnv('TEST_COUNT', undefined)
  vi.stubEnv('TEST_KILLS', undefined)
})
afterEach(() => vi.unstubAllEnvs())

test('counts are short by default', () => {
  vi.stubEnv('DATAAGENT_TEST_LONG', undefined)
  expect(longCount(20, 500)).toBe(20)
  expect(chosenCount('TEST_KILLS', 20, 500)).toBe(20)
})

test('counts are long when DATAAGENT_TEST_LONG is set', () => {
  vi.stubEnv('DATAAGENT_TEST_LONG', '1')
  expect(longCount(20, 500)).toBe(500)
  expect(chosenCount('TEST_KILLS', 20, 500)).toBe(500)
})

test('TEST_COUNT is how often, whatever the run', () => {
  vi.stubEnv('DATAAGENT_TEST_LONG', '1')
  vi.stubEnv('TEST_COUNT', '1000')
  expect(chosenCount('TEST_KILLS', 20, 500)).toBe(1_000)
  expect(longCount(20, 500)).toBe(500)
})

test('a count of its own goes before TEST_COUNT', () => {
  vi.stubEnv('TEST_COUNT', '1000')
  vi.stubEnv('TEST_KILLS', '7')
  expect(chosenCount('TEST_KILLS', 20, 500)).toBe(7)
  vi.stubEnv('TEST_KILLS', 'x')
  expect(() => chosenCount('TEST_KILLS', 20, 500)).toThrow('TEST_KILLS is x: give')
})

test.each(['0', '-3', '1e3', 'many'])('%s is no count', (chosen) => {
  vi.stubEnv('TEST_COUNT', chosen)
  expect(() => chosenCount('TEST_KILLS', 20, 500)).toThrow('give a whole number from 1 up')
})
