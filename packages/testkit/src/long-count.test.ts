import { afterEach, expect, test, vi } from 'vitest'
import { longCount } from './long-count.ts'

afterEach(() => vi.unstubAllEnvs())

test('counts are short by default', () => {
  vi.stubEnv('DATAAGENT_TEST_LONG', undefined)
  expect(longCount(20, 500)).toBe(20)
})

test('counts are long when DATAAGENT_TEST_LONG is set', () => {
  vi.stubEnv('DATAAGENT_TEST_LONG', '1')
  expect(longCount(20, 500)).toBe(500)
})
