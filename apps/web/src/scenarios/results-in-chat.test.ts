import { readFile } from 'node:fs/promises'
import { toolRounds, waitFor } from '@dataagent/testkit'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { barriersOf } from '../testing/test-barriers.ts'
import { startBrowser } from '../testing/test-browser.ts'
import { expectHarmless } from '../testing/test-harmless.ts'
import { startTestMcpServer, type TestTool } from '../testing/test-mcp-server.ts'
import { openPage } from '../testing/test-page.ts'
import { startSite, type TestSite } from '../testing/test-site.ts'

const browser = await startBrowser()

/** One red point. */
const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='
const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="window.hit=1"/>'
const rows = Array.from({ length: 8 }, (_, i) => ({ item: `item ${i}`, left: (i * 5) % 8 }))

function toolOf(name: string, fields: Pick<TestTool, 'content' | 'structuredContent'>): TestTool {
  const inputSchema = { type: 'object', properties: {} }
  return { name, description: `Gives ${name}.`, inputSchema, run: () => ({}), ...fields }
}

const tools = [
  toolOf('picture', { content: [{ type: 'image', data: png, mimeType: 'image/png' }] }),
  toolOf('stock', { content: [], structuredContent: { rows } }),
  toolOf('report', {
    content: [
      { type: 'text', text: 'Two are short.' },
      { type: 'image', data: btoa(svg), mimeType: 'image/svg+xml' },
    ],
    structuredContent: { rows: rows.slice(0, 2) },
  }),
]

/** What a model reads of them, in any order. */
const told = ['Two are short.', '[image of type image/png, 70 bytes]', JSON.stringify({ rows })]

describe.skipIf(!browser)('results of a server in the chat', () => {
  const chromium = browser as Browser
  const cleanup = new AsyncDisposableStack()
  let site: TestSite
  beforeAll(async () => {
    site = cleanup.use(
      await startSite({
        script(request) {
          if (toolRounds(request) > 0) return { text: 'There you are.' }
          const names = tools.map(({ name }) => `depot--${name}`)
          return { toolCalls: names.map((name) => ({ name, arguments: {} })) }
        },
      }),
    )
    const depot = cleanup.use(await startTestMcpServer(tools))
    const ada = site.clientOf('ada')
    const rules = { toolApproval: { '*': 'allow' as const }, trustedOutput: true }
    const config = { name: 'depot', url: depot.url, ...rules }
    const { server_id } = await ada.servers.create({ config })
    const offered = async () =>
      (await ada.tools.list({ limit: 200 })).tools.filter((tool) => tool.server_id === server_id)
    await waitFor(async () => (await offered()).length === tools.length, {
      timeoutMs: 20_000,
      what: 'tools of the server',
    })
  }, 60_000)
  afterAll(async () => {
    await cleanup.disposeAsync()
    await chromium.close()
  })

  /** The card of a call, open. */
  async function open(page: Page, name: string): Promise<Locator> {
    const card = page
      .getByRole('article')
      .locator('details', { hasText: `depot.${name}` })
      .first()
    await card.locator('summary').first().click()
    return card
  }

  async function expectPicture(page: Page): Promise<void> {
    const picture = (await open(page, 'picture')).getByRole('img', { name: 'Image from the tool' })
    await picture.waitFor()
    await expect
      .poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth))
      .toBe(1)
  }

  async function expectTable(page: Page): Promise<void> {
    const card = await open(page, 'stock')
    await card.getByText('8 of 8 rows').waitFor()
    const first = card.getByRole('row').nth(1)
    await card.getByRole('button', { name: 'Sort by left' }).click()
    await first.getByText('item 0').waitFor()
    await card.getByRole('button', { name: 'Sort by left' }).click()
    await first.getByText('item 3').waitFor()
    await card.getByLabel('Filter rows').fill('item 7')
    await card.getByText('1 of 8 rows').waitFor()
  }

  async function expectReport(page: Page): Promise<void> {
    const card = await open(page, 'report')
    await card.getByText('Two are short.', { exact: true }).waitFor()
    await card.getByText('2 of 2 rows').waitFor()
    const about = `report.svg (image/svg+xml, ${svg.length} B): not shown`
    await card.getByText(about).waitFor()
    expect(await card.getByRole('img').count()).toBe(0)
    const saving = page.waitForEvent('download')
    await card.getByRole('button', { name: 'Save' }).click()
    const saved = await saving
    expect(saved.suggestedFilename()).toMatch(/report\.svg$/)
    expect(await readFile(await saved.path(), 'utf8')).toBe(svg)
  }

  test('images and tables are shown, the model reads them in words, and a reload keeps them', async () => {
    const { session_id } = await site.clientOf('ana').sessions.create()
    await using shown = await openPage(chromium, site, { path: `/c/${session_id}` })
    const { page } = shown
    await page.getByRole('combobox').fill('Show me')
    await page.keyboard.press('Enter')
    await page.getByText('There you are.').waitFor()
    const read = site.model.requests.at(-1)?.turns.flatMap(({ toolResults }) => toolResults)
    expect(read?.map(({ text }) => text).sort()).toEqual(told.toSorted())
    await expectPicture(page)
    await expectTable(page)
    await expectReport(page)
    expect(await barriersOf(page)).toEqual([])
    await page.reload()
    await page.getByText('There you are.').waitFor()
    await expectPicture(page)
    await expectTable(page)
    await expectReport(page)
    await expectHarmless(shown)
  })

  test('and stand in the panel beside the chat', async () => {
    const { session_id } = await site.clientOf('ana').sessions.create()
    await using shown = await openPage(chromium, site, { path: `/c/${session_id}`, lang: 'zh' })
    const { page } = shown
    await page.getByRole('combobox').fill('给我看看')
    await page.keyboard.press('Enter')
    await page.getByText('There you are.').waitFor()
    await page.keyboard.press('Control+.')
    await page.getByRole('tab', { name: '结果' }).click()
    const panel = page.getByRole('tabpanel')
    await panel.getByRole('img').waitFor()
    await expect.poll(() => panel.getByRole('listitem').count()).toBe(3)
    await expectHarmless(shown)
  })
})
