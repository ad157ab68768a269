import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isRegistered, redirectUriFault, withParameters } from './redirect-uri.ts'
import { authorizePath, createBrowser } from './test-browser.ts'
import { type OAuthWorld, startOAuthWorld } from './test-oauth-world.ts'
import { registered } from './test-registration.ts'

const web = 'https://app.example/cb'
const own = 'http://127.0.0.1:7777/cb'
const app = 'com.example.app:/cb'

const nearMisses = [
  '',
  ' ',
  'https://app.example',
  'https://app.example/',
  'https://app.example/cb/',
  'https://app.example/cb?',
  'https://app.example/cb#',
  'https://app.example/cb#x',
  'https://app.example/cb?x=1',
  'https://app.example/cb;x',
  'https://app.example/cb/x',
  'https://app.example/cb/..',
  'https://app.example/x/../cb',
  'https://app.example/./cb',
  'https://app.example//cb',
  'https://app.example/CB',
  'https://app.example/c%62',
  'https://app.example/%63b',
  'https://app.example/cb%00',
  'https://app.example/cb%20',
  'https://app.example/cb ',
  ' https://app.example/cb',
  'https://app.example/cb\n',
  'https://app.example/cb\r\nset-cookie: a=1',
  'https://app.example/cb\t',
  'https://app.example\\cb',
  'https:\\\\app.example\\cb',
  'https:/app.example/cb',
  'https:app.example/cb',
  '//app.example/cb',
  '/cb',
  'cb',
  'HTTPS://app.example/cb',
  'https://APP.example/cb',
  'https://app.example./cb',
  'https://app.example:443/cb',
  'https://app.example:444/cb',
  'https://app.example:/cb',
  'https://user@app.example/cb',
  'https://app.example@evil.example/cb',
  'https://app.example:x@evil.example/cb',
  'https://app.example%2eevil.example/cb',
  'https://app.example.evil.example/cb',
  'https://evil.example/app.example/cb',
  'https://evil.example/?https://app.example/cb',
  'https://evil.example/#https://app.example/cb',
  'https://evil.example\\@app.example/cb',
  'https://sub.app.example/cb',
  'https://xapp.example/cb',
  'https://app-example/cb',
  'https://аpp.example/cb',
  'https://app。example/cb',
  'http://app.example/cb',
  'ftp://app.example/cb',
  'javascript:alert(1)//https://app.example/cb',
  'data:text/html,https://app.example/cb',
  'http://127.0.0.1:7777/cb/',
  'http://127.0.0.1:7777/other',
  'http://127.0.0.1:7777/cb?x=1',
  'http://127.0.0.1:7777/cb#x',
  'http://127.0.0.1:99999/cb',
  'http://127.0.0.1:-1/cb',
  'http://127.0.0.1:7777@evil.example/cb',
  'http://127.0.0.1.evil.example/cb',
  'http://127.0.0.2:7777/cb',
  'http://127.1:7777/cb',
  'http://2130706433:7777/cb',
  'http://0x7f.0.0.1:7777/cb',
  'http://localhost:7777/cb',
  'http://[::1]:7777/cb',
  'http://[::ffff:127.0.0.1]:7777/cb',
  'https://127.0.0.1:7777/cb',
  'com.example.app:/cb/',
  'com.example.app://cb',
  'com.example.app2:/cb',
  'com.example.app:cb',
  'urn:ietf:wg:oauth:2.0:oob',
]

let world: OAuthWorld
beforeAll(async () => {
  world = await startOAuthWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

test(`none of ${nearMisses.length} addresses that nearly match is redirected to [E2.3] [T22]`, async () => {
  expect(nearMisses.length).toBeGreaterThanOrEqual(60)
  const client_id = await registered(world.server, { redirect_uris: [web, own, app] })
  for (const [at, redirect_uri] of nearMisses.entries()) {
    const browser = createBrowser(world.server, { ip: `10.0.0.${at}` })
    for (const more of [{}, { code_challenge: undefined }]) {
      const answer = await browser.open(authorizePath({ client_id, redirect_uri, ...more }))
      expect([redirect_uri, answer.status]).toEqual([redirect_uri, 400])
      expect(answer.headers).not.toHaveProperty('location')
      expect(answer.headers).not.toHaveProperty('set-cookie')
    }
  }
})

test('an address that is sent twice, or not at all, leads nowhere', async () => {
  const client_id = await registered(world.server, { redirect_uris: [web] })
  const browser = createBrowser(world.server)
  const once = authorizePath({ client_id, redirect_uri: web })
  for (const path of [
    `${once}&redirect_uri=${encodeURIComponent(web)}`,
    `${once}&client_id=${client_id}`,
    authorizePath({ client_id, redirect_uri: undefined }),
    authorizePath({ redirect_uri: web }),
    authorizePath({ client_id: 'nobody', redirect_uri: web }),
  ]) {
    const answer = await browser.open(path)
    expect(answer.status).toBe(400)
    expect(answer.headers).not.toHaveProperty('location')
  }
})

describe('a program on the person’s own machine', () => {
  test.each([
    [own, 'http://127.0.0.1:1234/cb', true],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:1234/cb', true],
    ['http://[::1]/cb', 'http://[::1]:1234/cb', true],
    ['http://localhost:3000/cb?a=1', 'http://localhost:4000/cb?a=1', true],
    ['http://localhost:3000/cb?a=1', 'http://localhost:4000/cb?a=2', false],
    ['https://app.example:1/cb', 'https://app.example:2/cb', false],
  ])('that registered %s may use %s: %s', (uri, given, holds) => {
    expect(isRegistered([uri], given)).toBe(holds)
  })
})

test.each([
  web,
  own,
  app,
  'http://localhost/cb',
  'http://[::1]:1/cb',
  'https://app.example',
  'https://app.example/cb?tenant=1',
  'cursor://anysphere.cursor-mcp/oauth/callback',
  'vscode://vscode.github-authentication/did-authenticate',
])('%s can be registered', (uri) => {
  expect(redirectUriFault(uri)).toBeUndefined()
})

test.each([
  'http://app.example/cb',
  'http://127.0.0.1.evil.example/cb',
  'http://127.0.0.1@evil.example/cb',
  'https://user:secret@app.example/cb',
  'https://@app.example/cb',
  'https://app.example/cb#x',
  'https://app.example/cb#',
  'https://app.example/cb?code=1',
  'https://app.example/cb?state=1',
  'https://app.example/cb?a=1&iss=x',
  'https://app.example\\@evil.example/',
  'https://app.example/<script>',
  'https://аpp.example/cb',
  'https:///cb',
  `https://app.example/${'a'.repeat(2000)}`,
  'javascript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'about:blank',
  'blob:https://app.example/x',
  'myapp://cb',
  'urn:ietf:wg:oauth:2.0:oob',
])('%s cannot be registered [T22, T34]', (uri) => {
  expect(redirectUriFault(uri)).toBeTypeOf('string')
})

test('what an address is told follows a query that it has', () => {
  expect(withParameters('https://a.example/cb', { code: 'a b', state: undefined })).toBe(
    'https://a.example/cb?code=a+b',
  )
  expect(withParameters('https://a.example/cb?x=1', { code: 'c' })).toBe(
    'https://a.example/cb?x=1&code=c',
  )
})
