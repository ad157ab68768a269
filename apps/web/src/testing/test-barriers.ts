import AxeBuilder from '@axe-core/playwright'
import type { Page } from 'playwright-core'

/** What keeps people from using a part of a page: faults of access, and what is too wide. */
export async function barriersOf(page: Page, part = '#content'): Promise<unknown[]> {
  // Our pages hold no frames, for which it would open a page of its own each time.
  const axe = new AxeBuilder({ page }).options(faultsOnly).setLegacyMode().include(part)
  const { violations } = await axe.withTags(['wcag2a', 'wcag2aa']).analyze()
  const over = await page
    .locator(part)
    .first()
    .evaluate((element) => element.scrollWidth - element.clientWidth)
  return [
    ...violations.map(({ id, nodes }) => [id, nodes[0]?.html]),
    ...(over > 0 ? [['too wide', over]] : []),
  ]
}

const faultsOnly = { resultTypes: ['violations' as const], selectors: false }
