import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startBrowser } from '../testing/test-browser.ts'
import { fillLog, turnEvents } from '../testing/test-log.ts'
import { openPage } from '../testing/test-page.ts'
import { startSite, type TestSite } from '../testing/test-site.ts'

const browser = await startBrowser()

const turnCount = 80

describe.skipIf(!browser)('the panel beside a chat', () => {
  const chromium = browser as Browser
  let site: TestSite
  let path: string
  beforeAll(async () => {
    site = await startSite()
    const { session_id } = await site.clientOf('ana').sessions.create({ title: 'Orders' })
    await fillLog(
      site,
      session_id,
      Array.from({ length: turnCount }, (_, i) => turnEvents(i)).flat(),
    )
    path = `/c/${session_id}`
  })
  afterAll(async () => {
    await site[Symbol.asyncDispose]()
    await chromium.close()
  })

  test('lists the tables of the session, newest first, and a click shows the call', async () => {
    await using shown = await openPage(chromium, site, { path })
    const { page } = shown
    await page.getByRole('button', { name: 'Plan, results, files and trace' }).click()
    await page.getByRole('tab', { name: 'Results' }).click()
    const items = page.getByRole('tabpanel').getByRole('listitem')
    expect(await items.first().textContent()).toContain('8 rows, 3 columns')
    expect(await items.count()).toBe(50)
    await page.getByRole('button', { name: 'Show older results' }).click()
    await expect.poll(() => items.count()).toBe(turnCount)

    await items
      .nth(turnCount - 1 - 3)
      .getByRole('button')
      .click()
    const card = page.locator('details[open]')
    await card.getByRole('tab', { name: 'Table' }).waitFor()
    const turn = page.getByRole('article').filter({ has: card })
    expect(await turn.textContent()).toContain('Where is order 3?')
    await expect.poll(() => isWithin(card.locator('summary').first().boundingBox())).toBe(true)
    await card.getByRole('tab', { name: 'About' }).click()
    await card.getByRole('tabpanel').getByText('built in').waitFor()
    expect(await page.getByRole('button', { name: 'Jump to latest' }).count()).toBe(1)

    // A call that is seen opens where it is.
    await page.getByRole('button', { name: 'Jump to latest' }).click()
    await page.getByText(`That was answer ${turnCount - 1}.`).waitFor()
    await items.first().getByRole('button').click()
    const last = page.getByRole('article').filter({ hasText: `Where is order ${turnCount - 1}?` })
    await last.getByRole('tab', { name: 'Table' }).waitFor()
    expect(shown.problems).toEqual([])
  })

  test('on a phone covers the chat, and makes way for the call that is wanted', async () => {
    await using shown = await openPage(chromium, site, {
      path,
      viewport: { width: 360, height: 740 },
    })
    const { page } = shown
    const toggle = page.getByRole('button', { name: 'Plan, results, files and trace' })
    await toggle.click()
    await page.getByRole('tab', { name: 'Results' }).click()
    await page.getByRole('tabpanel').getByRole('button').nth(1).click()
    const turn = page.getByRole('article').filter({ hasText: `Where is order ${turnCount - 2}?` })
    await turn.getByRole('tab', { name: 'Table' }).waitFor()
    expect(await page.getByRole('tab', { name: 'Results' }).count()).toBe(0)
    await toggle.click()
    await page.getByRole('tab', { name: 'Results' }).waitFor()
    await toggle.click()
    await page.getByRole('tab', { name: 'Results' }).waitFor({ state: 'detached' })
    expect(shown.problems).toEqual([])
  })
})

async function isWithin(box: Promise<{ y: number; height: number } | null>): Promise<boolean> {
  const { y = -1, height = 0 } = (await box) ?? {}
  return y >= 0 && y + height <= 800
}
