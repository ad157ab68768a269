import type { Browser, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startBrowser } from '../testing/test-browser.ts'
import { openPage } from '../testing/test-page.ts'
import { startSite, type TestSite } from '../testing/test-site.ts'

const browser = await startBrowser()

async function say(page: Page, text: string): Promise<void> {
  await page.getByRole('combobox').fill(text)
  await page.keyboard.press('Enter')
}

describe.skipIf(!browser)('what people think of an answer', () => {
  const chromium = browser as Browser
  let site: TestSite
  beforeAll(async () => {
    site = await startSite({ script: () => 'Kyoto.' })
  })
  afterAll(async () => {
    await site[Symbol.asyncDispose]()
    await chromium.close()
  })

  test('is said with a reason, shown again, and read by an administrator', async () => {
    await using shown = await openPage(chromium, site)
    const { page } = shown
    await say(page, 'Where is it?')
    const thumb = (name: string) => page.getByRole('button', { name, exact: true })
    await thumb('Bad answer').click()
    await page.getByLabel(/What was wrong/).fill('It is in Lyon')
    await page.getByRole('button', { name: 'Send feedback' }).click()
    await page.getByText('It is in Lyon').waitFor()
    const held = Promise.withResolvers<Route>()
    await page.route(/\/feedback\?/, (route) => held.resolve(route), { times: 1 })
    await page.reload()
    const route = await held.promise
    await thumb('Bad answer').waitFor()
    expect(await thumb('Bad answer').isDisabled()).toBe(true)
    await route.continue()
    await page.getByText('It is in Lyon').waitFor()
    expect(await thumb('Bad answer').getAttribute('aria-pressed')).toBe('true')

    const { feedback } = await site.clientOf('ada').feedback.list()
    expect(feedback).toMatchObject([{ user_id: 'ana', rating: 'down', reason: 'It is in Lyon' }])
    await thumb('Bad answer').click()
    await page.getByText('It is in Lyon').waitFor({ state: 'detached' })
    expect((await site.clientOf('ada').feedback.list()).total).toBe(0)
    expect(shown.problems).toEqual([])
  })

  test('needs no reason, in either language', async () => {
    await using shown = await openPage(chromium, site, { as: 'ben', lang: 'zh', theme: 'dark' })
    const { page } = shown
    await say(page, 'Where is it?')
    await page.getByRole('button', { name: '回答有帮助', exact: true }).click()
    await page.getByRole('button', { name: '不用了' }).click()
    await page.getByRole('button', { name: '回答有帮助', pressed: true }).waitFor()
    expect((await site.clientOf('ada').feedback.list({ user_id: 'ben' })).feedback).toMatchObject([
      { rating: 'up', reason: null },
    ])
    expect(shown.problems).toEqual([])
  })
})
