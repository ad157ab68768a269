import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import type { Browser } from 'playwright-core'
import { startBrowser } from '../test-browser.ts'
import { openPage } from '../test-page.ts'
import { type Screen, screensOf } from './test-screens.ts'
import { type Stage, startStage } from './test-stage.ts'
import { toWebp } from './test-webp.ts'

// Takes a picture of every page as people see it: English and light, Chinese and dark.
const folder = new URL('../../../../../docs/screens/', import.meta.url)
const looks = [
  { lang: 'en', theme: 'light' },
  { lang: 'zh', theme: 'dark' },
] as const

const browser = await startBrowser()
if (!browser) throw new Error('Chromium is needed: install the package chromium')
await using stage = await startStage()
await mkdir(folder, { recursive: true })
// Beside them are those of the terminal.
const pictures = (await readdir(folder)).filter((file) => file.endsWith('.webp'))
for (const file of pictures) await rm(new URL(file, folder))
for (const screen of screensOf(stage)) {
  for (const look of looks) await take(browser, stage, screen, look)
}
await browser.close()

async function take(
  browser: Browser,
  stage: Stage,
  screen: Screen,
  look: (typeof looks)[number],
): Promise<void> {
  const viewport = screen.phone ? { width: 390, height: 780 } : { width: 1280, height: 800 }
  await using shown = await openPage(browser, stage.site, { ...screen, ...look, viewport })
  const { page } = shown
  await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: look.theme })
  await page
    .locator(screen.until ?? '#content')
    .first()
    .waitFor()
  await page.waitForLoadState('networkidle')
  await screen.show?.(page)
  await page.locator('.animate-spin').waitFor({ state: 'detached' })
  const name = `${screen.name}.${look.lang}.webp`
  await writeFile(new URL(name, folder), await toWebp(page))
  console.log(name, shown.problems.length === 0 ? '' : shown.problems)
}
