import { lastUserText, toolRounds } from '@dataagent/testkit'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { barriersOf } from '../testing/test-barriers.ts'
import { startBrowser } from '../testing/test-browser.ts'
import { fillLog, turnEvents } from '../testing/test-log.ts'
import { type OpenOptions, openPage } from '../testing/test-page.ts'
import { startSite, type TestSite } from '../testing/test-site.ts'

const browser = await startBrowser()

const looks = [
  { lang: 'en', theme: 'light', viewport: { width: 1280, height: 800 } },
  { lang: 'zh', theme: 'dark', viewport: { width: 360, height: 740 } },
] as const satisfies OpenOptions[]
const nameOf = ({ lang, theme, viewport }: (typeof looks)[number]) =>
  `${lang}, ${theme}, ${viewport.width} px`

async function say(page: Page, text: string): Promise<void> {
  await page.getByRole('combobox').fill(text)
  await page.keyboard.press('Enter')
}

describe.skipIf(!browser)('without barriers', () => {
  const chromium = browser as Browser
  let site: TestSite
  let path: string
  beforeAll(async () => {
    site = await startSite({
      script(request) {
        if (!lastUserText(request).startsWith('post') || toolRounds(request) > 0) return 'Done.'
        const args = { method: 'POST', url: `${site.url}/api/v1/none` }
        return { toolCalls: [{ name: 'http_request', arguments: args }] }
      },
    })
    const { session_id } = await site.clientOf('ana').sessions.create({ title: 'Orders' })
    await fillLog(site, session_id, [...turnEvents(1), ...turnEvents(2)])
    path = `/c/${session_id}`
  })
  afterAll(async () => {
    await site[Symbol.asyncDispose]()
    await chromium.close()
  })

  describe.each(looks.map((look) => [nameOf(look), look] as const))('%s', (_, look) => {
    test('a chat that begins', async () => {
      await using shown = await openPage(chromium, site, { ...look, path: '/c' })
      await shown.page.getByRole('combobox').waitFor()
      expect(await barriersOf(shown.page, 'body')).toEqual([])
      expect(shown.problems).toEqual([])
    })

    test('answers, calls and what is thought of them', async () => {
      await using shown = await openPage(chromium, site, { ...look, path })
      const { page } = shown
      const turn = page.getByRole('article').last()
      const bad = look.lang === 'en' ? 'Bad answer' : '回答没有帮助'
      // It can be clicked once the whole chat is there; until then what is opened may move away.
      const thumb = turn.getByRole('button', { name: bad, pressed: false })
      await thumb.and(page.locator(':enabled')).waitFor()
      await turn.getByText('orders', { exact: true }).click()
      await turn.getByRole('tab').first().waitFor()
      await thumb.click()
      await turn.getByRole('textbox').waitFor()
      expect(await barriersOf(page, 'body')).toEqual([])
      await turn.getByRole('button', { name: bad, pressed: true }).click()
      await turn.getByRole('button', { name: bad, pressed: false }).waitFor()
    })

    test('a call that waits for a decision', async () => {
      await using shown = await openPage(chromium, site, { ...look, path: '/c' })
      const { page } = shown
      await say(page, 'post it')
      await page
        .getByRole('button', { name: look.lang === 'en' ? 'Allow once' : '允许一次' })
        .waitFor()
      expect(await barriersOf(page, 'body')).toEqual([])
    })

    test('the panel beside it', async () => {
      await using shown = await openPage(chromium, site, { ...look, path })
      const { page } = shown
      await page.getByRole('article').last().waitFor()
      await page.keyboard.press('Control+.')
      await page.getByRole('tab', { name: look.lang === 'en' ? 'Results' : '结果' }).click()
      await page.getByRole('tabpanel').getByRole('listitem').first().waitFor()
      expect(await barriersOf(page, 'body')).toEqual([])
      expect(shown.problems).toEqual([])
    })

    test('signing in', async () => {
      await using shown = await openPage(chromium, site, look)
      const { page } = shown
      await page.context().clearCookies()
      await page.goto(`${site.url}/sign-in`)
      await page.getByRole('textbox').first().waitFor()
      expect(await barriersOf(page, 'body')).toEqual([])
    })
  })
})
