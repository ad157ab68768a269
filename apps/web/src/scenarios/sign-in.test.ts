import { lastUserText, type Reply } from '@dataagent/testkit'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startBrowser } from '../testing/test-browser.ts'
import { openPage } from '../testing/test-page.ts'
import { keyOf, type Person, startSite, type TestSite } from '../testing/test-site.ts'

const browser = await startBrowser()

const answers: Record<string, Reply> = { slow: { text: 'word '.repeat(4_000), itl: 50 } }

async function say(page: Page, text: string): Promise<void> {
  await page.getByRole('combobox').fill(text)
  await page.keyboard.press('Enter')
}

describe.skipIf(!browser)('signing in', () => {
  const chromium = browser as Browser
  let site: TestSite
  beforeAll(async () => {
    site = await startSite({
      script: (request) => answers[lastUserText(request)] ?? { text: 'Hi.' },
    })
  })
  afterAll(async () => {
    await site[Symbol.asyncDispose]()
    await chromium.close()
  })

  test('by the link that the first start prints, whose key leaves the address', async () => {
    await using shown = await openPage(chromium, site, { path: `/#key=${keyOf('ana')}` })
    await shown.page.getByRole('link', { name: 'Chat', exact: true }).waitFor()
    expect(shown.page.url()).toBe(`${site.url}/c`)
    expect(shown.problems).toEqual([])
  })

  test('by a link that is opened while the server starts, as soon as it can', async () => {
    await using shown = await openPage(chromium, site, { path: '/api/v1/health' })
    const { page } = shown
    await page.context().clearCookies()
    const body = JSON.stringify({ error_code: 'store_unavailable', message: 'starting' })
    const starting = { status: 503, contentType: 'application/json', body }
    // More often than the client tries by itself.
    await page.route('**/api/v1/sign-in', (route) => route.fulfill(starting), { times: 6 })
    await page.goto(`${site.url}/#key=${keyOf('ana')}`)
    await page.getByText('The server is starting').waitFor()
    await page.getByRole('link', { name: 'Chat', exact: true }).waitFor()
    expect(shown.problems).toEqual([])
  })

  test('by a link that the server refuses, which is said; the next one opens', async () => {
    await using shown = await openPage(chromium, site, { path: '/api/v1/health' })
    const { page } = shown
    await page.context().clearCookies()
    const body = JSON.stringify({ error_code: 'forbidden', message: 'no such host here' })
    const refused = { status: 403, contentType: 'application/json', body }
    await page.route('**/api/v1/sign-in', (route) => route.fulfill(refused), { times: 1 })
    await page.goto(`${site.url}/#key=${keyOf('ana')}`)
    await page.getByRole('alert').filter({ hasText: 'no such host here' }).waitFor()
    await page.evaluate((key) => location.assign(`#key=${key}`), keyOf('ana'))
    await page.getByRole('link', { name: 'Chat', exact: true }).waitFor()
    expect(shown.problems).toEqual([])
  })

  test('names the command for a lost key that there is where the server is installed', async () => {
    await using shown = await openPage(chromium, site, { path: '/api/v1/health' })
    const { page } = shown
    await page.context().clearCookies()
    await page.goto(site.url)
    await page.getByText('npm start -- --new-admin-key', { exact: true }).waitFor()
    const commands = { server: 'dataagent serve', terminal: 'dataagent' }
    const json = { api_key: true, oidc: { name: 'Us' }, commands }
    await page.route('**/api/v1/sign-in/methods', (route) => route.fulfill({ json }))
    await page.reload()
    await page.getByText('dataagent serve --new-admin-key', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Sign in with Us' }).waitFor()
  })

  test('not by a link of somebody else, unasked; one may stay, or become them', async () => {
    const path = `/files#key=${keyOf('ben')}`
    await using shown = await openPage(chromium, site, { as: 'ana', path })
    const { page } = shown
    const asked = page.getByRole('dialog', { name: 'Sign in as default/ben?' })
    const account = (name: string) => page.getByRole('button', { name: `Account of ${name}` })
    await asked.getByText('You are signed in as default/ana.').waitFor()
    expect(page.url()).toBe(`${site.url}/files`)
    const isAna = async () =>
      (await (await page.request.get(`${site.url}/api/v1/me`)).json()).user_id === 'ana'
    expect(await isAna()).toBe(true)
    await asked.getByRole('button', { name: 'Cancel' }).click()
    await account('ana').waitFor()
    expect(await isAna()).toBe(true)

    await page.evaluate((key) => location.assign(`#key=${key}`), keyOf('ana'))
    await page.waitForURL(`${site.url}/files`)
    await page.evaluate((key) => location.assign(`#key=${key}`), keyOf('ben'))
    await asked.getByRole('button', { name: 'Sign in as default/ben' }).click()
    await account('ben').waitFor()
    await asked.waitFor({ state: 'detached' })
    expect(await isAna()).toBe(false)
    expect(shown.problems).toEqual([])
  })

  test('again after it has ended, with what was written; nobody else sees it', async () => {
    await using shown = await openPage(chromium, site, { as: 'ana' })
    const { page } = shown
    const box = page.getByRole('combobox')
    const signIn = async (person: Person) => {
      await page.getByLabel('API key').fill(keyOf(person))
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('button', { name: `Account of ${person}` }).waitFor()
    }
    const kept = () => page.evaluate(() => JSON.stringify(sessionStorage))
    await say(page, 'slow')
    await page.getByText('word word word').waitFor()
    await say(page, 'queued')
    await box.fill('half a thought')
    const path = new URL(page.url()).pathname

    await page.context().clearCookies()
    await page.getByText('Your session has ended').waitFor()
    await signIn('ana')
    await expect.poll(() => box.inputValue()).toBe('half a thought\n\nqueued')

    await page.context().clearCookies()
    await page.getByText('Your session has ended').waitFor()
    await page.reload()
    expect(await kept()).toContain('half a thought')
    await signIn('ben')
    expect(await kept()).not.toContain('half a thought')
    await page.goto(`${site.url}${path}`)
    await page.getByText('There is no such chat, or it is not yours.').waitFor()
    expect(await box.inputValue()).toBe('')

    await box.fill('mine')
    await page.getByRole('button', { name: 'Account of ben' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByLabel('API key').waitFor()
    expect(await kept()).not.toContain('mine')
    expect(shown.problems).toEqual([])
  })

  test('out of one tab is out of all, which keep nothing of what was written', async () => {
    await using shown = await openPage(chromium, site, { as: 'ana' })
    const { page } = shown
    const [asking, ended] = [await page.context().newPage(), await page.context().newPage()]
    await ended.goto(site.url)
    await ended.getByRole('combobox').fill('mine')
    await page.context().clearCookies()
    await ended.getByRole('link', { name: 'Files' }).first().click()
    await ended.getByText('Your session has ended').waitFor()
    await page.reload()
    await page.getByLabel('API key').fill(keyOf('ana'))
    await page.getByRole('button', { name: 'Sign in' }).click()
    await asking.goto(site.url)
    await say(asking, 'slow')
    await asking.getByText('word word word').waitFor()
    await say(asking, 'queued')
    await asking.getByRole('combobox').fill('mine')

    await page.getByRole('button', { name: 'Account of ana' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await asking.getByLabel('API key').waitFor()
    for (const tab of [page, asking, ended]) {
      const kept = () => tab.evaluate(() => JSON.stringify(sessionStorage))
      await expect.poll(kept).not.toMatch(/mine|queued/)
    }
    expect(shown.problems).toEqual([])
  })

  test('by a link without a key, which changes nothing', async () => {
    await using shown = await openPage(chromium, site, { path: '/#key=' })
    const { page } = shown
    const chat = page.getByRole('link', { name: 'Chat', exact: true })
    await chat.waitFor()
    await page.evaluate(() => location.assign('#key='))
    await page.waitForURL(`${site.url}/c`)
    expect(await chat.isVisible()).toBe(true)
  })
})
