import { lastUserText, toolRounds, waitFor } from '@dataagent/testkit'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startBrowser } from '../testing/test-browser.ts'
import { startTestMcpServer } from '../testing/test-mcp-server.ts'
import { openPage } from '../testing/test-page.ts'
import { startSite, type TestSite } from '../testing/test-site.ts'

const browser = await startBrowser()

const cancel = {
  ...{ name: 'cancel', description: 'Cancels an order.' },
  inputSchema: { type: 'object', properties: {} },
  annotations: { destructiveHint: true },
  run: () => ({ cancelled: true }),
}

describe.skipIf(!browser)('the list of chats', () => {
  const chromium = browser as Browser
  const cleanup = new AsyncDisposableStack()
  let site: TestSite
  beforeAll(async () => {
    const shop = cleanup.use(await startTestMcpServer([cancel]))
    site = cleanup.use(
      await startSite({
        script(request) {
          const text = lastUserText(request)
          if (text === 'work on') return { text: 'word '.repeat(4_000), itl: 50 }
          if (text === 'fail') return { error: 400, message: 'no' }
          const isCall = text === 'cancel' && toolRounds(request) === 0
          if (isCall) return { toolCalls: [{ name: 'shop--cancel', arguments: {} }] }
          return { text: `You said: ${text}` }
        },
      }),
    )
    const ada = site.clientOf('ada')
    await ada.servers.create({ config: { name: 'shop', url: shop.url } })
    await waitFor(async () => (await ada.tools.list({ q: 'cancel' })).total > 0, {
      ...{ timeoutMs: 20_000, what: 'the tool of the shop' },
    })
  }, 60_000)
  afterAll(async () => {
    await cleanup.disposeAsync()
    await chromium.close()
  })

  async function say(page: Page, text: string): Promise<void> {
    await page.goto(`${site.url}/c`)
    await page.getByRole('combobox').fill(text)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/c\/.+/)
  }

  test('says of each what it is doing, and nothing of one that has finished', async () => {
    await using shown = await openPage(chromium, site)
    const { page } = shown
    await say(page, 'hello')
    await page.getByText('You said: hello').waitFor()
    await say(page, 'cancel')
    await page.getByRole('region', { name: /^Allow .*cancel/ }).waitFor()
    await say(page, 'fail')
    await page.getByRole('alert').waitFor()
    await say(page, 'work on')
    await page.getByText('word word word').waitFor()
    const links = page.getByRole('navigation', { name: 'Chats' }).getByRole('listitem')
    const states = async () => (await links.getByRole('link').allTextContents()).toSorted()
    await expect
      .poll(states)
      .toEqual(['Failedfail', 'Waiting for youcancel', 'Workingwork on', 'hello'])
    await page.getByRole('button', { name: 'Stop' }).click()
    await expect.poll(states).toContain('work on')
    expect(shown.problems).toEqual([])
  })

  test('on a phone lies above the chat, and leaves it once one is chosen', async () => {
    await using shown = await openPage(chromium, site, {
      ...{ as: 'ben', viewport: { width: 360, height: 740 } },
    })
    const { page } = shown
    const toggle = page.getByRole('button', { name: 'List of chats' })
    const list = page.getByRole('navigation', { name: 'Chats' })
    const box = page.getByRole('combobox')
    await say(page, 'first')
    await page.getByText('You said: first').waitFor()
    await say(page, 'second')
    await page.getByText('You said: second').waitFor()
    await toggle.click()
    await list.getByRole('link', { name: 'first' }).click()
    await list.waitFor({ state: 'detached' })
    await page.getByText('You said: first').waitFor()
    await box.click()
    await box.fill('third')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('You said: third').waitFor()

    await toggle.click()
    await list.getByRole('link', { name: 'New chat' }).click()
    await list.waitFor({ state: 'detached' })
    await toggle.click()
    await list.waitFor()
    await toggle.click()
    await list.waitFor({ state: 'detached' })

    await toggle.click()
    await list.waitFor()
    await page.reload()
    await box.click()
    expect(await list.count()).toBe(0)
    expect(shown.problems).toEqual([])
  })
})
