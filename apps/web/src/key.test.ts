import { beforeEach, expect, test, vi } from 'vitest'
import { forgetKey, storedKey, storeKey, takeKeyFromAddress } from './key.ts'

const address = { pathname: '/', search: '?lang=zh', hash: '' }
const shown: string[] = []
const items = new Map<string, string>()

beforeEach(() => {
  items.clear()
  shown.length = 0
  vi.stubGlobal('location', address)
  vi.stubGlobal('history', {
    replaceState: (_state: null, _title: string, url: string) => void shown.push(url),
  })
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
    removeItem: (name: string) => void items.delete(name),
  })
  return () => vi.unstubAllGlobals()
})

test('the key of a sign-in link is kept and leaves the address bar', () => {
  address.hash = `#key=${encodeURIComponent('da_a+b/c=')}`
  expect(takeKeyFromAddress()).toBe(true)
  expect(storedKey()).toBe('da_a+b/c=')
  expect(shown).toEqual(['/?lang=zh'])
})

test.each(['', '#', '#section', '#other=1'])('an address with %j changes nothing', (hash) => {
  storeKey('the key of before')
  address.hash = hash
  expect(takeKeyFromAddress()).toBe(false)
  expect(storedKey()).toBe('the key of before')
  expect(shown).toEqual([])
})

test('a key that is forgotten is gone', () => {
  storeKey('a key')
  forgetKey()
  expect(storedKey()).toBeNull()
})
