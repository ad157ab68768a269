import { waitFor } from '@dataagent/testkit'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { barriersOf } from '../testing/test-barriers.ts'
import { startBrowser } from '../testing/test-browser.ts'
import { startTestMcpServer, type TestMcpServer } from '../testing/test-mcp-server.ts'
import { openPage } from '../testing/test-page.ts'
import { startSite, type TestSite } from '../testing/test-site.ts'

const browser = await startBrowser()
const echo = {
  ...{ name: 'echo', description: 'Gives the message back' },
  ...{ inputSchema: { type: 'object' }, run: () => ({}) },
}

describe.skipIf(!browser)('how a server has fared', () => {
  const chromium = browser as Browser
  let site: TestSite
  let mcp: TestMcpServer
  let server_id: string
  beforeAll(async () => {
    mcp = await startTestMcpServer([echo])
    site = await startSite()
    const { servers } = site.clientOf('ada')
    const config = { name: 'mall', url: mcp.url }
    server_id = (await servers.create({ config })).server_id
    await waitFor(async () => (await servers.get(server_id)).status === 'running')
    await mcp.kill()
    await servers.refresh(server_id)
    await waitFor(async () => (await servers.get(server_id)).status === 'error')
    await mcp.start()
    await servers.reconnect(server_id)
    await waitFor(async () => (await servers.get(server_id)).status === 'running')
  })
  afterAll(async () => {
    await site[Symbol.asyncDispose]()
    await mcp[Symbol.asyncDispose]()
    await chromium.close()
  })

  test('is a bar of the last hours and each change, with why and how long [D36.5]', async () => {
    await using shown = await openPage(chromium, site, { path: `/tools/servers/${server_id}` })
    const { page } = shown
    await page.getByText(/^Since /).waitFor()
    const bar = page.getByRole('img', { name: /^Connection of all users: .*Connected .* · / })
    await bar.waitFor()
    await page.getByText(/^\d+ changes$/).click()
    const changes = page.getByRole('listitem')
    await changes.filter({ hasText: '→ Error' }).first().waitFor()
    await changes
      .filter({ hasText: /Connecting → Connected.*connected in \d/ })
      .first()
      .waitFor()
    expect(await barriersOf(page)).toEqual([])
    expect(shown.problems).toEqual([])
  })

  test('is told in Chinese, also to an auditor', async () => {
    await using shown = await openPage(chromium, site, {
      ...{ as: 'aud', lang: 'zh', theme: 'dark', path: `/tools/servers/${server_id}` },
    })
    const { page } = shown
    await page.getByText(/ 以来$/).waitFor()
    await page.getByText(/^\d+ 次变化$/).click()
    await page
      .getByText(/→ 出错$/)
      .first()
      .waitFor()
    expect(await barriersOf(page)).toEqual([])
    expect(shown.problems).toEqual([])
  })
})
