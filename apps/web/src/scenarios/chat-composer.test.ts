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
/** More than one page of the API holds. */
const many = Array.from({ length: 230 }, (_, i) => ({
  ...{ name: `step_${i}`, description: 'One of many.' },
  inputSchema: { type: 'object', properties: {} },
  run: () => 'ok',
}))
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
    const mill = cleanup.use(await startTestMcpServer(many))
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
    await ada.servers.create({ config: { name: 'mill', url: mill.url } })
    await waitFor(async () => (await ada.tools.list({ q: 'cancel' })).total > 0, {
      ...{ timeoutMs: 20_000, what: 'the tool of the shop' },
    })
    await waitFor(async () => (await ada.tools.list({ q: 'mill.step' })).total === many.length, {
      ...{ timeoutMs: 20_000, what: 'the tools of the mill' },
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
    expect(await files.getAttribute('aria-selected')).toBe('true')
    await page.keyboard.press('ArrowDown')
    expect(await files.getAttribute('aria-selected')).toBe('false')
    await page.keyboard.press('ArrowUp')
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

  test('an @ finds each of very many tools', async () => {
    await using shown = await openPage(chromium, site)
    const { page } = shown
    for (const name of ['step_7', 'step_99', 'step_229']) {
      await boxOf(page).fill('')
      await boxOf(page).pressSequentially(`@${name}`)
      await optionsOf(page)
        .filter({ hasText: `@mill.${name}` })
        .first()
        .waitFor()
    }
    expect(shown.problems).toEqual([])
  })

  test('what is said while a chat is being made goes to it, in order', async () => {
    await using shown = await openPage(chromium, site)
    const { page } = shown
    let go = () => {}
    const asked = new Promise<void>((resolve) => (go = resolve))
    let made = 0
    await page.route('**/api/v1/sessions', async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      made += 1
      await asked
      await route.continue()
    })
    for (const text of ['one', 'two', 'three']) await say(page, text)
    const queue = page.getByRole('list', { name: 'Queued' }).getByRole('listitem')
    await expect.poll(() => queue.count()).toBe(2)
    await queue.filter({ hasText: 'two' }).getByRole('button').last().click()
    await boxOf(page).fill('and half a thought')
    go()
    await page.getByText('You said: three').waitFor()
    const said = await page.getByText(/^You said: /).allTextContents()
    expect(said).toEqual(['You said: one', 'You said: three'])
    expect(await boxOf(page).inputValue()).toBe('and half a thought')
    expect(made).toBe(1)
    expect(shown.problems).toEqual([])
  })

  test('what is said before a chat is made and stopped is in the box again, all of it', async () => {
    await using shown = await openPage(chromium, site)
    const { page } = shown
    await page.route('**/api/v1/sessions', (route) =>
      route.request().method() === 'POST' ? undefined : route.continue(),
    )
    for (const text of ['one', 'two']) await say(page, text)
    await page.getByRole('button', { name: 'Stop' }).click()
    await expect.poll(() => boxOf(page).inputValue()).toBe('one\n\ntwo')
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.keyboard.press('Enter')
    await page.getByText('You said: one').waitFor()
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
