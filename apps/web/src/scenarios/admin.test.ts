import { type HostileHttp, startHostileHttp, waitFor } from '@dataagent/testkit'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startBrowser } from '../testing/test-browser.ts'
import { openPage } from '../testing/test-page.ts'
import { startSite, type TestSite } from '../testing/test-site.ts'

const browser = await startBrowser()

describe.skipIf(!browser)('the administration [D0.1]', () => {
  const chromium = browser as Browser
  let site: TestSite
  let mall: HostileHttp
  beforeAll(async () => {
    mall = await startHostileHttp('none')
    site = await startSite({ env: { DATAAGENT_MULTI_TENANT: 'true' } })
    const { servers, tools } = site.clientOf('ada')
    await servers.create({ config: { name: 'mall', url: mall.url } })
    await servers.create({ config: { name: 'broken', url: 'http://127.0.0.1:9/mcp' } })
    await waitFor(async () => (await tools.list({ q: 'mall.echo' })).total > 0)
  })
  afterAll(async () => {
    await site[Symbol.asyncDispose]()
    await mall[Symbol.asyncDispose]()
    await chromium.close()
  })

  const sectionsOf = (page: Page) =>
    page.getByRole('navigation', { name: 'Administration' }).getByRole('link').allInnerTexts()

  test('shows at once how the installation fares, and follows it', async () => {
    await using shown = await openPage(chromium, site, { as: 'olga', path: '/admin' })
    const { page } = shown
    await page.getByText('No tool was called in 30 minutes').waitFor()
    await page.getByText('1 of 2 shared servers run').waitFor()
    await page.getByRole('link', { name: 'broken' }).waitFor()
    await page.getByText('Key-value store').waitFor()
    const { tools } = site.clientOf('ana')
    await tools.call({ tool: 'mall.echo', args: { message: 'hi' } })
    await tools.call({ tool: 'mall.echo', args: { message: 7 } }).catch(() => {})
    await page.getByText('1 of 2 calls in 30 minutes failed').waitFor()
    await page.getByText('50 %').waitFor()
    // More calls than a page of the audit holds, the failed one before them.
    for (let at = 0; at < 21; at += 1) {
      const ten = Array.from({ length: 10 }, () => ({ tool: 'mall.echo', args: { message: 'hi' } }))
      await Promise.all(ten.map((call) => tools.call(call)))
    }
    await page.getByText('1 of 212 calls in 30 minutes failed').waitFor()
    await page.getByRole('img', { name: 'Turns in each of the last 30 minutes' }).waitFor()
    expect(shown.problems).toEqual([])
  })

  test('lists for each role what it may see, and kindly refuses the rest', async () => {
    await using user = await openPage(chromium, site, { as: 'ana', path: '/admin/users' })
    await user.page.getByText('This part is not for your role.').waitFor()
    await user.page.getByText('You are signed in as User.').waitFor()
    expect(await user.page.getByRole('link', { name: 'Admin' }).count()).toBe(0)

    await using auditor = await openPage(chromium, site, { as: 'aud', path: '/admin/agents' })
    await auditor.page.getByText('This part is not for your role.').waitFor()
    expect(await sectionsOf(auditor.page)).toEqual(['Overview', 'Users and keys', 'Audit', 'Usage'])
    await auditor.page.getByRole('link', { name: 'Users and keys' }).click()
    await auditor.page.getByRole('cell', { name: 'ben' }).waitFor()
    expect(await auditor.page.getByRole('button', { name: 'Add user' }).count()).toBe(0)
    expect(await auditor.page.getByText('Actions').count()).toBe(0)

    await auditor.page.goto(site.url)
    await auditor.page.waitForURL(`${site.url}/admin`)

    await using admin = await openPage(chromium, site, { as: 'ada', path: '/admin/system' })
    await admin.page.getByText('settings are for platform administrators').waitFor()
    expect(await sectionsOf(admin.page)).not.toContain('Tenants')
    expect([...user.problems, ...auditor.problems, ...admin.problems]).toEqual([])
  })

  test('finds settings by their words, with value, origin and names', async () => {
    await using shown = await openPage(chromium, site, { as: 'olga', path: '/admin/system' })
    const { page } = shown
    await page.getByLabel('Search settings').fill('multi tenant')
    const row = page.getByRole('row').filter({ hasText: 'DATAAGENT_MULTI_TENANT' })
    await row.getByText('--multi-tenant').waitFor()
    await row.getByText('Environment').waitFor()
    await row.getByText('on', { exact: true }).waitFor()
    expect(page.url()).toContain('q=multi+tenant')
    await page.getByRole('button', { name: '中文' }).click()
    await row.getByText('环境变量').waitFor()
    expect(await row.textContent()).toMatch(/租户/)
    expect(shown.problems).toEqual([])
  })

  test('shows the own workspace and what holds for all of them', async () => {
    const { files } = site.clientOf('olga')
    await files.write('notes.txt', 'x'.repeat(2000))
    await using shown = await openPage(chromium, site, { as: 'olga', path: '/admin/workspaces' })
    await shown.page
      .getByText(/^(.*: )?2 kB of 1\.07 GB$/)
      .first()
      .waitFor()
    await shown.page.getByText('30 days').waitFor()
    expect(shown.problems).toEqual([])
  })
})
