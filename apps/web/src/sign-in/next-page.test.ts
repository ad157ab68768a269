import { beforeEach, expect, test, vi } from 'vitest'
import { checkNextPage, keepNextPage, takeNextPage } from './next-page.ts'

test.each([
  '/mcp/oauth/authorize?tx=abc',
  '/mcp/oauth/authorize?client_id=https%3A%2F%2Fapp.example%2Fid&redirect_uri=http://a/b//c',
])('leads to %s after sign-in [E2.2]', (next) => {
  expect(checkNextPage(next)).toBe(next)
})

test.each([
  '',
  '/',
  '/mcp/oauth',
  '/mcp',
  '/api/v1/sign-out',
  'mcp/oauth/authorize',
  '//evil.example/mcp/oauth/',
  '/mcp/oauth//evil.example',
  '/mcp/oauth/\\evil.example',
  '/mcp/oauth/authorize?x=\\',
  '/\\evil.example/mcp/oauth/',
  'https://evil.example/mcp/oauth/authorize',
  'javascript:alert(1)//mcp/oauth/',
  '/mcp/oauth/../../api/v1/sign-out',
  '/mcp/oauth/%2e%2e/x',
  '/mcp/oauth/authorize\n?x',
  ' /mcp/oauth/authorize',
])('stays for %j', (next) => {
  expect(checkNextPage(next)).toBeUndefined()
})

const address = { search: '' }

beforeEach(() => {
  const held = new Map<string, string>()
  vi.stubGlobal('location', address)
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => held.get(name) ?? null,
    setItem: (name: string, value: string) => void held.set(name, value),
    removeItem: (name: string) => void held.delete(name),
  })
  return () => vi.unstubAllGlobals()
})

test('is taken from the address, or from before the way to an identity provider, once', () => {
  address.search = `?next=${encodeURIComponent('/mcp/oauth/authorize?tx=a&b=c')}`
  expect(takeNextPage()).toBe('/mcp/oauth/authorize?tx=a&b=c')
  keepNextPage()
  address.search = ''
  expect(takeNextPage()).toBe('/mcp/oauth/authorize?tx=a&b=c')
  expect(takeNextPage()).toBeUndefined()
})

test('is not kept where it leads elsewhere', () => {
  address.search = '?next=//evil.example'
  keepNextPage()
  address.search = ''
  expect(takeNextPage()).toBeUndefined()
})
