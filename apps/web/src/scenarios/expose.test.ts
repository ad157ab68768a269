import {
  createConsent,
  createDifyProfile,
  type HostileHttp,
  startHostileHttp,
  waitFor,
} from '@dataagent/testkit'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { barriersOf } from '../testing/test-barriers.ts'
import { startBrowser } from '../testing/test-browser.ts'
import { openPage } from '../testing/test-page.ts'
import { keyOf, startSite, type TestSite } from '../testing/test-site.ts'

const browser = await startBrowser()

describe.skipIf(!browser)('exposing tools', () => {
  const chromium = browser as Browser
  let site: TestSite
  let mall: HostileHttp
  beforeAll(async () => {
    ;[site, mall] = await Promise.all([startSite(), startHostileHttp('none')])
    const client = site.clientOf('ada')
    const { server_id } = await client.servers.create({ config: { name: 'mall', url: mall.url } })
    await waitFor(async () => (await client.tools.list({ server_id })).total === 4)
  })
  afterAll(async () => {
    await site[Symbol.asyncDispose]()
    await mall[Symbol.asyncDispose]()
    await chromium.close()
  })

  const namesWith = async (key: string, path = '/mcp') => {
    const headers = { Authorization: `Bearer ${key}` }
    const tools = await createDifyProfile({ url: `${site.url}${path}`, headers }).listTools()
    return tools.map(({ name }) => name).sort()
  }

  /** The status that a client gets with a key. */
  const statusWith = async (key: string, group_id: string) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
    const url = `${site.url}/mcp/g/${group_id}`
    return (await fetch(url, { method: 'POST', headers, body })).status
  }

  const make = (group_id: string, tools: readonly string[] = ['*']) =>
    site.clientOf('ada').toolGroups.create({
      ...{ group_id, name: `Group ${group_id}` },
      tools: tools.map((tool) => ({ server_id: 'mall', tool })),
    })

  const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

  test('a group is made of upstream and own tools, and its key opens it for Dify [E9.1]', async () => {
    await using shown = await openPage(chromium, site, { as: 'ada', path: '/tools/expose' })
    const { page } = shown
    await page.getByRole('heading', { name: 'No tool groups yet' }).waitFor()
    await page.getByRole('button', { name: 'New tool group' }).click()
    await page.getByLabel('Name').fill('Front desk')
    await page.getByLabel('All tools of mall').check()
    await page.getByText('4 tools chosen').waitFor()
    await page.getByLabel('Search tools').fill('time')
    await page.getByLabel(/^slow/).uncheck()
    await page.getByLabel('Search tools').fill('')
    await page.getByRole('checkbox', { name: /^read_result/ }).check()
    await page.getByText('4 tools chosen').waitFor()
    expect(await barriersOf(page, 'dialog')).toEqual([])
    await page.getByRole('button', { name: 'Create', exact: true }).click()

    const ready = page.getByRole('dialog', { name: 'Front desk is ready' })
    expect(await ready.innerText()).not.toMatch(/mk_\w/)
    await ready.getByRole('button', { name: 'Copy key' }).click()
    await ready.getByText('Copied').waitFor()
    const key = await copied(page)
    expect(await namesWith(key)).toEqual(['count', 'echo', 'read_result', 'touch'])

    await page.getByRole('button', { name: 'How to connect' }).click()
    await page.getByRole('heading', { name: 'Front desk', level: 1 }).waitFor()
    expect(page.url()).toBe(`${site.url}/tools/expose/front-desk`)
    await page.getByText(`${site.url}/mcp/g/front-desk`).first().waitFor()
    await page.getByRole('link', { name: 'All tool groups' }).click()
    const row = page.getByRole('row', { name: /Front desk/ })
    await row.getByText('4 tools').waitFor()
    await row.getByText('Active').waitFor()
    expect(await barriersOf(page)).toEqual([])
    expect(shown.problems).toEqual([])
  })

  test('a key is copied again, and rotated after saying what stops working [E9.1]', async () => {
    const { key } = await make('turning')
    const path = '/tools/expose/turning'
    await using shown = await openPage(chromium, site, { as: 'ada', path })
    const { page } = shown
    await page.getByRole('button', { name: 'Copy key' }).click()
    await page.getByText('Copied').waitFor()
    expect(await copied(page)).toBe(key)

    await page.getByRole('button', { name: 'Rotate key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Clients that have the old one stop working').waitFor()
    await dialog.getByRole('button', { name: 'Rotate key' }).click()
    const made = page.getByRole('dialog', { name: 'The new key' })
    await made.getByRole('button', { name: 'Copy key' }).click()
    await made.getByText('Copied').waitFor()
    const next = await copied(page)
    expect([await statusWith(key, 'turning'), await statusWith(next, 'turning')]).toEqual([
      401, 200,
    ])

    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Revoke key' }).click()
    await dialog.getByRole('button', { name: 'Revoke key' }).click()
    await page.getByRole('button', { name: 'Make a key' }).waitFor()
    expect(await statusWith(next, 'turning')).toBe(401)
    expect(shown.problems).toEqual([])
  })

  test('what is copied for a program holds this site and the key, the page only a mask', async () => {
    const { key } = await make('pasted')
    const path = '/tools/expose/pasted'
    await using shown = await openPage(chromium, site, { as: 'ada', path })
    const { page } = shown
    await page.getByRole('button', { name: 'Cursor', exact: true }).click()
    await page.getByRole('button', { name: 'By the key' }).click()
    const snippet = page.getByRole('figure')
    await snippet.getByText('Authorization').waitFor()
    expect(await page.locator('main').innerText()).not.toContain(key)
    await snippet.getByRole('button', { name: 'Copy' }).click()
    await snippet.getByText('Copied').waitFor()
    const { url, headers } = JSON.parse(await copied(page)).mcpServers.pasted
    expect({ url, headers }).toEqual({
      url: `${site.url}/mcp/g/pasted`,
      headers: { Authorization: `Bearer ${key}` },
    })
    for (const program of ['Dify', 'Claude Desktop', 'VS Code', 'MCP Inspector', 'curl']) {
      await page.getByRole('button', { name: program, exact: true }).click()
      await page.getByRole('figure').getByText(site.url).first().waitFor()
    }
    expect(shown.problems).toEqual([])
  })

  test('sessions and calls are seen, and a session is taken back alone [E9.1]', async () => {
    const { key, group } = await make('watched')
    const { streamable_http: url } = group.urls
    const dify = createDifyProfile({ url, authorize: createConsent({ key }) })
    await dify.callTool('echo', { message: 'hello' })
    const path = '/tools/expose/watched?tab=clients'
    await using shown = await openPage(chromium, site, { as: 'ada', path })
    const { page } = shown
    await page.getByRole('row', { name: /Dify/ }).getByText('the key').waitFor()
    await page.getByRole('tab', { name: 'Calls' }).click()
    const call = page.getByRole('row', { name: /echo/ })
    await call.getByText('Done').waitFor()
    await call.getByRole('button', { name: 'Details of the call of echo' }).click()
    await page.getByRole('dialog').getByText('Trace').waitFor()
    await page.keyboard.press('Escape')

    await page.getByRole('tab', { name: 'Sessions' }).click()
    await page.getByRole('button', { name: 'Revoke the access of Dify' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('heading', { name: 'Nobody has connected by signing in' }).waitFor()
    const token = dify.tokens?.access_token ?? ''
    await waitFor(async () => (await statusWith(token, 'watched')) === 401)
    expect(await statusWith(key, 'watched')).toBe(200)
    expect(shown.problems).toEqual([])
  })

  test('a user sees whom they gave access in the account menu, and ends it [E9.1]', async () => {
    const { group } = await make('mine')
    await site.clientOf('ada').toolGroups.update('mine', { open_to_users: true })
    const authorize = createConsent({ key: keyOf('ana') })
    const dify = createDifyProfile({ url: group.urls.streamable_http, authorize })
    await dify.listTools()
    await using shown = await openPage(chromium, site, { as: 'ana', path: '/files' })
    const { page } = shown
    await page.getByRole('button', { name: 'Account of ana' }).click()
    await page.getByRole('menuitem', { name: 'Connected clients' }).click()
    const row = page.getByRole('row').filter({ hasText: 'Dify' })
    await row.getByText('Group mine').waitFor()
    expect(await barriersOf(page, 'dialog')).toEqual([])
    await row.getByRole('button', { name: 'Disconnect Dify' }).click()
    await page.getByRole('button', { name: 'Disconnect', exact: true }).last().click()
    await page.getByText('No client is connected').waitFor()
    await waitFor(async () => (await statusWith(dify.tokens!.access_token, 'mine')) === 401)
    await site.clientOf('ada').toolGroups.delete('mine')
    expect(shown.problems).toEqual([])
  })

  test('a group is changed, switched off and on, and deleted [E9.1]', async () => {
    const { key } = await make('changing', ['echo', 'touch'])
    await using shown = await openPage(chromium, site, { as: 'ada', path: '/tools/expose' })
    const { page } = shown
    const more = page.getByRole('button', { name: 'More about Group changing' })
    const dialog = page.getByRole('dialog')
    await more.click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await dialog.getByLabel(/^touch/).uncheck()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Group changing was saved.').waitFor()
    expect(await namesWith(key)).toEqual(['echo'])

    await more.click()
    await page.getByRole('menuitem', { name: 'Disable' }).click()
    await dialog.getByRole('button', { name: 'Disable' }).click()
    await page.getByText('Group changing is disabled.').waitFor()
    expect(await statusWith(key, 'changing')).toBe(401)
    await more.click()
    await page.getByRole('menuitem', { name: 'Enable' }).click()
    await page.getByText('Group changing is enabled.').waitFor()
    expect(await statusWith(key, 'changing')).toBe(200)

    await more.click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await dialog.getByText('Its key and every session end').waitFor()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('link', { name: 'Group changing' }).waitFor({ state: 'detached' })
    expect(await statusWith(key, 'changing')).toBe(401)
    expect(shown.problems).toEqual([])
  })

  test('every part of a group fits a narrow window in the dark, in Chinese', async () => {
    await make('shown')
    await using shown = await openPage(chromium, site, {
      ...{ as: 'ada', path: '/tools/expose/shown', lang: 'zh', theme: 'dark' },
      viewport: { width: 768, height: 900 },
    })
    const { page } = shown
    for (const tab of ['连接', '工具', '会话', '调用']) {
      await page.getByRole('tab', { name: tab }).click()
      await expect.poll(() => page.getByText('加载中…').count()).toBe(0)
      expect([tab, ...(await barriersOf(page))]).toEqual([tab])
    }
    expect(shown.problems).toEqual([])
  })

  test('who is no administrator is told calmly whom to ask', async () => {
    await using shown = await openPage(chromium, site, { path: '/tools/expose' })
    await shown.page.getByText('Tool groups are for administrators').waitFor()
    expect(await shown.page.getByRole('alert').count()).toBe(0)
    expect(shown.problems).toEqual([])
  })

  test('where the gateway is off, the page says so and how to switch it on', async () => {
    await using off = await startSite({ env: { DATAAGENT_GATEWAY: 'false' } })
    await using shown = await openPage(chromium, off, {
      ...{ as: 'ada', path: '/tools/expose', lang: 'zh' },
    })
    await shown.page.getByText('DATAAGENT_GATEWAY=true').waitFor()
    expect(await shown.page.getByRole('alert').count()).toBe(0)
    expect(shown.problems).toEqual([])
  })
})
