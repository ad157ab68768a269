import { lastUserText, toolRounds } from '@dataagent/testkit'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startBrowser } from '../testing/test-browser.ts'
import { openPage } from '../testing/test-page.ts'
import { startSite, type TestSite } from '../testing/test-site.ts'

const browser = await startBrowser()

const writing = {
  toolCalls: [{ name: 'write_file', arguments: { path: 'a.md', content: '# Hi\n\nyou' } }],
}
const posting = (url: string) => ({
  toolCalls: [{ name: 'http_request', arguments: { method: 'POST', url: `${url}/api/v1/none` } }],
})
const answer = 'I wrote **a.md**.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```sql\nselect 1\n```'
const slow = { text: 'word '.repeat(400), itl: 50 }

async function say(page: Page, text: string): Promise<void> {
  await page.getByRole('combobox').fill(text)
  await page.keyboard.press('Enter')
}

describe.skipIf(!browser)('the chat [D0.1]', () => {
  const chromium = browser as Browser
  let site: TestSite
  beforeAll(async () => {
    site = await startSite({
      script(request) {
        const text = lastUserText(request)
        if (text.startsWith('write')) return toolRounds(request) === 0 ? writing : { text: answer }
        if (text.startsWith('post')) {
          return toolRounds(request) === 0 ? posting(site.url) : { text: 'It was sent.' }
        }
        return text.startsWith('slow') ? slow : { text: `You said: ${text}` }
      },
    })
  })
  afterAll(async () => {
    await site[Symbol.asyncDispose]()
    await chromium.close()
  })

  test('shows the answer and each call with its result, and has both in the history', async () => {
    await using shown = await openPage(chromium, site)
    const { page } = shown
    await say(page, 'write a.md')
    await page.getByText('I wrote a.md.').waitFor()
    await page.getByRole('cell', { name: '2' }).waitFor()
    await page.getByText('write_file').first().click()
    await page.getByText('+# Hi').waitFor()
    await page.getByText('Created a.md').waitFor()
    expect(shown.problems).toEqual([])
    await page.reload()
    await page.getByText('I wrote a.md.').waitFor()
    await page.getByRole('link', { name: 'write a.md' }).waitFor()
  })

  test('takes under 250 kB to open, without what reads Markdown and colours code', async () => {
    await using shown = await openPage(chromium, site)
    const { page } = shown
    await page.getByRole('combobox').waitFor()
    await page.waitForLoadState('networkidle')
    const sent = await page.evaluate(() =>
      performance
        .getEntries()
        .filter((entry) => entry instanceof PerformanceResourceTiming)
        .map(({ name, encodedBodySize }) => [name, encodedBodySize] as const),
    )
    const files = sent.filter(([name]) => /\/(c|[^/]+\.(js|css))?$/.test(name))
    const bytes = files.reduce((sum, [, size]) => sum + size, 0)
    expect(files.filter(([name]) => /highlight|block-/.test(name))).toEqual([])
    expect(bytes).toBeGreaterThan(150_000)
    expect(bytes).toBeLessThan(250_000)
  })

  test('shows an answer as it was written until what reads Markdown comes', async () => {
    await using shown = await openPage(chromium, site)
    const { page } = shown
    await page.route(/\/assets\/block-/, (route) => route.abort())
    await say(page, 'write a.md')
    await page.getByText('I wrote **a.md**.').waitFor()
    await page.unroute(/\/assets\/block-/)
    await page.getByText('I wrote a.md.').waitFor()
    await page.getByRole('cell', { name: '2' }).waitFor()
  })

  test('says that a part of the page is gone from the server, and how to go on', async () => {
    await using shown = await openPage(chromium, site)
    const { page } = shown
    await page.route(/\/assets\/help-/, (route) => route.fulfill({ status: 404 }))
    await page.getByRole('combobox').waitFor()
    await page.getByRole('button', { name: 'ana' }).click()
    await page.getByRole('menuitem', { name: 'Help' }).click()
    const gone = page.getByRole('alert').filter({ hasText: 'This part did not load.' })
    await gone.waitFor()
    await page.unroute(/\/assets\/help-/)
    await gone.getByRole('button', { name: 'Reload the page' }).click()
    await page.getByRole('button', { name: 'ana' }).click()
    await page.getByRole('menuitem', { name: 'Help' }).click()
    await page.getByRole('dialog').waitFor()
  })

  test('asks before what changes something, in the place of the call [D18.1]', async () => {
    await using shown = await openPage(chromium, site, { lang: 'zh', theme: 'dark' })
    const { page } = shown
    await say(page, 'post it')
    await page.getByRole('button', { name: '允许一次' }).click()
    await page.getByText('It was sent.').waitFor()
    await page.getByText(/你 于 .* 允许/).waitFor()
    expect(shown.problems).toEqual([])
  })

  test('takes a no with its reason, on a phone too', async () => {
    await using shown = await openPage(chromium, site, { viewport: { width: 360, height: 740 } })
    const { page } = shown
    await say(page, 'post it')
    await page.getByRole('button', { name: 'Reject', exact: true }).click()
    await page.getByLabel(/Reason/).fill('Not today')
    await page.getByRole('button', { name: 'Reject and stop' }).click()
    await page.getByText(/Rejected by you .*Not today/).waitFor()
    await page.getByText('Stopped', { exact: true }).waitFor()
    const overflow = await page.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    )
    expect(overflow).toBe(0)
    expect(shown.problems).toEqual([])
  })

  test('is stopped by a key, and says so', async () => {
    await using shown = await openPage(chromium, site)
    const { page } = shown
    await say(page, 'slow')
    await page.getByText('word word word').waitFor()
    await page.getByRole('combobox').press('Escape')
    await page.getByText('Stopped', { exact: true }).waitFor({ timeout: 5000 })
  })

  test('queues what is said meanwhile, to be changed or taken back until it is its turn', async () => {
    await using shown = await openPage(chromium, site)
    const { page } = shown
    await say(page, 'slow')
    await page.getByText('word word word').waitFor()
    await say(page, 'second')
    await say(page, 'third')
    const third = page.getByRole('listitem').filter({ hasText: 'third' })
    await third.getByRole('button', { name: 'Remove from the queue' }).click()
    await page.getByText('third').waitFor({ state: 'detached' })
    await page.getByTitle('Edit the queued message').click()
    await page.getByRole('combobox').fill('other')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByText('You said: other').waitFor()
    expect(await page.getByText('third').count()).toBe(0)
  })

  test('goes on where it was after the server was away, with nothing missed', {
    timeout: 90_000,
  }, async () => {
    await using shown = await openPage(chromium, site)
    const { page } = shown
    await say(page, 'hello')
    await page.getByText('You said: hello').waitFor()
    await site.kill()
    await page.getByText('The connection is lost').waitFor()
    await say(page, 'are you back')
    await site.restart()
    // Pauses between attempts grow to fifteen seconds.
    await page.getByText('You said: are you back').waitFor({ timeout: 60_000 })
    expect(await page.getByText('You said: hello').count()).toBe(1)
    await page.getByRole('link', { name: 'Files' }).first().click()
    await page.getByRole('heading', { name: 'Files' }).first().waitFor()
    await page.goBack()
    await page.getByText('You said: are you back').waitFor()
    expect(await page.getByText('Connected again.').count()).toBe(0)
  })

  test('can be renamed, found by its words, copied and deleted', async () => {
    await using shown = await openPage(chromium, site, { as: 'ben' })
    const { page } = shown
    await say(page, 'pelican')
    await page.getByText('You said: pelican').waitFor()
    await page.getByRole('button', { name: /^Menu of/ }).click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await page.getByLabel('Title').fill('Birds')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('link', { name: 'Birds' }).waitFor()
    await page.getByLabel('Search chats').fill('pelican')
    await page.getByRole('button', { name: 'Menu of Birds' }).click()
    await page.getByRole('menuitem', { name: 'Copy into a new chat' }).click()
    await page.getByRole('link', { name: 'Birds (copy)' }).waitFor()
    await page.getByRole('button', { name: 'Menu of Birds', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('link', { name: 'Birds', exact: true }).waitFor({ state: 'detached' })
    expect(shown.problems).toEqual([])
  })
})
