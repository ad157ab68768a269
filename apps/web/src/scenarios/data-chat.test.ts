import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { barriersOf } from '../testing/test-barriers.ts'
import { startBrowser } from '../testing/test-browser.ts'
import { addShop, answeredTurn, barsByRegion, byRegion, spanOf } from '../testing/test-data.ts'
import { hostileTexts } from '../testing/test-hostile-texts.ts'
import { fillLog, turnEvents } from '../testing/test-log.ts'
import { openPage } from '../testing/test-page.ts'
import { startSite, type TestSite } from '../testing/test-site.ts'

const browser = await startBrowser()

const answer =
  'South sold most [q1]. There are 3,000 orders [q2] and 77 refunds; see also [q9].\n\n`[q1] 77`'

describe.skipIf(!browser)('what queries gave, in the chat', () => {
  const chromium = browser as Browser
  let site: TestSite
  let session_id: string
  let path: string
  beforeAll(async () => {
    site = await startSite()
    const source = await addShop(site)
    const { sessions, data } = site.clientOf('ana')
    ;({ session_id } = await sessions.create({ title: 'Sales' }))
    const run = (sql: string, purpose: string) => data.run({ source, sql, purpose, session_id })
    const first = await run(byRegion, 'Sales by region')
    const second = await run(
      `select order_id, region, ordered_on, amount, 9007199254740993 + order_id as big,
        case when order_id % 2 = 0 then null else 'x' end as note from orders order by order_id`,
      'All orders',
    )
    const cited = (ref: 'q1' | 'q2', query_id: string) => ({
      ...{ ...spanOf(answer, `[${ref}]`), ref, query_id },
    })
    const citations = {
      cited: [cited('q1', first.query_id), cited('q2', second.query_id)],
      ...{ dangling: [spanOf(answer, '[q9]')], uncovered: [spanOf(answer, '77')] },
    }
    const queries = [{ query: first, chart: barsByRegion }, { query: second }]
    const between = Array.from({ length: 12 }, (_, i) => turnEvents(i)).flat()
    await fillLog(site, session_id, [
      ...answeredTurn({ question: 'How are sales?', queries, answer, citations }),
      ...between,
      ...answeredTurn({ question: 'And now?', queries: [], answer: 'As said in [q1].' }),
    ])
    path = `/c/${session_id}`
  }, 60_000)
  afterAll(async () => {
    await site[Symbol.asyncDispose]()
    await chromium.close()
  })

  /** The first turn, with its results. */
  async function showResults(page: Page) {
    await page.getByText('As said in').waitFor()
    await page.getByRole('button', { name: 'Query q1: show its result' }).click()
    const block = (ref: string) => page.getByRole('region', { name: `Result ${ref}` })
    await block('q1').waitFor()
    return block
  }

  test('a chip brings the result of an earlier turn, drawn as its chart', async () => {
    await using shown = await openPage(chromium, site, { path })
    const { page } = shown
    const q1 = (await showResults(page))('q1')
    const picture = q1.getByRole('img', { name: /Bar chart.*sales by region.*Highest/i })
    await picture.locator('canvas').waitFor()
    expect(await inkOf(page)).toBeGreaterThan(500)
    await expect.poll(() => q1.evaluate((box) => box === document.activeElement)).toBe(true)
    expect(await barriersOf(page)).toEqual([])
    await q1.getByRole('combobox', { name: 'Chart' }).selectOption('pie')
    await q1.getByRole('img', { name: /Pie chart/ }).waitFor()
    for (const kind of ['PNG', 'SVG']) {
      const saved = page.waitForEvent('download')
      await q1.getByRole('button', { name: kind }).click()
      expect((await saved).suggestedFilename()).toBe(`Sales by region.${kind.toLowerCase()}`)
    }
    expect(shown.problems).toEqual([])
  })

  test('a table keeps all digits, shows what is NULL, and loads more rows on the way', async () => {
    await using shown = await openPage(chromium, site, { path })
    const { page } = shown
    const q2 = (await showResults(page))('q2')
    await q2.getByText('50 of 3,000 rows').waitFor()
    const table = q2.getByRole('table', { name: 'Rows of q2' })
    await table.getByRole('cell', { name: '9007199254740994', exact: true }).waitFor()
    await table.getByRole('cell', { name: 'NULL' }).first().waitFor()
    const box = q2.locator('div:has(> table)')
    await box.evaluate((element) => element.scrollTo(0, element.scrollHeight))
    await expect.poll(() => table.getAttribute('aria-rowcount').then(Number)).toBeGreaterThan(900)
    // Few of them are in the page.
    expect(await table.getByRole('row').count()).toBeLessThan(80)
    await table.getByRole('button', { name: 'Sort by big' }).click()
    await q2.getByText('Sorting and filter are of the rows that are loaded.').waitFor()
    await q2.getByLabel('Filter rows').fill('华东')
    await expect.poll(() => table.getByRole('cell', { name: 'South' }).count()).toBe(0)
    const saved = page.waitForEvent('download')
    await q2.getByRole('button', { name: 'CSV' }).click()
    expect((await saved).suggestedFilename()).toBe('q2.csv')
    await q2.getByRole('button', { name: 'Copy rows' }).click()
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toContain('\t华东\t')
    expect(shown.problems).toEqual([])
  })

  test('its SQL is changed and run, and the new result stands below', async () => {
    await using shown = await openPage(chromium, site, { path, lang: 'zh', theme: 'dark' })
    const { page } = shown
    await page.getByText('As said in').waitFor()
    await page.getByRole('button', { name: '查询 q1：查看结果' }).click()
    const q1 = page.getByRole('region', { name: '结果 q1' })
    await q1.getByRole('tab', { name: 'SQL' }).click()
    await q1.getByRole('button', { name: '编辑并运行' }).click()
    await q1.getByLabel('要运行的 SQL').fill('drop table orders')
    await q1.getByRole('button', { name: '运行', exact: true }).click()
    const refused = q1.getByRole('alert').filter({ hasText: '只能运行读取数据的语句' })
    await refused.getByText('请以 SELECT 或 WITH 开头').waitFor()
    await refused.getByText(/begins with DROP/).waitFor()
    expect(await barriersOf(page)).toEqual([])
    await q1
      .getByLabel('要运行的 SQL')
      .fill("select count(*) as n from orders where region='South'")
    await q1.getByLabel('要运行的 SQL').press('Control+Enter')
    const own = page.getByRole('region', { name: /^结果 q/ }).filter({ hasText: '由你运行' })
    await own.getByRole('tab', { name: '表格' }).click()
    await own.getByRole('cell', { name: '500', exact: true }).waitFor()
    await own.getByRole('tab', { name: '说明' }).click()
    await own.getByText('shop').first().waitFor()
    expect(await barriersOf(page)).toEqual([])

    // It is there again, folded, after the page has gone.
    await page.reload()
    await page.getByText('As said in').waitFor()
    await page.getByRole('button', { name: '查询 q1：查看结果' }).click()
    const head = own.getByRole('button', { name: /Sales by region/ })
    await expect.poll(() => head.getAttribute('aria-expanded')).toBe('false')
    await head.press('Enter')
    await own.getByRole('tab', { name: '表格' }).click()
    await own.getByRole('cell', { name: '500', exact: true }).waitFor()
    await page.getByRole('button', { name: '计划、结果、文件与轨迹' }).click()
    await page.getByRole('tab', { name: '结果' }).click()
    await page.getByRole('region', { name: '由你运行' }).getByRole('button').click()
    await expect.poll(() => own.evaluate((box) => box === document.activeElement)).toBe(true)
    expect(await barriersOf(page)).toEqual([])
    expect(shown.problems).toEqual([])
  })

  test('a query that is stopped says so, and nothing of it stays', async () => {
    await using shown = await openPage(chromium, site, { path })
    const { page } = shown
    const q1 = (await showResults(page))('q1')
    await q1.getByRole('tab', { name: 'SQL' }).click()
    await q1.getByRole('button', { name: 'Edit & run' }).click()
    const endless = 'select count(*) from range(1000000000000) t(i) where hash(i) = 3'
    await q1.getByLabel('SQL to run').fill(endless)
    await q1.getByRole('button', { name: 'Run', exact: true }).click()
    await q1.getByRole('button', { name: 'Stop' }).click()
    await q1.getByText('The query was stopped.').waitFor()
    expect(shown.problems).toEqual([])
  })

  test('the source explains a query, reached by keys', async () => {
    await using shown = await openPage(chromium, site, { path })
    const { page } = shown
    const q1 = (await showResults(page))('q1')
    await q1.getByRole('tab', { name: 'SQL' }).click()
    await q1.getByRole('button', { name: 'Explain' }).press('Enter')
    const plan = q1.getByRole('region', { name: 'Plan of the query' })
    await plan.getByText(/HASH_GROUP_BY/).waitFor()
    expect(await barriersOf(page)).toEqual([])
    expect(shown.problems).toEqual([])
  })

  test('a question is saved with a note, and run again under Data', async () => {
    await using shown = await openPage(chromium, site, { path, lang: 'zh' })
    const { page } = shown
    await page.getByText('As said in').waitFor()
    await page.getByRole('button', { name: '查询 q1：查看结果' }).click()
    const q1 = page.getByRole('region', { name: '结果 q1' })
    await q1.getByRole('button', { name: '保存问题' }).press('Enter')
    const form = page.getByRole('dialog')
    const title = form.getByRole('textbox', { name: /^问题/ })
    expect(await title.inputValue()).toBe('Sales by region')
    await title.fill('各区域卖了多少？')
    await form.getByLabel('备注（可选）').fill('不含退款')
    expect(await barriersOf(page, 'dialog')).toEqual([])
    await title.press('Enter')
    await q1.getByRole('link', { name: '查看你的问题' }).click()
    const saved = page.getByRole('list', { name: '你保存的问题' }).getByRole('listitem')
    await saved.getByText('不含退款').waitFor()
    await saved.getByRole('button', { name: '运行：各区域卖了多少？' }).click()
    await saved
      .getByRole('region', { name: /^结果 q/ })
      .locator('canvas')
      .waitFor()
    expect(await saved.getByRole('button', { name: '保存问题' }).count()).toBe(0)
    expect(await barriersOf(page)).toEqual([])
    expect(shown.problems).toEqual([])
  })

  test('why a query of the agent failed is said in the language of the page', async () => {
    const { session_id: other } = await site.clientOf('ana').sessions.create({ title: 'Failed' })
    const at = { timestamp: 1_790_000_000_000 }
    const message = 'The query was stopped after 60 s. Ask for less: filter, aggregate or limit.'
    const call = { tool_call_id: 'late', tool_name: 'run_sql' }
    const result = { code: 'timeout', message, tool_name: 'run_sql' }
    await fillLog(site, other, [
      { event_type: 'user_message', ...at, message_id: 'm', content: 'How many?' },
      { event_type: 'tool_call', ...at, ...call, tool_args: { source: 'shop', sql: 'select 1' } },
      {
        ...{ event_type: 'tool_result', ...at, tool_call_id: 'late', result },
        ...{ status: 'error', outcome: 'error', duration_ms: 60_000 },
      },
      { event_type: 'done', ...at, cancelled: false },
    ])
    await using shown = await openPage(chromium, site, { path: `/c/${other}`, lang: 'zh' })
    const { page } = shown
    await page.getByText('run_sql').click()
    const alert = page.getByRole('alert').filter({ hasText: '查询耗时过长，已停止。' })
    await alert.getByText(/was stopped after 60 s/).waitFor()
    expect(await barriersOf(page)).toEqual([])
    expect(shown.problems).toEqual([])
  })

  test('a chip tells of its query, and what no query gave is marked', async () => {
    await using shown = await openPage(chromium, site, { path })
    const { page } = shown
    await showResults(page)
    const turn = page.getByRole('article').filter({ hasText: 'How are sales?' })
    const chip = turn.getByRole('button', { name: 'Query q2: show its result' })
    await chip.focus()
    await page
      .getByText(/9007199254740993 \+ order_id/)
      .last()
      .waitFor()
    await page.getByText('… 3,000 rows in all').waitFor()
    await turn.getByTitle('q9: no such query was run in this chat').waitFor()
    const unknown = turn.getByTitle('No query of this chat gave this number')
    expect(await unknown.allTextContents()).toEqual(['77'])
    expect(await turn.locator('code', { hasText: '[q1] 77' }).textContent()).toBe('[q1] 77')
    await chip.press('Enter')
    const q2 = page.getByRole('region', { name: 'Result q2' })
    await expect.poll(() => q2.evaluate((box) => box === document.activeElement)).toBe(true)
  })

  test('results are listed beside the chat, and fit a phone', async () => {
    await using shown = await openPage(chromium, site, {
      ...{ path, viewport: { width: 360, height: 740 } },
    })
    const { page } = shown
    await page.getByText('As said in').waitFor()
    await page.getByRole('button', { name: 'Plan, results, files and trace' }).click()
    await page.getByRole('tab', { name: 'Results' }).click()
    await page.getByRole('button', { name: /q2 All orders/ }).click()
    const q2 = page.getByRole('region', { name: 'Result q2' })
    await expect.poll(() => q2.evaluate((box) => box === document.activeElement)).toBe(true)
    await q2.getByText('50 of 3,000 rows').waitFor()
    expect(await barriersOf(page)).toEqual([])
    expect(shown.problems).toEqual([])
  })

  test('the files of a result that has more rows say how many they hold', async () => {
    const { sessions } = site.clientOf('ana')
    const made = await sessions.create({ title: 'Many rows' })
    const query = {
      ...{ query_id: 'many', ref: 'q1', source_id: 's', source_name: 'shop' },
      ...{ sql: 'select name from orders', rows: [['a'], ['b']] },
      columns: [{ name: 'name', type: 'VARCHAR', kind: 'text' as const }],
      ...{ row_count: 5_000, kept_rows: 2, elapsed_ms: 1, as_of: 1 },
    }
    const turn = { question: 'Names?', queries: [{ query }], answer: 'These [q1].' }
    await fillLog(site, made.session_id, answeredTurn(turn))
    const chat = `/c/${made.session_id}`
    await using shown = await openPage(chromium, site, { path: chat })
    const q1 = shown.page.getByRole('region', { name: 'Result q1' })
    await q1.getByText('first 2 rows', { exact: true }).waitFor()
    await q1.getByTitle('Save the first 2 rows as XLSX').waitFor()
    expect(await barriersOf(shown.page)).toEqual([])
    expect(shown.problems).toEqual([])
  })

  test('hostile values run no script and send no request', { timeout: 60_000 }, async () => {
    const { sessions } = site.clientOf('ben')
    const made = await sessions.create({ title: 'Hostile' })
    const column = { type: 'VARCHAR', kind: 'text' } as const
    const rows = hostileTexts.slice(0, 150).map((text, i) => [text.slice(0, 500), i])
    const query = {
      ...{ query_id: 'hostile', ref: 'q1', source_id: 's', source_name: hostileTexts[3]! },
      ...{ sql: `select '${hostileTexts[0]}'`, purpose: hostileTexts[1]!, rows },
      columns: [
        { ...column, name: hostileTexts[2]! },
        { name: 'n', type: 'INTEGER', kind: 'integer' as const },
      ],
      ...{ row_count: rows.length, kept_rows: rows.length, elapsed_ms: 1, as_of: 1 },
    }
    const chart = { type: 'bar', x: hostileTexts[2]!, y: ['n'], title: hostileTexts[4]! } as const
    const turn = { question: 'Hi', queries: [{ query, chart: { ...chart, y: ['n'] } }] }
    await fillLog(site, made.session_id, answeredTurn({ ...turn, answer: 'The end [q1].' }))
    await using shown = await openPage(chromium, site, {
      ...{ as: 'ben', path: `/c/${made.session_id}` },
    })
    const { page, outside, problems } = shown
    const q1 = page.getByRole('region', { name: 'Result q1' })
    await q1.locator('canvas').waitFor()
    await q1.locator('canvas').hover()
    for (const tab of ['Table', 'SQL', 'About']) await q1.getByRole('tab', { name: tab }).click()
    await page.getByRole('button', { name: 'Query q1: show its result' }).hover()
    await page.getByText('… 150 rows in all').waitFor()
    expect(await page.evaluate('window.hit')).toBeUndefined()
    expect(await page.locator('main script, main iframe, main img, main object').count()).toBe(0)
    expect({ outside, problems }).toEqual({ outside: [], problems: [] })
  })

  test('rows that are gone are said to be, with the way to have them again', async () => {
    const kept = join(site.dataDir, 'results')
    for (const name of await readdir(kept)) await rm(join(kept, name), { recursive: true })
    await using shown = await openPage(chromium, site, { path })
    const { page } = shown
    const q2 = (await showResults(page))('q2')
    const gone = q2.getByText('not kept any more')
    // The table asks by itself where its end is in sight.
    await Promise.any([q2.getByRole('button', { name: 'Load more rows' }).click(), gone.waitFor()])
    await gone.waitFor()
    await q2.getByRole('button', { name: 'Run it again' }).click()
    const results = page
      .getByRole('region', { name: /^Result q/ })
      .filter({ hasText: 'All orders' })
    await results.filter({ hasText: 'Run by you' }).waitFor()
  })
})

/** How many pixels of the first chart are of a colour. */
function inkOf(page: Page): Promise<number> {
  return page
    .locator('canvas')
    .first()
    .evaluate((canvas: HTMLCanvasElement) => {
      const { width, height } = canvas
      const { data } = canvas.getContext('2d')!.getImageData(0, 0, width, height)
      let ink = 0
      for (let at = 0; at < data.length; at += 4) {
        if ((data[at + 3] ?? 0) > 200 && Math.abs((data[at] ?? 0) - (data[at + 2] ?? 0)) > 60) ink++
      }
      return ink
    })
}
