import { lastUserText, toolRounds, waitFor } from '@dataagent/testkit'
import type { Browser, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { barriersOf } from '../testing/test-barriers.ts'
import { startBrowser } from '../testing/test-browser.ts'
import { startTestMcpServer, type TestMcpServer } from '../testing/test-mcp-server.ts'
import { openPage } from '../testing/test-page.ts'
import { startSite, type TestSite } from '../testing/test-site.ts'

const browser = await startBrowser()

const toolOf = (name: string) => ({
  ...{ name, description: `Does ${name}.`, inputSchema: { type: 'object', properties: {} } },
  run: () => ({ [name]: 7 }),
})

async function say(page: Page, text: string): Promise<void> {
  await page.getByRole('combobox').fill(text)
  await page.keyboard.press('Enter')
}

/** Opens the panel of tools, switches one server, and waits until the server has it. */
async function flip(page: Page, session_id: string, name: string): Promise<void> {
  await page.getByRole('button', { name: /^Tools:/ }).click()
  const saved = page.waitForResponse(
    (answer) => answer.url().endsWith(session_id) && answer.request().method() === 'PATCH',
  )
  await page.getByRole('dialog').getByRole('switch', { name }).click()
  expect((await saved).status()).toBe(200)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

describe.skipIf(!browser)('tools in the chat', () => {
  const chromium = browser as Browser
  const cleanup = new AsyncDisposableStack()
  let site: TestSite
  let stock: TestMcpServer
  beforeAll(async () => {
    site = cleanup.use(
      await startSite({
        script(request) {
          const text = lastUserText(request)
          if (!text.startsWith('count') || toolRounds(request) > 0) {
            return { text: `You said: ${text}` }
          }
          return { toolCalls: [{ name: 'stock--count_stock', arguments: {} }] }
        },
      }),
    )
    const orders = cleanup.use(
      await startTestMcpServer(['find_order', 'list_orders', 'order_detail'].map(toolOf)),
    )
    stock = cleanup.use(await startTestMcpServer([toolOf('count_stock')]))
    const ada = site.clientOf('ada')
    const common = { toolApproval: { '*': 'allow' as const }, trustedOutput: true }
    await ada.servers.create({
      config: { name: 'orders', url: orders.url, trigger_keywords: ['订单'], ...common },
    })
    await ada.servers.create({
      config: { name: 'stock', url: stock.url, trigger_keywords: ['库存'], ...common },
    })
    await ada.agents.create({ assistant_id: 'desk', name: 'Desk', tool_mode: 'intent' })
    const offered = async () => (await ada.tools.list({ limit: 200 })).tools
    await waitFor(async () => (await offered()).filter((tool) => isOfServer(tool)).length === 4, {
      timeoutMs: 20_000,
      what: 'tools of both servers',
    })
  }, 60_000)
  afterAll(async () => {
    await cleanup.disposeAsync()
    await chromium.close()
  })

  const isOfServer = ({ server_id }: { server_id: string }) => server_id !== 'dataagent'
  const begin = async (fields: { assistant_id?: string } = {}) =>
    (await site.clientOf('ana').sessions.create(fields)).session_id
  /** Servers that the model was last told tools of. */
  const toldOf = () => {
    const names = site.model.requests.at(-1)?.tools.map(({ name }) => name) ?? []
    return ['orders', 'stock'].filter((server) => names.some((name) => name.startsWith(server)))
  }

  test('a message tells which word brought which tools, until that is put away [B2.2] [B3.1]', async () => {
    const session_id = await begin({ assistant_id: 'desk' })
    await using shown = await openPage(chromium, site, { path: `/c/${session_id}` })
    const { page } = shown
    await say(page, '我的订单到哪了')
    const hint = page.getByText('Matched orders by keyword “订单” – 3 tools offered')
    await hint.waitFor()
    await page.getByText('You said: 我的订单到哪了').waitFor()
    await say(page, 'thank you')
    await page.getByText('You said: thank you').waitFor()
    expect(await page.getByText('Matched').count()).toBe(1)
    expect(await barriersOf(page)).toEqual([])
    await page.reload()
    await hint.waitFor()
    await page.getByRole('button', { name: 'Hide this hint' }).click()
    await hint.waitFor({ state: 'detached' })
    await page.reload()
    await page.getByText('You said: thank you').waitFor()
    expect(await page.getByText('Matched').count()).toBe(0)
    expect(shown.problems).toEqual([])
  })

  test('it says so where all tools are offered anyway, and where there is no such tool [B2.1]', async () => {
    const session_id = await begin()
    const path = `/c/${session_id}`
    await using shown = await openPage(chromium, site, { path, lang: 'zh', theme: 'dark' })
    const { page } = shown
    await say(page, '库存和订单')
    await page
      .getByText('已匹配 stock（关键词“库存”）、orders（关键词“订单”） – 全部 4 个工具始终提供')
      .waitFor()
    await page.getByText('You said: 库存和订单').waitFor()
    await say(page, '/tool price_oracle')
    await page.getByText('此对话中没有名为“price_oracle”的工具。').waitFor()
    expect(shown.problems).toEqual([])
  })

  test('a message waits for a switch that is on its way, and one that fails goes back', async () => {
    const session_id = await begin()
    await using shown = await openPage(chromium, site, { path: `/c/${session_id}` })
    const { page } = shown
    await page.getByRole('button', { name: 'Tools: 4 tools from 2 servers' }).click()
    const held = Promise.withResolvers<Route>()
    await page.route(`**/sessions/${session_id}`, (route) =>
      route.request().method() === 'PATCH' ? held.resolve(route) : route.continue(),
    )
    await page.getByRole('dialog').getByRole('switch', { name: 'stock' }).click()
    const route = await held.promise
    await page.keyboard.press('Escape')
    const [calls, requests] = [stock.calls.length, site.model.requests.length]
    await say(page, 'count at once')
    await page.getByRole('list', { name: 'Queued' }).getByText('count at once').waitFor()
    expect(site.model.requests).toHaveLength(requests)
    await route.continue()
    await page.getByText('You said: count at once').waitFor()
    expect([toldOf(), stock.calls.length]).toEqual([['orders'], calls])

    await page.unrouteAll()
    await page.route(`**/sessions/${session_id}`, (failing) =>
      failing.request().method() === 'PATCH' ? failing.abort() : failing.continue(),
    )
    await page.getByRole('button', { name: 'Tools: 3 tools from 1 server, 1 off' }).click()
    await page.getByRole('dialog').getByRole('switch', { name: 'stock' }).click()
    await page.getByRole('button', { name: 'Dismiss' }).waitFor()
    await page.getByRole('dialog').getByRole('switch', { name: 'stock', checked: false }).waitFor()
  })

  test('a server is switched off for one chat, stays so, and is switched on again', async () => {
    const [one, other] = [await begin(), await begin()]
    await using shown = await openPage(chromium, site, { path: `/c/${one}` })
    const { page } = shown
    await page.getByRole('button', { name: 'Tools: 4 tools from 2 servers' }).waitFor()
    await flip(page, one, 'stock')
    await page.getByRole('button', { name: 'Tools: 3 tools from 1 server, 1 off' }).waitFor()
    await say(page, 'count it')
    await page.getByText('You said: count it').waitFor()
    await page.getByText('Not allowed').first().waitFor()
    expect(toldOf()).toEqual(['orders'])
    expect(stock.calls).toEqual([])

    await page.reload()
    await page.getByRole('button', { name: 'Tools: 3 tools from 1 server, 1 off' }).waitFor()
    await page.goto(`${site.url}/c/${other}`)
    await page.getByRole('button', { name: 'Tools: 4 tools from 2 servers' }).waitFor()
    await say(page, 'count there')
    await page.getByText('You said: count there').waitFor()
    expect([toldOf(), stock.calls.length]).toEqual([['orders', 'stock'], 1])

    await page.goto(`${site.url}/c/${one}`)
    await page.getByRole('button', { name: 'Tools: 3 tools from 1 server, 1 off' }).waitFor()
    await flip(page, one, 'stock')
    await say(page, 'count again')
    await page.getByText('You said: count again').waitFor()
    expect([toldOf(), stock.calls.length]).toEqual([['orders', 'stock'], 2])
    expect(shown.problems).toEqual([])
  })

  test('what is switched off before the first message is off from it on, on a phone too', async () => {
    const viewport = { width: 360, height: 740 }
    await using shown = await openPage(chromium, site, { viewport })
    const { page } = shown
    await page.getByRole('button', { name: 'Tools: 4 tools from 2 servers' }).click()
    const panel = page.getByRole('dialog', { name: 'Tools in this chat' })
    await panel.getByRole('switch', { name: 'orders' }).click()
    await page.getByRole('button', { name: 'Tools: 1 tool from 1 server, 1 off' }).waitFor()
    expect(await barriersOf(page, '[role=dialog]')).toEqual([])
    await page.keyboard.press('Escape')
    await say(page, 'first of all')
    await page.getByText('You said: first of all').waitFor()
    expect(toldOf()).toEqual(['stock'])
    await page.getByRole('button', { name: 'Tools: 1 tool from 1 server, 1 off' }).waitFor()
    expect(shown.problems).toEqual([])
  })

  test('a server that waits for its user is counted, and says so', async () => {
    await using crm = await startTestMcpServer([toolOf('find_customer')])
    crm.token = 'of each user'
    const config = { name: 'crm', url: crm.url, credentials: 'user' as const }
    const { server_id } = await site.clientOf('ada').servers.create({ config })
    await using shown = await openPage(chromium, site)
    const { page } = shown
    const chip = page.getByRole('button', { name: /^Tools:/ })
    await page
      .getByRole('button', { name: 'Tools: 4 tools from 2 servers, 1 needs sign-in' })
      .waitFor()
    await chip.click()
    const row = page.getByRole('dialog').getByRole('listitem').filter({ hasText: 'crm' })
    await row.getByText('Needs your credentials').waitFor()
    await row.getByRole('switch').click()
    await page.getByRole('button', { name: 'Tools: 4 tools from 2 servers, 1 off' }).waitFor()
    expect(shown.problems).toEqual([])
    await site.clientOf('ada').servers.delete(server_id)
  })
})
