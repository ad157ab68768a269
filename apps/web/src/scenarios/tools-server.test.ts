import AxeBuilder from '@axe-core/playwright'
import {
  type AuthorizationServerStandIn,
  type ProtectedResourceStandIn,
  startAuthorizationServer,
  startProtectedResource,
  waitFor,
} from '@dataagent/testkit'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startBrowser } from '../testing/test-browser.ts'
import {
  startTestMcpServer,
  type TestMcpServer,
  type TestTool,
} from '../testing/test-mcp-server.ts'
import { openPage } from '../testing/test-page.ts'
import { startSite, type TestSite } from '../testing/test-site.ts'

const browser = await startBrowser()

const order: TestTool = {
  ...{ name: 'order', title: 'Place an order', description: 'Orders goods and lists the lines' },
  inputSchema: {
    type: 'object',
    required: ['customer', 'lines'],
    properties: {
      customer: { type: 'string', minLength: 3, description: 'Who orders' },
      discount: { type: 'number' },
      urgent: { type: 'boolean' },
      shipping: { enum: ['road', 'air'] },
      notes: { type: 'array', items: { type: 'string' } },
      lines: {
        type: 'array',
        items: {
          type: 'object',
          required: ['sku', 'count'],
          properties: { sku: { type: 'string' }, count: { type: 'integer', minimum: 1 } },
        },
      },
      extra: { type: 'object', additionalProperties: true },
    },
  },
  annotations: { readOnlyHint: true },
  run: ({ lines }) => ({ rows: lines, args: 'taken' }),
}
const cancel: TestTool = {
  ...{ name: 'cancel', description: 'Cancels all orders' },
  ...{ inputSchema: { type: 'object' }, annotations: { destructiveHint: true } },
  run: () => ({ cancelled: 7 }),
}

const answers: Record<string, object> = {
  initialize: {
    ...{ protocolVersion: '2025-11-25', capabilities: { tools: {} } },
    serverInfo: { name: 'guarded', version: '1' },
  },
  'tools/list': { tools: [{ name: 'whoami', inputSchema: { type: 'object' } }] },
  ping: {},
}

