import { beforeEach, expect, test, vi } from 'vitest'
import { takeFromAddress } from './take-from-address.ts'

const address = { pathname: '/', search: '?lang=zh', hash: '' }
const shown: string[] = []

beforeEach(() => {
  shown.length = 0
  vi.stubGlobal('location', address)
  vi.stubGlobal('history', {
    replaceState: (_state: null, _title: string, url: string) => void shown.push(url),
  })
  return () => vi.unstubAllGlobals()
})

test('the key of a sign-in link leaves the address bar', () => {
  address.hash = `#key=${encodeURIComponent('da_a+b/c=')}`
  expect(takeFromAddress('key')).toBe('da_a+b/c=')
  expect(shown).toEqual(['/?lang=zh'])
})

test('why a sign-in failed leaves it too', () => {
  address.hash = '#sign-in=refused'
  expect(takeFromAddress('key')).toBeNull()
  expect(takeFromAddress('sign-in')).toBe('refused')
  expect(shown).toEqual(['/?lang=zh'])
})

test.each(['', '#', '#section', '#other=1'])('an address with %j changes nothing', (hash) => {
  address.hash = hash
  expect(takeFromAddress('key')).toBeNull()
  expect(shown).toEqual([])
})
