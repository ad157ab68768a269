import { lastUserText, toolRounds, waitFor } from '@dataagent/testkit'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startBrowser } from '../testing/test-browser.ts'
import { startTestMcpServer, type TestMcpServer } from '../testing/test-mcp-server.ts'
import { openPage } from '../testing/test-page.ts'
import { startSite, type TestSite } from '../testing/test-site.ts'

const browser = await startBrowser()

const cancel = {
  ...{ name: 'cancel', description: 'Cancels an order.' },
  inputSchema: { type: 'object', properties: {} },
  annotations: { destructiveHint: false },
  run: () => ({ cancelled: true }),
}
const slow = { text: 'word '.repeat(400), itl: 50 }

const boxOf = (page: Page) => page.getByRole('combobox')
const optionsOf = (page: Page) => page.getByRole('listbox').getByRole('option')

async function say(page: Page, text: string): Promise<void> {
  await boxOf(page).fill(text)
  await page.keyboard.press('Enter')
}

describe.skipIf(!browser)('where messages are written', () => {
  const chromium = browser as Browser
  const cleanup = new AsyncDisposableStack()
  let site: TestSite
  let shop: TestMcpServer
  beforeAll(async () => {
    shop = cleanup.use(await startTestMcpServer([cancel]))
    site = cleanup.use(
      await startSite({
        script(request) {
          const text = lastUserText(request)
          if (text.startsWith('slow')) return slow
          const isCall = text.startsWith('cancel') && toolRounds(request) === 0
          return isCall
            ? { toolCalls: [{ name: 'shop--cancel', arguments: {} }] }
            : { text: `You said: ${text}` }
        },
      }),
    )
    const ada = site.clientOf('ada')
    await ada.servers.create({
      config: { name: 'shop', url: shop.url, toolApproval: { '*': 'ask' }, trustedOutput: true },
    })
    await waitFor(async () => (await ada.tools.list({ q: 'cancel' })).total > 0, {
      ...{ timeoutMs: 20_000, what: 'the tool of the shop' },
    })
    const { files } = site.clientOf('ana')
    await files.write('my file.csv', 'a,b\n')
    await files.write('my data/sums.csv', 'a,b\n')
  }, 60_000)
  afterAll(async () => {
    await cleanup.disposeAsync()
    await chromium.close()
  })

  test('a slash lists commands; one that is chosen is carried out, not sent', async () => {
    await using shown = await openPage(chromium, site)
    const { page } = shown
    await boxOf(page).pressSequentially('/')
    expect(await optionsOf(page).count()).toBeGreaterThan(5)
    await boxOf(page).pressSequentially('fil')
    const files = optionsOf(page).filter({ hasText: '/files' })
    await expect.poll(() => optionsOf(page).count()).toBe(2)
    await page.keyboard.press('ArrowDown')
    expect(await files.getAttribute('aria-selected')).toBe('true')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/files$/)
    await page.goBack()
    expect(await boxOf(page).inputValue()).toBe('')
    expect(shown.problems).toEqual([])
  })

  test('an @ names files and tools, in quotes where a name has blanks', async () => {
    await using shown = await openPage(chromium, site)
    const { page } = shown
    await boxOf(page).pressSequentially('read @my f')
    expect(await optionsOf(page).count()).toBe(0)
    await boxOf(page).fill('')
    await boxOf(page).pressSequentially('read @file')
    await optionsOf(page).filter({ hasText: '@my file.csv' }).click()
    await expect.poll(() => boxOf(page).inputValue()).toBe('read @"my file.csv" ')
    await boxOf(page).pressSequentially('and @dat')
    await optionsOf(page).filter({ hasText: '@my data/' }).click()
    await optionsOf(page).filter({ hasText: '@my data/sums.csv' }).click()
    const files = 'read @"my file.csv" and @"my data/sums.csv" '
    await expect.poll(() => boxOf(page).inputValue()).toBe(files)
    await boxOf(page).pressSequentially('with @shop')
    await expect.poll(() => optionsOf(page).count()).toBe(1)
    await page.keyboard.press('Tab')
    await expect.poll(() => boxOf(page).inputValue()).toBe(`${files}with @shop.cancel `)
    await page.keyboard.press('Enter')
    await page.getByText('You said: read').waitFor()
    expect(lastUserText(site.model.requests.at(-1)!)).toContain(files.trim())
    expect(shown.problems).toEqual([])
  })

  test('the chip of approvals says whether the chat asks, and changes it', async () => {
    await using shown = await openPage(chromium, site)
    const { page } = shown
    await say(page, 'hello')
    await page.getByText('You said: hello').waitFor()
    await page.getByRole('button', { name: 'Approvals: Asks you' }).click()
    await page.getByRole('menuitem', { name: /Approve by itself/ }).click()
    await page.getByRole('button', { name: 'Approvals: Approves by itself' }).waitFor()
    await say(page, 'cancel one')
    await page.getByText('You said: cancel one').waitFor()
    await page.getByRole('button', { name: 'Approvals: Approves by itself' }).click()
    await page.getByRole('menuitem', { name: /Ask me before/ }).click()
    await page.getByRole('button', { name: 'Approvals: Asks you' }).waitFor()
    await say(page, 'cancel two')
    await page.getByRole('region', { name: /^Allow .*cancel/ }).waitFor()
    expect(shop.calls).toHaveLength(1)
    expect(shown.problems).toEqual([])
  })

  test('what is said with Ctrl Enter stops the turn and comes before what is queued', async () => {
    await using shown = await openPage(chromium, site)
    const { page } = shown
    await say(page, 'slow')
    await page.getByText('word word word').waitFor()
    await say(page, 'queued')
    await boxOf(page).fill('rather this')
    await page.keyboard.press('Control+Enter')
    await page.getByText('You said: queued').waitFor()
    await page.getByText('Stopped', { exact: true }).waitFor()
    const said = await page.getByText(/^You said: /).allTextContents()
    expect(said).toEqual(['You said: rather this', 'You said: queued'])
    expect(shown.problems).toEqual([])
  })

  test('a question mark opens the keys, but not above another dialog', async () => {
    await using shown = await openPage(chromium, site)
    const { page } = shown
    await boxOf(page).waitFor()
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    await page.keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Keys and help' })
    await help.waitFor()
    await page.keyboard.press('Escape')
    await help.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'ana' }).click()
    await page.getByRole('menuitem', { name: 'Connected clients' }).click()
    const clients = page.getByRole('dialog', { name: 'Connected clients' })
    await clients.waitFor()
    await page.keyboard.press('?')
    expect(await clients.count()).toBe(1)
    expect(await help.count()).toBe(0)
    expect(shown.problems).toEqual([])
  })
})
