import { longCount } from '@dataagent/testkit'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PlainResponse } from '../http/index.ts'
import { answerIn, authorizePath, createBrowser, hiddenIn } from './test-browser.ts'
import { type OAuthWorld, startOAuthWorld, userKey } from './test-oauth-world.ts'
import { register, registered } from './test-registration.ts'

let world: OAuthWorld
let client_id: string
let address = 0
beforeAll(async () => {
  world = await startOAuthWorld()
  client_id = await registered(world.server)
})
afterAll(() => world[Symbol.asyncDispose]())

const allow = { action: 'allow', group_id: 'clinic' }

function browserOf(user?: string) {
  address += 1
  const cookies = user === undefined ? {} : { 'sign-in': user }
  return createBrowser(world.server, { ip: `198.18.1.${address}`, cookies })
}

function expectNoCode(answer: PlainResponse): void {
  expect(answer.headers).not.toHaveProperty('location')
  expect(answer.body).not.toContain('ac_')
}

describe('a form that others made', () => {
  test.each([
    ['no token', { csrf: '' }],
    ['another token', { csrf: 'x'.repeat(43) }],
    ['no transaction', { tx: '' }],
    ['another transaction', { tx: 'x'.repeat(43) }],
    ['a transaction that is a key of the store', { tx: '../consent' }],
    ['no action', { action: '' }],
    ['another action', { action: 'constructor' }],
  ])('with %s allows nothing', async (_, fields) => {
    const browser = browserOf('ana')
    const page = await browser.open(authorizePath({ client_id }))
    const answer = await browser.submit(page, { ...allow, ...fields })
    expect([403, 410]).toContain(answer.status)
    expectNoCode(answer)
    expect((await browser.submit(page, allow)).status).toBe(303)
  })

  test('with the token of another page allows nothing [T24]', async () => {
    const browser = browserOf('ana')
    const mine = await browser.open(authorizePath({ client_id }))
    const theirs = await browser.open(authorizePath({ client_id }))
    const answer = await browser.submit(mine, { ...allow, csrf: hiddenIn(theirs).csrf! })
    expect(answer.status).toBe(403)
    expectNoCode(answer)
  })

  test.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['a neighbour', { 'sec-fetch-site': 'same-site' }],
    ['an address that was typed', { 'sec-fetch-site': 'none' }],
    ['another origin', { 'sec-fetch-site': undefined, origin: 'https://evil.example' }],
    ['a longer origin', { 'sec-fetch-site': undefined, origin: 'https://tools.example.evil' }],
  ])('sent from %s allows nothing [T24]', async (_, headers) => {
    const browser = browserOf('ana')
    const page = await browser.open(authorizePath({ client_id }))
    const answer = await browser.submit(page, allow, { headers })
    expect(answer.status).toBe(403)
    expectNoCode(answer)
  })

  test.each([
    ['its own origin', { 'sec-fetch-site': undefined, origin: 'https://tools.example' }],
    ['no origin, as no-referrer has it', { 'sec-fetch-site': 'same-origin', origin: 'null' }],
    ['none, as a program does', { 'sec-fetch-site': undefined }],
  ])('sent from our page with %s is taken', async (_, headers) => {
    const browser = browserOf('ana')
    const page = await browser.open(authorizePath({ client_id }))
    expect((await browser.submit(page, allow, { headers })).status).toBe(303)
  })

  test('sent as JSON, or with a field twice, allows nothing', async () => {
    const browser = browserOf('ana')
    const page = await browser.open(authorizePath({ client_id }))
    const json = { headers: { 'content-type': 'application/json' } }
    expectNoCode(await browser.submit(page, allow, json))
    const { tx, csrf } = hiddenIn(page)
    const body = `tx=${tx}&csrf=${csrf}&action=allow&group_id=clinic&group_id=sales`
    expectNoCode(await browser.submit(page, allow, { body }))
  })

  test('by GET allows nothing', async () => {
    const browser = browserOf('ana')
    const page = await browser.open(authorizePath({ client_id }))
    const query = new URLSearchParams({ ...hiddenIn(page), ...allow })
    const answer = await browser.open(`/mcp/oauth/authorize/submit?${query}`)
    expect(answer.status).toBe(405)
  })
})

/** The MCP specification's attack: consent given once is used for a program of the attacker. */
describe('a confused deputy', () => {
  test('gets no code: consent to one program opens nothing to another [E2.3] [T23]', async () => {
    const victim = browserOf('ana')
    const page = await victim.open(authorizePath({ client_id }))
    expect(answerIn(await victim.submit(page, allow)).code).toMatch(/^ac_/)
    const evil = 'https://evil.example/cb'
    const theirs = await registered(world.server, { client_name: 'Dify', redirect_uris: [evil] })
    const lured = await victim.open(authorizePath({ client_id: theirs, redirect_uri: evil }), {
      headers: { 'sec-fetch-site': 'cross-site' },
    })
    expect(lured.status).toBe(200)
    expect(lured.body).toContain('evil.example')
    expectNoCode(lured)
    const again = await victim.open(authorizePath({ client_id }))
    expect(again.status).toBe(200)
    expectNoCode(again)
  })

  test('cannot have a victim finish what the attacker began [T23]', async () => {
    const attacker = browserOf()
    const page = await attacker.open(authorizePath({ client_id }))
    const victim = browserOf('ana')
    await victim.open(authorizePath({ client_id }))
    const { tx } = hiddenIn(page)
    const lured = await victim.open(`/mcp/oauth/authorize?tx=${tx}`)
    expect(lured.status).toBe(403)
    expect(lured.body).toContain('another browser')
    const answer = await victim.submit(page, allow)
    expect(answer.status).toBe(403)
    expectNoCode(answer)
  })

  test('cannot use the page of another browser, cookies or not', async () => {
    const page = await browserOf('ana').open(authorizePath({ client_id }))
    for (const cookies of [{}, { '__Host-mcp_consent': 'x'.repeat(43) }, { mcp_consent: 'x' }]) {
      const stranger = createBrowser(world.server, { cookies: { 'sign-in': 'ana', ...cookies } })
      const answer = await stranger.submit(page, allow)
      expect(answer.status).toBe(403)
      expectNoCode(answer)
    }
  })
})

