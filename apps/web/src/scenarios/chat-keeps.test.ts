import { lastUserText } from '@dataagent/testkit'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startBrowser } from '../testing/test-browser.ts'
import { openPage } from '../testing/test-page.ts'
import { keyOf, startSite, type TestSite } from '../testing/test-site.ts'

const browser = await startBrowser()

const slow = { text: 'word '.repeat(400), itl: 50 }

async function say(page: Page, text: string): Promise<void> {
  await page.getByRole('combobox').fill(text)
  await page.keyboard.press('Enter')
}

const boxOf = (page: Page) => page.getByRole('combobox')

describe.skipIf(!browser)('the chat keeps', () => {
  const chromium = browser as Browser
  let site: TestSite
  beforeAll(async () => {
    site = await startSite({
      env: { DATAAGENT_WS_MAX_SOCKETS_PER_USER: '1' },
      script(request) {
        const text = lastUserText(request)
        if (text.startsWith('fail')) return { error: 400, message: 'no such thing' }
        return text.startsWith('slow') ? slow : { text: `You said: ${text}` }
      },
    })
  })
  afterAll(async () => {
    await site[Symbol.asyncDispose]()
    await chromium.close()
  })

  test('what is being written, by chat, while other pages are shown', async () => {
    await using shown = await openPage(chromium, site, { as: 'ana' })
    const { page } = shown
    await say(page, 'hello')
    await page.getByText('You said: hello').waitFor()
    await boxOf(page).fill('half a thought')
    await page.getByRole('link', { name: 'Files' }).first().click()
    await page.getByRole('heading', { name: 'Files' }).first().waitFor()
    await page.goBack()
    await page.getByText('You said: hello').waitFor()
    expect(await boxOf(page).inputValue()).toBe('half a thought')
    await page.getByRole('button', { name: 'Edit question' }).click()
    expect(await boxOf(page).inputValue()).toBe('half a thought\n\nhello')
    await page.getByRole('button', { name: 'Edit question' }).click()
    expect(await boxOf(page).inputValue()).toBe('half a thought\n\nhello')
    await boxOf(page).fill('')
    expect(shown.problems).toEqual([])
  })

  test('what is queued: another message is not overwritten by it, and who leaves is asked', async () => {
    await using shown = await openPage(chromium, site, { as: 'ben' })
    const { page } = shown
    await say(page, 'slow')
    await page.getByText('word word word').waitFor()
    await say(page, 'later')
    const asked = page.waitForEvent('dialog')
    await page.evaluate(() => setTimeout(() => location.reload()))
    const dialog = await asked
    expect(dialog.type()).toBe('beforeunload')
    await dialog.dismiss()
    await boxOf(page).fill('mine')
    await page.getByTitle('Edit the queued message').click()
    expect(await boxOf(page).inputValue()).toBe('mine\n\nlater')
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByText('Stopped', { exact: true }).waitFor()
  })

  test('what is said while a chat is being made: who leaves is asked, whose sign-in ends finds it', async () => {
    await using shown = await openPage(chromium, site, { as: 'ana' })
    const { page } = shown
    await page.route('**/api/v1/sessions', (route) =>
      route.request().method() === 'POST' ? undefined : route.continue(),
    )
    for (const text of ['one', 'two']) await say(page, text)
    await page.getByRole('list', { name: 'Queued' }).getByText('two').waitFor()
    const asked = page.waitForEvent('dialog')
    await page.evaluate(() => setTimeout(() => location.reload()))
    const dialog = await asked
    expect(dialog.type()).toBe('beforeunload')
    await dialog.dismiss()

    await page.context().clearCookies()
    await page.getByRole('link', { name: 'Files' }).first().click()
    await page.getByText('Your session has ended').waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.getByLabel('API key').fill(keyOf('ana'))
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('link', { name: 'Chat', exact: true }).click()
    await expect.poll(() => boxOf(page).inputValue()).toBe('one\n\ntwo')
    expect(shown.problems).toEqual([])
  })

  test('the reason of a turn that failed in the language of the page', async () => {
    await using shown = await openPage(chromium, site, { as: 'ada', lang: 'zh' })
    const { page } = shown
    await say(page, 'fail')
    const failed = page.getByRole('alert')
    await failed.getByText(/^对方服务出错|^填写的内容不符合要求/).waitFor()
    await failed.getByText(/^原文：/).waitFor()
  })

  test('trying where a person has too many chats open, and says so', async () => {
    await using first = await openPage(chromium, site, { as: 'olga' })
    await say(first.page, 'hello')
    await first.page.getByText('You said: hello').waitFor()
    const path = new URL(first.page.url()).pathname
    await using second = await openPage(chromium, site, { as: 'olga', path })
    const told = second.page.getByText('You have as many chats open as one person may (1).')
    await told.waitFor()
    await first.page.close()
    await second.page.getByText('You said: hello').waitFor()
    await told.waitFor({ state: 'detached' })
    expect(second.problems).toEqual([])
  })
})
