import { describe, expect, test } from 'vitest'
import { readCookie, toSetCookie } from './cookies.ts'
import { toFields } from './form.ts'
import { html } from './html.ts'
import { networkOf } from './network-of.ts'
import { preferredLanguage } from './preferred-language.ts'
import { retryAfter } from './responses.ts'

test('what stands in a page is text, in quotes of either kind too', () => {
  const name = `<img src=x onerror=alert(1)> & "a" 'b' \`c\``
  const text = html`<p title='${name}'>${[name, html`<b>${1}</b>`]}${undefined}${false}</p>`.html
  expect(text).not.toMatch(/<img|["`]/)
  expect(text.match(/'/g)).toHaveLength(2)
  expect(text).toContain('<b>1</b></p>')
})

test('a cookie is found by its whole name', () => {
  const headers = { cookie: 'xmcp=1; mcp=2; mcp=3; mcp2=4' }
  expect(readCookie(headers, 'mcp')).toBe('2')
  expect(readCookie(headers, 'mc')).toBeUndefined()
  expect(readCookie({}, 'mcp')).toBeUndefined()
})

test('a cookie is out of the reach of scripts and of plain connections', () => {
  expect(toSetCookie({ name: '__Host-a', value: 'v', maxAgeSeconds: 9, secure: true })).toBe(
    '__Host-a=v; Path=/; Max-Age=9; HttpOnly; SameSite=Lax; Secure',
  )
})

test('an empty parameter counts as not sent, and none may be sent twice', () => {
  expect(toFields(new URLSearchParams('a=1&b='))).toEqual({
    status: 'ok',
    fields: new Map([['a', '1']]),
  })
  expect(toFields(new URLSearchParams('a=&b=2&a=1'))).toEqual({ status: 'repeated', name: 'a' })
})

describe.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:DB8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('the address %s', (ip, network) => {
  test(`is counted as ${network}`, () => expect(networkOf(ip)).toBe(network))
})

describe.each([
  [undefined, 'en'],
  ['', 'en'],
  ['zh-CN,zh;q=0.9,en;q=0.8', 'zh'],
  ['en-GB,zh;q=0.9', 'en'],
  ['fr, zh;q=0.3', 'zh'],
  ['zh;q=0, en;q=0.1', 'en'],
  ['zh;q=x', 'en'],
  ['*', 'en'],
])('for Accept-Language %j', (header, language) => {
  test(`the page is in ${language}`, () => {
    expect(preferredLanguage(header, ['en', 'zh'])).toBe(language)
  })
})

test('a wait is told in whole seconds, at least one', () => {
  expect(retryAfter(0)).toEqual({ 'retry-after': '1' })
  expect(retryAfter(1001)).toEqual({ 'retry-after': '2' })
})