describe.skipIf(!browser)('the page of a server', () => {
  const chromium = browser as Browser
  let site: TestSite
  let mcp: TestMcpServer
  let server_id: string
  let authorization: AuthorizationServerStandIn
  let resource: ProtectedResourceStandIn
  beforeAll(async () => {
    mcp = await startTestMcpServer([order, cancel])
    authorization = await startAuthorizationServer()
    resource = await startProtectedResource({
      issuers: () => [authorization.issuer],
      verify: authorization.verify,
      answer: ({ method }) => (method ? answers[method] : undefined),
    })
    site = await startSite()
    const { servers } = site.clientOf('ada')
    const shop = await servers.create({ config: { name: 'shop', url: mcp.url } })
    server_id = shop.server_id
    await servers.reconnect(server_id)
  })
  afterAll(async () => {
    await site[Symbol.asyncDispose]()
    await mcp[Symbol.asyncDispose]()
    await resource[Symbol.asyncDispose]()
    await authorization[Symbol.asyncDispose]()
    await chromium.close()
  })

  const toolOf = (page: Page, name: string) =>
    page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) })

  test('lists its tools with what they may do, whether they ask and why, and finds them', async () => {
    await using shown = await openPage(chromium, site, { path: '/tools?tab=shared' })
    const { page } = shown
    await page.getByRole('link', { name: 'shop' }).click()
    await toolOf(page, 'order').getByText('Reads', { exact: true }).waitFor()
    await toolOf(page, 'cancel').getByText('May destroy').waitFor()
    await toolOf(page, 'cancel').getByText('Asks first').waitFor()
    await toolOf(page, 'order').getByText('Schema · Why').click()
    await toolOf(page, 'order').getByText('customer*').waitFor()
    await page.getByLabel('Search tools').fill('goods')
    await toolOf(page, 'cancel').waitFor({ state: 'detached' })
    expect(new URL(page.url()).search).toContain('q=goods')
    await page.reload()
    await toolOf(page, 'order').waitFor()
    expect(await toolOf(page, 'cancel').count()).toBe(0)
    expect(shown.problems).toEqual([])
  })

  test('tries a tool by a form of its schema; what does not fit is said at its field', async () => {
    await using shown = await openPage(chromium, site, { path: `/tools/servers/${server_id}` })
    const { page } = shown
    const item = toolOf(page, 'order')
    await item.getByRole('button', { name: 'Try it' }).click()
    await item.getByRole('textbox', { name: 'customer' }).fill('An')
    await item.getByRole('textbox', { name: 'discount' }).fill('much')
    await item.getByRole('button', { name: 'Run' }).click()
    await item.getByText('Write a number.').waitFor()
    await item.getByRole('textbox', { name: 'discount' }).fill('0.5')
    await item.getByRole('button', { name: 'Run' }).click()
    await item.getByText('The arguments do not fit.').waitFor()
    const about = await item.getByRole('textbox', { name: 'customer' }).getAttribute('aria-invalid')
    expect(about).toBe('true')
    await item.getByRole('textbox', { name: 'customer' }).fill('Ana')
    await item.getByLabel('urgent').selectOption({ label: 'Yes' })
    await item.getByLabel('shipping').selectOption({ label: 'air' })
    await item.getByRole('button', { name: 'Add to notes' }).click()
    await item.getByRole('textbox', { name: 'notes 1' }).fill('fragile')
    await item.getByRole('button', { name: 'Add to lines' }).click()
    await item.getByRole('textbox', { name: 'sku' }).fill('lamp')
    await item.getByRole('textbox', { name: /^count/ }).fill('2')
    await item.getByRole('textbox', { name: 'extra' }).fill('{"gift":true}')
    await item.getByRole('button', { name: 'Run' }).click()
    await item.getByRole('cell', { name: 'lamp' }).waitFor()
    expect(mcp.calls).toEqual([
      {
        name: 'order',
        args: {
          ...{ customer: 'Ana', discount: 0.5, urgent: true, shipping: 'air', notes: ['fragile'] },
          ...{ lines: [{ sku: 'lamp', count: 2 }], extra: { gift: true } },
        },
      },
    ])
    await item.getByRole('button', { name: 'JSON', exact: true }).first().click()
    expect(await item.getByLabel('Arguments as JSON').inputValue()).toContain('"fragile"')
    await page.getByRole('tab', { name: 'Calls' }).click()
    await page.getByRole('button', { name: 'Details of the call of order' }).first().click()
    await page.getByRole('dialog').getByText('Call of order').waitFor()
    expect(shown.problems).toEqual([])
  })

  test('asks before it runs what must be asked for, and the answer is given on the spot', async () => {
    await using shown = await openPage(chromium, site, { path: `/tools/servers/${server_id}` })
    const { page } = shown
    const item = toolOf(page, 'cancel')
    await item.getByRole('button', { name: 'Try it' }).click()
    await item.getByText('It takes no arguments.').waitFor()
    await item.getByRole('button', { name: 'Ask and run' }).click()
    await item.getByRole('button', { name: 'Allow once' }).click()
    await item.getByText('Done in').waitFor()
    await item.getByRole('button', { name: 'Ask and run' }).click()
    await item.getByRole('button', { name: 'Reject' }).click()
    await item.getByText('It was rejected, and has not run.').waitFor()
    expect(mcp.calls.filter(({ name }) => name === 'cancel')).toHaveLength(1)
    expect(shown.problems).toEqual([])
  })

  test('of all that waits only the call of this page is decided here', async () => {
    const before = mcp.calls.length
    const others = (['ana', 'ada'] as const).map((person) => {
      const leaving = new AbortController()
      const args = { by: `a program of ${person}` }
      const call = site
        .clientOf(person)
        .tools.call(
          { tool: { server_id, name: 'cancel' }, args, wait_for_approval: true },
          { signal: leaving.signal },
        )
        .catch(() => 'left')
      return { leaving, call }
    })
    const pending = async () =>
      (await site.clientOf('ada').approvals.list({ status: 'pending' })).approvals
    await waitFor(async () => (await pending()).length === 2)
    await using shown = await openPage(chromium, site, {
      ...{ as: 'ada', path: `/tools/servers/${server_id}` },
    })
    const { page } = shown
    const item = toolOf(page, 'cancel')
    await item.getByRole('button', { name: 'Try it' }).click()
    await item.getByRole('button', { name: 'Ask and run' }).click()
    await item.getByText('Called by ada.').waitFor()
    await item.getByText('No arguments', { exact: true }).waitFor()
    await item.getByText('Why it asks: its server says that it is destructive.').waitFor()
    await item.getByRole('button', { name: 'Allow once' }).click()
    await item.getByText('Done in').waitFor()
    expect(mcp.calls.slice(before)).toEqual([{ name: 'cancel', args: {} }])
    const left = await pending()
    expect(left).toHaveLength(2)
    for (const { approval_id } of left) {
      await site.clientOf('ada').approvals.decide(approval_id, { type: 'reject' })
    }
    for (const { leaving, call } of others) {
      leaving.abort()
      await call
    }
    expect(shown.problems).toEqual([])
  })

  test('a changed definition waits with its difference until an administrator approves it', async () => {
    await using shown = await openPage(chromium, site, {
      ...{ as: 'ada', path: `/tools/servers/${server_id}` },
    })
    const { page } = shown
    await toolOf(page, 'order').waitFor()
    mcp.tools = [{ ...order, description: 'Orders goods and\u202e tells everybody' }, cancel]
    await page.getByRole('button', { name: 'List tools again' }).click()
    await page.getByText('1 tool waits for approval').waitFor()
    await page.getByRole('tab', { name: /Definitions to approve/ }).click()
    const change = toolOf(page, 'order')
    await change.getByText('− Orders goods and lists the lines').waitFor()
    await change.getByText('+ Orders goods and').waitFor()
    await change.getByText('U+202E').first().waitFor()
    await change.getByRole('button', { name: 'Approve: order' }).click()
    await page.getByText('order is offered as it is now.').waitFor()
    await page.getByText('Nothing to approve').waitFor()
    await page.getByRole('tab', { name: 'Tools' }).click()
    await toolOf(page, 'order').getByText('tells everybody').waitFor()
    expect(shown.problems).toEqual([])
  })

  test('each person gives a shared server credentials of their own, and takes them back', async () => {
    const config = { ...{ name: 'personal', url: mcp.url, credentials: 'user' as const } }
    const { servers } = site.clientOf('ada')
    const personal = await servers.create({ config: { ...config, headers: { 'X-Team': 'x' } } })
    await using shown = await openPage(chromium, site, { path: '/tools?tab=shared' })
    const { page } = shown
    await page.getByText('Needs your credentials').waitFor()
    await page.getByRole('link', { name: 'Give credentials' }).click()
    await page.getByText('Not given yet').waitFor()
    await page.getByLabel('Authorization (token)').fill('mine')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Given', { exact: true }).waitFor()
    await page.getByText('Connected', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Delete mine' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete mine' }).click()
    await page.getByText('Not given yet').waitFor()
    expect(page.url()).toContain(personal.server_id)
    expect(shown.problems).toEqual([])
  })

  test('a server that wants a sign-in says so; the browser signs in there and comes back', async () => {
    await using shown = await openPage(chromium, site, { path: '/tools' })
    const { page } = shown
    await page.route(`${authorization.issuer}/**`, async (route) => {
      const answer = await authorization.visit(route.request().url())
      const query = new URLSearchParams(answer as Record<string, string>)
      const location = `${site.url}/api/v1/oauth/callback?${query}`
      await route.fulfill({ status: 302, headers: { location } })
    })
    await page.getByRole('button', { name: 'Add server' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('guarded')
    await page.getByRole('textbox', { name: 'Address (URL)' }).fill(resource.url)
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('Needs sign-in').waitFor()
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('You are signed in at the server.').waitFor()
    await page.getByText('Connected', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'guarded' }).click()
    await page.getByRole('tab', { name: 'Access' }).click()
    await page.getByText(`Signed in at ${authorization.issuer}`).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('Needs sign-in').waitFor()
    expect(shown.problems).toEqual([])
  })

  test('reads well in Chinese, in the dark, on a tablet, and to screen readers', async () => {
    const tablet = { lang: 'zh', theme: 'dark', viewport: { width: 768, height: 1024 } } as const
    const path = `/tools/servers/${server_id}`
    await using shown = await openPage(chromium, site, { ...tablet, as: 'ada', path })
    const { page } = shown
    await toolOf(page, 'order').getByRole('button', { name: '试用' }).click()
    await page.getByText('参数定义 · 原因').first().click()
    for (const tab of ['工具', '待批准的定义', '访问凭据', '调用记录', '设置']) {
      await page.getByRole('tab', { name: tab }).click()
      await page.getByRole('tabpanel').waitFor()
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      expect(width).toBeLessThanOrEqual(768)
      if (tab === '待批准的定义' || tab === '设置') continue
      const { violations } = await new AxeBuilder({ page }).include('main').analyze()
      expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([])
    }
    await page.goto(`${site.url}/tools/servers/nowhere`)
    await page.getByRole('heading', { name: '没有这个服务' }).first().waitFor()
    expect(shown.problems).toEqual([])
  })
})
