import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PlainResponse } from '../http/index.ts'
import { answerIn, authorizePath, type BrowserOptions, createBrowser } from './test-browser.ts'
import {
  adminKey,
  type OAuthWorld,
  publicUrl,
  startOAuthWorld,
  userKey,
} from './test-oauth-world.ts'
import { registered } from './test-registration.ts'

let world: OAuthWorld
let client_id: string
let address = 0
beforeAll(async () => {
  world = await startOAuthWorld()
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

describe('a person who is signed in', () => {
  test('chooses a group and is sent back with code, state and iss [E2.2]', async () => {
    const { browser, page } = await open({}, { cookies: { 'sign-in': 'ana' } })
    const answer = await browser.submit(page, { action: 'allow', group_id: 'clinic' })
    expect(answer.status).toBe(303)
    expect(answer.headers['referrer-policy']).toBe('no-referrer')
    expect(String(answer.headers.location)).toMatch(/^https:\/\/dify\.example\/console\//)
    expect(answerIn(answer)).toEqual({
      code: expect.stringMatching(/^ac_/),
      state: 'state-1',
      iss: publicUrl,
    })
  })

  test('is offered the groups that are open to them; an administrator all', async () => {
    const { page } = await open({}, { cookies: { 'sign-in': 'root' } })
    expect(groupsOn(page)).toEqual(['sales', 'clinic'])
  })

  test('gets no other group by asking for it', async () => {
    const { browser, page } = await open({}, { cookies: { 'sign-in': 'ana' } })
    const answer = await browser.submit(page, { action: 'allow', group_id: 'sales' })
    expect(answer.status).toBe(400)
    expect(answer.body).toContain('Choose one of the tool groups.')
  })

  test('is told what to do where there is no group for them', async () => {
    const resource = `${publicUrl}/mcp/g/sales`
    const { page } = await open({ resource }, { cookies: { 'sign-in': 'ana' } })
    expect(groupsOn(page)).toEqual([])
    expect(page.body).toContain('Ask an administrator to open it to you')
    expect(page.body).toContain('name="api_key"')
  })

  test('may refuse, and the program is told', async () => {
    const { browser, page } = await open({}, { cookies: { 'sign-in': 'ana' } })
    const answer = await browser.submit(page, { action: 'deny' })
    expect(answerIn(answer)).toEqual({ error: 'access_denied', state: 'state-1', iss: publicUrl })
  })
})

describe('a key', () => {
  test('of a group shows that group, which is then allowed [E2.2]', async () => {
    const { browser, page } = await open()
    const chosen = await browser.submit(page, { action: 'key', api_key: ` ${world.keys.sales}\n` })
    expect(groupsOn(chosen)).toEqual(['sales'])
    const answer = await browser.submit(chosen, { action: 'allow', group_id: 'sales' })
    expect(answerIn(answer).code).toMatch(/^ac_/)
  })

  test('of a user shows the groups to choose from; another key may be entered', async () => {
    const { browser, page } = await open()
    const mine = await browser.submit(page, { action: 'key', api_key: userKey })
    expect(groupsOn(mine)).toEqual(['clinic'])
    const anew = await browser.submit(mine, { action: 'other_key' })
    expect(anew.body).toContain('name="api_key"')
    const all = await browser.submit(anew, { action: 'key', api_key: adminKey })
    expect(groupsOn(all)).toEqual(['sales', 'clinic'])
  })

  test.each(['mk_wrong', 'something else', 'st_token', 'rt_token', 'ac_code', 'x'.repeat(600)])(
    'that is wrong (%s) is a 403, and can be entered again [E5.2] [E2.2]',
    async (api_key) => {
      const { browser, page } = await open()
      const wrong = await browser.submit(page, { action: 'key', api_key })
      expect(wrong.status).toBe(403)
      expect(wrong.body).toContain('Invalid API Key or OAuth Token')
      expect(wrong.body).not.toContain(api_key)
      const right = await browser.submit(wrong, { action: 'key', api_key: world.keys.clinic })
      expect(groupsOn(right)).toEqual(['clinic'])
    },
  )

  test('that is wrong is told in Chinese too, with the words of the protocol', async () => {
    const { browser, page } = await open({}, { language: 'zh' })
    const wrong = await browser.submit(page, { action: 'key', api_key: 'mk_wrong' })
    expect(wrong.body).toContain('API 密钥或 OAuth 令牌无效（Invalid API Key or OAuth Token）')
  })

  test('that has expired, was revoked, or is of a group that is off, is wrong [E2.4]', async () => {
    const { now } = world.clock
    for (const [off, on] of [
      [{ key_expires_at: now() - 1 }, { key_expires_at: null }],
      [{ key_revoked_at: now() }, { key_revoked_at: null }],
      [{ enabled: 0 }, { enabled: 1 }],
    ]) {
      const { browser, page } = await open()
      await world.change('sales', off!)
      const wrong = await browser.submit(page, { action: 'key', api_key: world.keys.sales })
      await world.change('sales', on!)
      expect([off, wrong.status]).toEqual([off, 403])
      expect(wrong.body).toContain('Invalid API Key or OAuth Token')
      const right = await browser.submit(wrong, { action: 'key', api_key: world.keys.sales })
      expect(groupsOn(right)).toEqual(['sales'])
    }
  })

  test('that is revoked after it was entered allows nothing', async () => {
    const { browser, page } = await open()
    const chosen = await browser.submit(page, { action: 'key', api_key: world.keys.sales })
    await world.change('sales', { key_revoked_at: world.clock.now() })
    const answer = await browser.submit(chosen, { action: 'allow', group_id: 'sales' })
    await world.change('sales', { key_revoked_at: null })
    expect(answer.status).toBe(403)
    expect(answer.headers).not.toHaveProperty('location')
  })

  test('of another group than the address asks for is told apart', async () => {
    const { browser, page } = await open({ resource: `${publicUrl}/mcp/g/sales` })
    const wrong = await browser.submit(page, { action: 'key', api_key: world.keys.clinic })
    expect(wrong.status).toBe(403)
    expect(wrong.body).toContain('another tool group')
  })

  test.each([
    ['en', 'This API key is bound to tools of its own', 'Enter the key of a tool group'],
    ['zh', '该 API 密钥已限定工具', '请输入工具组的密钥'],
  ])(
    'that has an allow-list of its own opens no group, and it says why (%s) [A2.1]',
    async (language, why, what) => {
      const { browser, page } = await open({}, { language })
      const offered = await browser.submit(page, { action: 'key', api_key: userKey })
      world.boundKeys.add('key-of-ana')
      const allowed = await browser.submit(offered, { action: 'allow', group_id: 'clinic' })
      const { browser: another, page: begun } = await open({}, { language })
      const bound = await another.submit(begun, { action: 'key', api_key: userKey })
      world.boundKeys.clear()
      expect(allowed.headers).not.toHaveProperty('location')
      expect(groupsOn(bound)).toEqual([])
      expect(bound.body).toContain(why)
      expect(bound.body).toContain(what)
      expect(bound.body).toContain('value="other_key"')
    },
  )

  test('that is not there is asked for', async () => {
    const { browser, page } = await open()
    const answer = await browser.submit(page, { action: 'key', api_key: ' ' })
    expect(answer.status).toBe(400)
    expect(answer.body).toContain('Enter an API key.')
  })

  test('is tried ten times a minute from one address, then waits [E5.2] [T25]', async () => {
    const { browser, page } = await open()
    const statuses: number[] = []
    for (let at = 0; at < 12; at += 1) {
      const answer = await browser.submit(page, { action: 'key', api_key: `mk_${at}` })
      statuses.push(answer.status)
    }
    expect(statuses).toEqual([...Array(10).fill(403), 429, 429])
    const limited = await browser.submit(page, { action: 'key', api_key: world.keys.clinic })
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0)
    expect(limited.body).toContain('Too many tries')
    await world.clock.advanceAsync(61_000)
    const right = await browser.submit(limited, { action: 'key', api_key: world.keys.clinic })
    expect(groupsOn(right)).toEqual(['clinic'])
  })

  test('is tried 20 times on one page, from however many addresses [T25]', async () => {
    const { browser, page } = await open()
    const statuses: number[] = []
    for (let at = 0; at < 22; at += 1) {
      const fields = { action: 'key', api_key: `mk_${at}` }
      statuses.push((await browser.submit(page, fields, { ip: `198.19.0.${at}` })).status)
    }
    expect(statuses.filter((status) => status === 403)).toHaveLength(20)
  })
})

describe('a request', () => {
  test('is answered once: the back button and a second click meet a clear page', async () => {
    const { browser, page } = await open({}, { cookies: { 'sign-in': 'ana' } })
    const fields = { action: 'allow', group_id: 'clinic' }
    const answers = await Promise.all(Array.from({ length: 8 }, () => browser.submit(page, fields)))
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1)
    const later = await browser.submit(page, { action: 'deny' })
    expect(later.status).toBe(410)
    expect(later.body).toContain('This request has ended')
  })

  test('ends after ten minutes', async () => {
    const { browser, page } = await open({}, { cookies: { 'sign-in': 'ana' } })
    await world.clock.advanceAsync(600_001)
    const answer = await browser.submit(page, { action: 'allow', group_id: 'clinic' })
    expect(answer.status).toBe(410)
  })

  test('that began at one process goes on at another', async () => {
    const { browser, page } = await open()
    const elsewhere = createBrowser(world.other, { cookies: Object.fromEntries(browser.cookies) })
    const chosen = await elsewhere.submit(page, { action: 'key', api_key: world.keys.clinic })
    const answer = await browser.submit(chosen, { action: 'allow', group_id: 'clinic' })
    expect(answerIn(answer).code).toMatch(/^ac_/)
  })

  test('is begun 60 times a minute from one address, then waits', async () => {
    const browser = createBrowser(world.server, { ip: '198.51.100.250' })
    const path = authorizePath({ client_id })
    for (let at = 0; at < 60; at += 1) expect((await browser.open(path)).status).toBe(200)
    const limited = await browser.open(path)
    expect(limited.status).toBe(429)
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0)
  })
})
