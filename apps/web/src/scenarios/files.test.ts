import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { barriersOf } from '../testing/test-barriers.ts'
import { startBrowser } from '../testing/test-browser.ts'
import { openPage } from '../testing/test-page.ts'
import { startSite, type TestSite } from '../testing/test-site.ts'

const browser = await startBrowser()

/** One red dot. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==',
  'base64',
)

describe.skipIf(!browser)('the files', () => {
  const chromium = browser as Browser
  let site: TestSite
  beforeAll(async () => {
    site = await startSite()
  })
  afterAll(async () => {
    await site[Symbol.asyncDispose]()
    await chromium.close()
  })

  const choose = (page: Page, files: { name: string; content: string | Buffer }[]) =>
    page
      .locator('input[type=file]')
      .first()
      .setInputFiles(
        files.map(({ name, content }) => {
          return { name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) }
        }),
      )

  const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

  test('are uploaded, shown, downloaded and deleted', async () => {
    await using shown = await openPage(chromium, site, { path: '/files' })
    const { page } = shown
    await page.getByRole('link', { name: 'folder uploads' }).click()
    await page.getByRole('heading', { name: 'This folder is empty' }).waitFor()
    await choose(page, [
      { name: 'orders.csv', content: 'order;price\n"o;1";2.5\no-2;10\n' },
      { name: 'dot.png', content: png },
      { name: 'notes.md', content: '# Notes\n\n<script>alert(1)</script>\n\nBuy **milk**.' },
      { name: 'query.sql', content: 'select 1' },
      { name: 'data.bin', content: Buffer.from([0, 1, 2]) },
    ])
    await page.getByText('5 of 5 uploaded').waitFor()
    await rowOf(page, 'dot.png').getByText('70 B').waitFor()

    const dialog = page.getByRole('dialog')
    const show = async (name: string) => {
      await page.getByRole('button', { name: `file ${name}` }).click()
      await dialog.getByRole('heading', { name }).waitFor()
    }
    await show('orders.csv')
    await dialog.getByRole('cell', { name: 'o;1' }).waitFor()
    await dialog.getByText('2 of 2 rows').waitFor()
    expect(await barriersOf(page, 'dialog')).toEqual([])
    expect(page.url()).toContain('open=uploads%2Forders.csv')
    await page.keyboard.press('Escape')
    await show('dot.png')
    const image = dialog.getByRole('img', { name: 'Image dot.png' })
    await image.waitFor()
    expect(await image.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBe(1)
    await page.keyboard.press('Escape')
    await show('notes.md')
    await dialog.getByText('Buy milk.').waitFor()
    await page.keyboard.press('Escape')
    await show('query.sql')
    await dialog.getByText('select 1').waitFor()
    await page.keyboard.press('Escape')
    await show('data.bin')
    await dialog.getByText('This kind of file cannot be shown here.').waitFor()

    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Download' }).click(),
    ])
    expect(saved.suggestedFilename()).toBe('data.bin')
    expect([...(await readFile(await saved.path()))]).toEqual([0, 1, 2])
    await page.keyboard.press('Escape')

    await page.getByRole('button', { name: 'Delete data.bin' }).click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('data.bin was deleted.').waitFor()
    await rowOf(page, 'data.bin').waitFor({ state: 'detached' })
    expect(shown.problems).toEqual([])
    expect(shown.outside).toEqual([])
  })

  test('are dropped into the folder that is open, and found by the way to it', async () => {
    const client = site.clientOf('ben')
    await client.files.write('files/2026/old.txt', 'old')
    await using shown = await openPage(chromium, site, {
      as: 'ben',
      path: '/files?path=files/2026',
    })
    const { page } = shown
    await rowOf(page, 'old.txt').waitFor()
    const transfer = await page.evaluateHandle(() => {
      const data = new DataTransfer()
      data.items.add(new File(['new'], 'new.txt'))
      data.items.add(new File(['newer'], 'old.txt'))
      return data
    })
    const main = page.locator('main > div')
    await main.dispatchEvent('dragenter', { dataTransfer: transfer })
    await page.getByText('Drop files here to upload them').waitFor()
    await main.dispatchEvent('drop', { dataTransfer: transfer })
    await page.getByRole('heading', { name: 'Replace 1 file?' }).waitFor()
    await page.getByRole('button', { name: 'Replace' }).click()
    await page.getByText('2 of 2 uploaded').waitFor()
    expect(await (await client.files.read('files/2026/old.txt')).text()).toBe('newer')

    await page.getByRole('link', { name: 'files', exact: true }).click()
    expect(page.url()).toContain('path=files')
    await page.getByRole('button', { name: 'Delete 2026' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('alert').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'folder 2026' }).click()
    await rowOf(page, 'new.txt').waitFor()
    expect(shown.problems).toEqual([])
  })

  test('replace nothing unasked that the list does not show yet', async () => {
    const { files } = site.clientOf('ben')
    await files.write('files/late/old.txt', 'old')
    await using shown = await openPage(chromium, site, { as: 'ben', path: '/files' })
    const { page } = shown
    const listed = Promise.withResolvers<void>()
    await page.route('**/api/v1/files?path=files%2Flate', async (route) => {
      await listed.promise
      await route.continue()
    })
    await page.goto(`${site.url}/files?path=files/late`)
    await choose(page, [{ name: 'old.txt', content: 'new' }])
    const problem = page.getByRole('alert').filter({ hasText: 'is there already' })
    await problem.waitFor()
    expect(await (await files.read('files/late/old.txt')).text()).toBe('old')
    listed.resolve()
    await rowOf(page, 'old.txt').waitFor()
    await page.getByRole('button', { name: 'Replace' }).click()
    await page.getByText('1 of 1 uploaded').waitFor()
    expect(await (await files.read('files/late/old.txt')).text()).toBe('new')
    expect(shown.problems).toEqual([])
  })

  test('over the quota are refused with the reason, and go up once there is room', async () => {
    const olga = site.clientOf('olga')
    await olga.tenants.update('default', { workspace_quota: 10_000 })
    await using shown = await openPage(chromium, site, { as: 'ada', path: '/files?path=uploads' })
    const { page } = shown
    await page.getByText('0 B of 10 kB used').waitFor()
    await choose(page, [{ name: 'big.txt', content: 'x'.repeat(20_000) }])
    await page.getByText('There is not enough room in your workspace.').waitFor()
    await page.getByText('0 of 1 uploaded').waitFor()
    await olga.tenants.update('default', { workspace_quota: 1_000_000 })
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('1 of 1 uploaded').waitFor()
    await page.getByText('20 kB of 1 MB used').waitFor()
    expect(await barriersOf(page)).toEqual([])
    expect(shown.problems).toEqual([])
  })

  test('a folder that is not there, and an auditor, are told so calmly', async () => {
    const path = '/files?path=files/none'
    await using shown = await openPage(chromium, site, { path, lang: 'zh' })
    await shown.page.getByRole('heading', { name: '没有这个文件夹。' }).waitFor()
    await using other = await openPage(chromium, site, { as: 'aud', path: '/files' })
    await other.page.getByText('Auditors have no workspace').waitFor()
    expect(await other.page.getByRole('alert').count()).toBe(0)
    expect([...shown.problems, ...other.problems]).toEqual([])
  })
})
