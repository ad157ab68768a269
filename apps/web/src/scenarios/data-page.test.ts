import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { barriersOf } from '../testing/test-barriers.ts'
import { startBrowser } from '../testing/test-browser.ts'
import { addShop, byRegion } from '../testing/test-data.ts'
import { openPage } from '../testing/test-page.ts'
import { startSite, type TestSite } from '../testing/test-site.ts'

const browser = await startBrowser()

describe.skipIf(!browser)('the data page', () => {
  const chromium = browser as Browser
  let site: TestSite
  beforeAll(async () => {
    site = await startSite()
    const source_id = await addShop(site)
    const { data } = site.clientOf('ana')
    await data.putQuestion('mine', { source_id, question: 'How many orders?', sql: 'select 1' })
    await data.run({ source: source_id, sql: byRegion })
  }, 60_000)
  afterAll(async () => {
    await site[Symbol.asyncDispose]()
    await chromium.close()
  })

  test('shows a user what can be asked, what words mean, and questions to ask', async () => {
    await using shown = await openPage(chromium, site, { lang: 'zh', theme: 'dark' })
    const { page } = shown
    await page.getByRole('link', { name: '数据', exact: true }).click()
    const shop = page.getByRole('listitem').filter({ hasText: 'Orders of the shop' })
    await shop.getByText('可连接').waitFor()
    await shop.getByRole('button', { name: 'shop 的表' }).click()
    await shop.getByText('orders', { exact: true }).click()
    await shop.getByRole('cell', { name: 'ordered_on' }).waitFor()
    expect(await page.getByRole('button', { name: '添加数据源' }).count()).toBe(0)
    expect(await page.getByRole('tab', { name: '查询记录' }).count()).toBe(0)
    expect(await barriersOf(page)).toEqual([])
    await page.getByRole('tab', { name: '定义' }).click()
    await page.getByRole('cell', { name: 'Sum of amounts' }).waitFor()
    await page.getByRole('tab', { name: '问题' }).click()
    await page.getByRole('list', { name: '你保存的问题' }).getByText('How many orders?').waitFor()
    await page.getByRole('button', { name: '运行：Sales by region' }).click()
    await page.getByRole('region', { name: '结果 q2' }).locator('canvas').waitFor()
    expect(await barriersOf(page)).toEqual([])
    const verified = page.getByRole('list', { name: '已验证的问题' })
    await verified.getByRole('link', { name: '去提问' }).click()
    await expect.poll(() => page.getByRole('combobox').inputValue()).toBe('Sales by region')
    expect(shown.problems).toEqual([])
  })

  test('verified questions are what a new chat offers, in the language of the page', async () => {
    await using shown = await openPage(chromium, site, { lang: 'zh' })
    const { page } = shown
    const starters = page.getByRole('list', { name: '可以从这些问题开始' })
    await starters.getByRole('button', { name: /^各区域销售额/ }).click()
    expect(await page.getByRole('combobox').inputValue()).toBe('各区域销售额')
  })

  test('an administrator adds a source, and sees why it cannot be reached', async () => {
    await using shown = await openPage(chromium, site, { as: 'olga', path: '/data' })
    const { page } = shown
    await page.getByRole('button', { name: 'Add a source' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Name').fill('ledger')
    await form.getByLabel('Kind').selectOption('PostgreSQL')
    await form.getByLabel('Host').fill('127.0.0.1')
    await form.getByLabel('Port').fill('9')
    await form.getByLabel('Database').fill('ledger')
    await form.getByLabel('User').fill('reader')
    await form.getByLabel('Password').fill('top-secret')
    expect(await barriersOf(page, 'dialog')).toEqual([])
    await form.getByRole('button', { name: 'Add', exact: true }).click()
    const ledger = page
      .getByRole('list', { name: 'Sources of data' })
      .locator('> li')
      .filter({ has: page.getByRole('heading', { name: 'ledger' }) })
    await ledger.getByRole('button', { name: 'Check' }).click()
    await ledger.getByText('Cannot be reached', { exact: true }).waitFor()
    const alert = ledger.getByRole('alert').filter({ hasText: 'The source cannot be reached.' })
    await alert.getByText(/127\.0\.0\.1:9 does not answer/).waitFor()
    expect(await barriersOf(page)).toEqual([])
    await ledger.getByRole('button', { name: 'Edit' }).click()
    await form.getByRole('switch', { name: 'Change how it is reached' }).click()
    expect(await form.getByLabel('Password').inputValue()).toBe('')
    await form.getByRole('switch', { name: 'Change how it is reached' }).click()
    await form.getByLabel('Name').fill('ledger of 2026')
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'ledger of 2026' }).waitFor()
    const renamed = page.getByRole('listitem').filter({ hasText: 'ledger of 2026' })
    await renamed.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('Removed.').waitFor()
    expect(await page.getByText('ledger of 2026').count()).toBe(0)
    expect(await page.content()).not.toContain('top-secret')
    expect(shown.problems).toEqual([])
  })

  test('an administrator says what columns mean and hides one, which users then do not see', async () => {
    await using shown = await openPage(chromium, site, { as: 'ada', path: '/data' })
    const { page } = shown
    await page.getByRole('button', { name: 'Tables of shop' }).click()
    await page.getByText('orders', { exact: true }).click()
    await page.getByRole('button', { name: 'Describe' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('What the table holds').fill('One row for each order')
    await form.getByLabel('Meaning of amount').fill('In CNY')
    await form.getByLabel('Hide ordered_on').check()
    expect(await barriersOf(page, 'dialog')).toEqual([])
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('row').filter({ hasText: 'ordered_on' }).getByText('hidden').waitFor()
    await page.getByRole('cell', { name: 'In CNY' }).waitFor()

    await using other = await openPage(chromium, site, { path: '/data' })
    await other.page.getByRole('button', { name: 'Tables of shop' }).click()
    await other.page.getByText('One row for each order').click()
    await other.page.getByRole('cell', { name: 'In CNY' }).waitFor()
    expect(await other.page.getByText('ordered_on').count()).toBe(0)
    expect([...shown.problems, ...other.problems]).toEqual([])
  })

  test('an administrator keeps definitions and questions, and sees who has asked what', async () => {
    await using shown = await openPage(chromium, site, { as: 'ada', path: '/data?tab=definitions' })
    const { page } = shown
    const form = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Add a definition' }).click()
    await form.getByLabel('Word').fill('big order')
    await form.getByLabel('Meaning').fill('Over 500')
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('cell', { name: 'Over 500' }).waitFor()
    await page.getByRole('button', { name: 'Edit big order' }).click()
    await form.getByLabel('Meaning').fill('Over 900')
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('cell', { name: 'Over 900' }).waitFor()
    await page.getByRole('button', { name: 'Remove big order' }).click()
    await form.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('cell', { name: 'Over 900' }).waitFor({ state: 'detached' })

    await page.getByRole('tab', { name: 'Questions' }).click()
    await page.getByRole('button', { name: 'Add a verified question' }).click()
    await form.getByLabel('Question').fill('How many orders are there?')
    await form.getByLabel('Other ways to ask it').fill('订单数\n有多少订单')
    await form.getByLabel('Source').selectOption('shop')
    await form.getByLabel('SQL').fill('select count(*) as n from orders')
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Also: 订单数 · 有多少订单').waitFor()
    expect(await barriersOf(page)).toEqual([])

    await page.getByRole('tab', { name: 'Query log' }).click()
    const row = page.getByRole('row').filter({ hasText: 'select region' }).first()
    await row.getByRole('cell', { name: 'ana' }).waitFor()
    await row.locator('summary').click()
    expect(await barriersOf(page)).toEqual([])
    expect(shown.problems).toEqual([])
  })

  test('what cannot be loaded says so, and is loaded at a second try', async () => {
    await using shown = await openPage(chromium, site, { path: '/files' })
    const { page } = shown
    const failed = { error_code: 'forbidden', message: 'Your organisation may not use data.' }
    await page.route(/\/data\/sources$/, (route) => route.fulfill({ status: 403, json: failed }))
    await page.getByRole('link', { name: 'Data', exact: true }).click()
    const alert = page.getByRole('alert').filter({ hasText: 'may not use data' })
    await alert.waitFor()
    await page.unroute(/\/data\/sources$/)
    await alert.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Orders of the shop').waitFor()
  })
})
