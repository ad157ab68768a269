import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PlainResponse } from '../http/index.ts'
import {
  answerIn,
  authorizePath,
  type BrowserOptions,
  callback,
  createBrowser,
} from './test-browser.ts'
import { type OAuthWorld, publicUrl, startOAuthWorld } from './test-oauth-world.ts'
import { registered } from './test-registration.ts'

let world: OAuthWorld
let client_id: string
let address = 0
beforeAll(async () => {
  world = await startOAuthWorld({ settings: { oauth_redirect_uri: callback } })
  client_id = await registered(world.server)
})
afterAll(() => world[Symbol.asyncDispose]())

async function open(parameters: Record<string, string | undefined> = {}, options?: BrowserOptions) {
  address += 1
  const browser = createBrowser(world.server, { ip: `198.18.0.${address}`, ...options })
  const page = await browser.open(authorizePath({ client_id, ...parameters }))
  return { browser, page }
}

const groupsOn = ({ body }: PlainResponse): string[] =>
  [...body.matchAll(/name="group_id" value="([^"]+)"/g)].map(([, id]) => id!)

describe('the page [E2.2]', () => {
  test('names the program, where it leads and what it may do', async () => {
    const { page } = await open()
    expect(page.status).toBe(200)
    expect(page.body).toContain('<html lang="en">')
    expect(page.body).toContain('<h1>Connect Dify</h1>')
    expect(page.body).toContain(new URL(callback).host)
    expect(page.body).toContain('see and use all tools of the group')
    expect(page.body).toMatch(/type="password"[^>]*autocomplete="off"/)
    expect(page.body).not.toContain('<script')
  })

  test('asks for less where the program does', async () => {
    const { page } = await open({ scope: 'mcp:read openid' })
    expect(page.body).toContain('use those that only read')
  })

  test('speaks Chinese to whoever prefers it, and can be switched', async () => {
    const { browser, page } = await open({}, { language: 'zh-CN,zh;q=0.9,en;q=0.5' })
    expect(page.body).toContain('<html lang="zh-CN">')
    expect(page.body).toContain('连接 Dify')
    const [, other] = /class="language" href="([^"]+)"/.exec(page.body)!
    const switched = await browser.open(other!.replaceAll('&#38;', '&'))
    expect(switched.body).toContain('<html lang="en">')
    const wrong = await browser.submit(switched, { action: 'key', api_key: 'mk_wrong' })
    expect(wrong.body).toContain('<html lang="en">')
  })

  test('leads to the sign-in and back to itself', async () => {
    const { browser, page } = await open()
    const [, href] = /<a class="button" href="([^"]+)"/.exec(page.body)!
    const back = new URL(href!, publicUrl).searchParams.get('to')!
    browser.cookies.set('sign-in', 'ana')
    const again = await browser.open(back)
    expect(again.body).toContain('Signed in as ana')
    expect(groupsOn(again)).toEqual(['clinic'])
  })

  test('asks once more by itself where another site led here, for the sign-in', async () => {
    const { browser, page } = await open({})
    expect(page.body).not.toContain('http-equiv')
    const headers = { 'sec-fetch-site': 'cross-site' }
    const first = await browser.open(authorizePath({ client_id }), { headers })
    const [, path] = /http-equiv="refresh" content="0;url=([^"]+)"/.exec(first.body)!
    browser.cookies.set('sign-in', 'ana')
    const second = await browser.open(path!, { headers: { 'sec-fetch-site': 'same-origin' } })
    expect(second.body).toContain('Signed in as ana')
    expect(second.body).not.toContain('http-equiv')
  })
})

/** The program that an administrator has set up. */
const known = 'dify'