describe('every page', () => {
  const nasty = `<img src=x onerror=alert(1)>"'</title><script>`

  test('shows names as text, whatever is in them [T24]', async () => {
    const id = await registered(world.server, { client_name: nasty })
    await world.change('clinic', { name: nasty, description: nasty })
    const { body } = await browserOf('ana').open(authorizePath({ client_id: id }))
    await world.change('clinic', { name: 'Clinic', description: '' })
    expect(body).not.toMatch(/<img|<script|onerror=alert\(1\)>"/)
    expect(body).toContain('&#60;img src=x onerror=alert(1)&#62;')
  })

  test('can be framed by nobody, runs nothing, is kept by nobody [T24]', async () => {
    const browser = browserOf('ana')
    const page = await browser.open(authorizePath({ client_id }))
    const pages = [
      page,
      await browser.open(authorizePath({ client_id: 'nobody' })),
      await browser.open('/mcp/oauth/authorize?tx=gone'),
      await browser.submit(page, { ...allow, csrf: 'x' }),
      await browser.submit(page, { action: 'key', api_key: 'mk_wrong' }),
    ]
    for (const { headers } of pages) {
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
      })
      expect(headers['content-security-policy']).toMatch(
        /^default-src 'none'; style-src 'sha256-[\w+/=]+'; form-action 'self'( https:)?; frame-ancestors 'none'; base-uri 'none'$/,
      )
    }
  })

  test.each([
    ['https://app.example/cb', 'https:'],
    ['http://127.0.0.1:5000/cb', 'http:'],
    ['http://[::1]:5000/cb', 'http:'],
    ['com.example.app:/cb', 'com.example.app:'],
  ])('lets its form lead to %s', async (redirect_uri, source) => {
    const id = await registered(world.server, { redirect_uris: [redirect_uri] })
    const page = await browserOf().open(authorizePath({ client_id: id, redirect_uri }))
    expect(page.headers['content-security-policy']).toContain(`form-action 'self' ${source};`)
  })

  test('has its cookie for this host alone, out of the reach of scripts', async () => {
    const answer = await browserOf().open(authorizePath({ client_id }))
    expect(answer.headers['set-cookie']).toMatch(
      /^__Host-mcp_consent=[\w-]{43}; Path=\/; Max-Age=3600; HttpOnly; SameSite=Lax; Secure$/,
    )
    await using plain = await startOAuthWorld({ publicUrl: () => 'http://127.0.0.1:8000' })
    const id = await registered(plain.server)
    const page = await createBrowser(plain.server).open(authorizePath({ client_id: id }))
    expect(page.headers['set-cookie']).toMatch(/^mcp_consent=[\w-]{43}; .*SameSite=Lax$/)
  })
})

const visits = longCount(40, 2000)

test(`in ${visits} visits no answer and no log line ever holds the key, nor the state as it was sent [T25]`, async () => {
  const nastyText = fc.string({ minLength: 8, maxLength: 40, unit: 'grapheme' })
  const marked = (text: string) => `<q"'>${text}`
  const runs = { numRuns: visits }
  await fc.assert(
    fc.asyncProperty(nastyText, nastyText, nastyText, async (state, key, name) => {
      const browser = browserOf()
      const ip = `2001:db8:${(address % 65_000).toString(16)}:${address >> 16}::1`
      const body = { redirect_uris: ['https://a.example/cb'], client_name: marked(name) }
      const { client_id: id } = JSON.parse((await register(world.server, body, ip)).body)
      const asked = { client_id: id, redirect_uri: body.redirect_uris[0]!, state: marked(state) }
      const page = await browser.open(authorizePath(asked), { ip })
      const keys = [marked(key), `mk_${marked(key)}`, world.keys.clinic, userKey]
      const answers = [page, await browser.open(authorizePath({ ...asked, scope: 'x' }), { ip })]
      for (const api_key of keys) {
        answers.push(await browser.submit(page, { action: 'key', api_key }, { ip }))
      }
      const text = JSON.stringify([answers, world.logs.splice(0)])
      for (const secret of [...keys, marked(state)]) {
        expect(text).not.toContain(JSON.stringify(secret).slice(1, -1))
      }
      for (const { body: shown } of answers) expect(shown).not.toContain('<q')
    }),
    runs,
  )
})
