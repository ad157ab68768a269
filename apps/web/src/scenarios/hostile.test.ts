import { lastUserText, toolRounds } from '@dataagent/testkit'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startBrowser } from '../testing/test-browser.ts'
import { expectHarmless } from '../testing/test-harmless.ts'
import { hostileTexts } from '../testing/test-hostile-texts.ts'
import { openPage } from '../testing/test-page.ts'
import { startSite, type TestSite } from '../testing/test-site.ts'

const browser = await startBrowser()

/** Some at a time: what one opens must not swallow the others. */
const batches = Array.from({ length: Math.ceil(hostileTexts.length / 40) }, (_, i) =>
  hostileTexts.slice(i * 40, (i + 1) * 40),
)

const picture = 'https://evil.example/x.png?read=yes'

async function say(page: Page, text: string): Promise<void> {
  await page.getByRole('combobox').fill(text)
  await page.keyboard.press('Enter')
}

describe.skipIf(!browser)('what is hostile runs no script and sends no request', () => {
  const chromium = browser as Browser
  let site: TestSite
  beforeAll(async () => {
    site = await startSite({
      script(request) {
        if (lastUserText(request) === 'picture') return { text: `![A chart](${picture})` }
        const [, kind, at] = /^(model|tool) (\d+)$/.exec(lastUserText(request)) ?? []
        if (kind === 'model') return { text: `${batches[Number(at)]?.join('\n\n')}\n\nThe end.` }
        if (kind === 'tool' && toolRounds(request) === 0) {
          const reads = { name: 'read_file', arguments: { path: `${at}.txt` } }
          return { toolCalls: [reads] }
        }
        return { text: 'The end.' }
      },
    })
    const { files } = site.clientOf('ana')
    for (const [at, texts] of batches.entries()) await files.write(`${at}.txt`, texts.join('\n\n'))
  })
  afterAll(async () => {
    await site[Symbol.asyncDispose]()
    await chromium.close()
  })

  test('the corpus has at least 200 texts', () => {
    expect(new Set(hostileTexts).size).toBeGreaterThanOrEqual(200)
  })

  test.each(['model', 'tool'])('from a %s [T57]', { timeout: 120_000 }, async (kind) => {
    await using shown = await openPage(chromium, site)
    const { page } = shown
    for (const at of batches.keys()) {
      await page.getByRole('link', { name: 'New chat' }).first().click()
      await say(page, `${kind} ${at}`)
      await page.getByText('The end.', { exact: true }).waitFor()
      if (kind === 'tool') {
        await page.getByText('read_file', { exact: true }).click()
        await page.getByText('Arguments', { exact: true }).waitFor()
      }
      await expectHarmless(shown)
    }
  })

  test('an image elsewhere is not loaded: what opens it, in a tab of its own, names the host [T57]', async () => {
    await using shown = await openPage(chromium, site)
    const { page, outside } = shown
    const context = page.context()
    await context.route('https://evil.example/**', (route) => route.fulfill({ body: 'it' }))
    await say(page, 'picture')
    const opener = page.getByRole('link', { name: 'A chart' })
    await opener.waitFor()
    expect(await opener.textContent()).toContain('evil.example')
    expect(await page.getByRole('article').getByRole('img').count()).toBe(0)
    await expectHarmless(shown)
    const [tab] = await Promise.all([context.waitForEvent('page'), opener.click()])
    await tab.waitForURL(picture)
    expect(await tab.evaluate('[opener, document.referrer]')).toEqual([null, ''])
    expect(outside).toEqual([])
    expect(shown.problems).toEqual([])
  })
})
