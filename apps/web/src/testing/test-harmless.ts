import { expect } from 'vitest'
import type { TestPage } from './test-page.ts'

/** Nothing that the page was given has run, asked for anything, or leads out of the web. */
export async function expectHarmless({ page, problems, outside }: TestPage): Promise<void> {
  expect(await page.evaluate('window.hit')).toBeUndefined()
  expect(outside).toEqual([])
  // The content policy would tell of what was tried.
  expect(problems).toEqual([])
  const links = await page
    .locator('main a[href]')
    .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
  expect(links.filter((href) => !/^(https?:|mailto:|\/(c|tools|files)\b|#)/.test(href))).toEqual([])
}