describe('what a known program may not ask is told to it, with state and iss', () => {
  async function expectTold(parameters: Record<string, string | undefined>, error: string) {
    const { page } = await open({ client_id: known, ...parameters })
    expect(page.status).toBe(303)
    expect(page.body).toBe('')
    expect(answerIn(page)).toMatchObject({ error, state: 'state-1', iss: publicUrl })
    expect(String(page.headers.location)).toMatch(new RegExp(`^${callback}\\?`))
  }

  test.each([
    ['no challenge', { code_challenge: undefined }],
    ['the method plain', { code_challenge_method: 'plain' }],
    ['no method, which is plain', { code_challenge_method: undefined }],
    ['the method s256', { code_challenge_method: 's256' }],
    ['a short challenge', { code_challenge: 'a'.repeat(42) }],
    ['a long challenge', { code_challenge: 'a'.repeat(44) }],
    ['another alphabet', { code_challenge: `${'a'.repeat(42)}+` }],
  ])('%s [T20]', (_, parameters) => expectTold(parameters, 'invalid_request'))

  test.each([
    ['no response_type', { response_type: undefined }, 'invalid_request'],
    ['a token at once', { response_type: 'token' }, 'unsupported_response_type'],
    ['both', { response_type: 'code token' }, 'unsupported_response_type'],
    ['a fragment', { response_mode: 'fragment' }, 'invalid_request'],
    ['a request object', { request: 'x' }, 'request_not_supported'],
    ['one by address', { request_uri: 'https://a.example' }, 'request_uri_not_supported'],
    ['scopes of others', { scope: 'openid email' }, 'invalid_scope'],
    ['a resource of others', { resource: 'https://evil.example/mcp' }, 'invalid_target'],
    ['a longer host', { resource: `${publicUrl}.evil.example/mcp` }, 'invalid_target'],
    ['a path that is none', { resource: `${publicUrl}/api` }, 'invalid_target'],
    ['a fragment of ours', { resource: `${publicUrl}/mcp#x` }, 'invalid_target'],
    ['a query of ours', { resource: `${publicUrl}/mcp?x` }, 'invalid_target'],
    ['no address', { resource: 'mcp' }, 'invalid_target'],
  ])('%s', (_, parameters, error) => expectTold(parameters, error))

  test('a parameter that is there twice', async () => {
    const browser = createBrowser(world.server)
    for (const [name, error] of [
      ['scope', 'invalid_request'],
      ['code_challenge', 'invalid_request'],
      ['resource', 'invalid_target'],
    ]) {
      const twice = `&${name}=mcp:read&${name}=mcp:call`
      const once = authorizePath({ client_id: known, code_challenge: undefined })
      expect(answerIn(await browser.open(once + twice))).toMatchObject({ error, state: 'state-1' })
    }
  })

  test('a state that is too long, or there twice, is not given back', async () => {
    const { page } = await open({ client_id: known, state: 's'.repeat(2001) })
    expect(answerIn(page)).toMatchObject({ error: 'invalid_request' })
    expect(answerIn(page)).not.toHaveProperty('state')
  })

  test.each(['', '/', '/mcp', '/mcp/', '/mcp/v1/sse', '/api/v1/mcp/jsonrpc', '/mcp/g/clinic'])(
    'the resource %j is ours',
    async (path) => {
      const { page } = await open({
        resource: publicUrl.toUpperCase().replace('HTTPS', 'https') + path,
      })
      expect(page.status).toBe(200)
    },
  )
})

describe('a program that registered itself', () => {
  test('has nobody sent to it by a faulty request: a page says what is wrong', async () => {
    const { page } = await open({ response_type: 'nope' })
    expect(page.status).toBe(400)
    expect(page.headers).not.toHaveProperty('location')
    expect(page.body).toContain('unsupported_response_type: response_type must be code')
  })

  test('decides nothing of what the page says', async () => {
    const browser = createBrowser(world.server)
    const name = encodeURIComponent('Call 555 now: it')
    const page = await browser.open(`${authorizePath({ client_id })}&${name}=1&${name}=2`)
    expect(page.status).toBe(400)
    expect(page.body).toContain('invalid_request: a parameter is there more than once')
    expect(page.body).not.toContain('555')
  })
})

test('the store being away is told as such, to people and to programs', async () => {
  await using broken = await startOAuthWorld()
  const id = await registered(broken.server)
  const kv = broken.kv as unknown as AsyncDisposable
  await kv[Symbol.asyncDispose]()
  const page = await createBrowser(broken.server).open(authorizePath({ client_id: id }))
  expect(page.status).toBe(503)
  expect(page.headers['retry-after']).toBe('5')
  expect(page.body).toContain('Not available at the moment')
  const answer = await broken.send({ path: '/mcp/oauth/token', method: 'POST' })
  expect(answer.status).toBe(503)
  expect(JSON.parse(answer.body)).toMatchObject({ error: 'temporarily_unavailable' })
  const metadata = await broken.send({ path: '/.well-known/oauth-authorization-server' })
  expect(metadata.status).toBe(200)
})
