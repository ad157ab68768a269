import { lastUserText, type Reply, toolRounds } from '@dataagent/testkit'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startBrowser } from '../testing/test-browser.ts'
import { fillLog, turnEvents } from '../testing/test-log.ts'
import { openPage } from '../testing/test-page.ts'
import { startSite, type TestSite } from '../testing/test-site.ts'

const browser = await startBrowser()

const turnCount = 80

const plan = (...todos: [content: string, status: string][]) => ({
  ...{ name: 'write_todos' },
  arguments: { todos: todos.map(([content, status]) => ({ content, status })) },
})
const path = 'notes.md'

/** Two steps are called the same, and change their places. */
const begun: Reply = {
  toolCalls: [
    plan(['Check it', 'pending'], ['Write it', 'in_progress'], ['Check it', 'pending']),
    { name: 'write_file', arguments: { path, content: 'one\ntwo\n' } },
  ],
}
const finished: Reply = {
  toolCalls: [
    { name: 'edit_file', arguments: { path, old_string: 'two', new_string: 'three' } },
    plan(['Write it', 'completed'], ['Check it', 'in_progress'], ['Check it', 'pending']),
  ],
}

async function say(page: Page, text: string): Promise<void> {
  await page.getByRole('combobox').fill(text)
  await page.keyboard.press('Enter')
}

describe.skipIf(!browser)('the panel beside a chat', () => {
  const chromium = browser as Browser
  let site: TestSite
  let orders: string
  beforeAll(async () => {
    site = await startSite({
      script(request) {
        const text = lastUserText(request)
        if (toolRounds(request) > 0) return { text: `Done: ${text}` }
        return text === 'begin' ? begun : finished
      },
    })
    const { session_id } = await site.clientOf('ana').sessions.create({ title: 'Orders' })
    await fillLog(
      site,
      session_id,
      Array.from({ length: turnCount }, (_, i) => turnEvents(i)).flat(),
    )
    orders = `/c/${session_id}`
  })
  afterAll(async () => {
    await site[Symbol.asyncDispose]()
    await chromium.close()
  })

  test('lists the tables of the session, newest first, and a click shows the call', async () => {
    await using shown = await openPage(chromium, site, { path: orders })
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

  test('shows the plan as it changes, what was changed in files, and every step', async () => {
    await using shown = await openPage(chromium, site)
    const { page } = shown
    await say(page, 'begin')
    await page.getByText('Done: begin').waitFor()
    await page.getByRole('button', { name: 'Plan, results, files and trace' }).click()
    const panel = page.getByRole('tabpanel')
    const items = () => panel.getByRole('listitem').allTextContents()
    await expect.poll(items).toEqual(['Check it to do', 'Write it under way', 'Check it to do'])
    await say(page, 'finish')
    await page.getByText('Done: finish').waitFor()
    await expect.poll(items).toEqual(['Write it done', 'Check it under way', 'Check it to do'])

    await page.getByRole('tab', { name: 'Files' }).click()
    const edit = panel.getByRole('figure').filter({ hasText: '+three' })
    await edit.getByText('-two', { exact: true }).waitFor()
    expect(await edit.textContent()).toContain('notes.md')
    expect(await panel.getByRole('figure').count()).toBe(2)

    await page.getByRole('tab', { name: 'Trace' }).click()
    const turn = panel.locator('ol > li').filter({ hasText: 'finish' })
    expect(await turn.getByRole('listitem').allTextContents()).toEqual([
      ...[expect.stringMatching(/^edit_file.*\d/), expect.stringMatching(/^write_todos.*\d/)],
      'answer',
    ])
    expect(shown.problems).toEqual([])
  })

  test('has the steps of older turns once they are asked for', async () => {
    await using shown = await openPage(chromium, site, { path: orders })
    const { page } = shown
    await page.getByRole('button', { name: 'Plan, results, files and trace' }).click()
    await page.getByRole('tab', { name: 'Trace' }).click()
    const turns = page.getByRole('tabpanel').locator('ol > li')
    await expect.poll(() => turns.count()).toBe(50)
    const older = page.getByRole('button', { name: 'Show older turns' })
    await older.click()
    await expect.poll(() => turns.count()).toBe(turnCount)
    expect(await turns.first().textContent()).toContain('Where is order 0?')
    expect(await older.count()).toBe(0)
  })

  test('on a phone covers the chat, and makes way for the call that is wanted', async () => {
    await using shown = await openPage(chromium, site, {
      path: orders,
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
