import type { Page } from 'playwright-core'

/** What the page shows, small enough to be kept. */
export async function toWebp(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 55 })
  await session.detach()
  return Buffer.from(data, 'base64')
}
