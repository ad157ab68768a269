import type { ExecutionEvent } from '@dataagent/schema'
import { lastUserText, toolRounds, waitFor } from '@dataagent/testkit'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { barriersOf } from '../testing/test-barriers.ts'
import { startBrowser } from '../testing/test-browser.ts'
import { fillLog } from '../testing/test-log.ts'
import { startTestMcpServer, type TestMcpServer } from '../testing/test-mcp-server.ts'
import { openPage } from '../testing/test-page.ts'
import { startSite, type TestSite } from '../testing/test-site.ts'

const browser = await startBrowser()

const cancel = {
  ...{ name: 'cancel', description: 'Cancels an order.' },
  inputSchema: { type: 'object', properties: { order: { type: 'string' } } },
  annotations: { destructiveHint: true },
  run: () => ({ cancelled: true }),
}

async function say(page: Page, text: string): Promise<void> {
  await page.getByRole('combobox').fill(text)
  await page.keyboard.press('Enter')
}

const cardOf = (page: Page) => page.getByRole('region', { name: /^(Allow|允许) .*cancel/ })
const isFocused = (page: Page, selector: string) =>
  page.evaluate((wanted) => document.activeElement?.matches(wanted) === true, selector)

describe.skipIf(!browser)('what waits for a person in a chat', () => {
  const chromium = browser as Browser
  const cleanup = new AsyncDisposableStack()
  let shop: TestMcpServer
  let site: TestSite
  beforeAll(async () => {
    shop = cleanup.use(await startTestMcpServer([cancel]))
    site = cleanup.use(await startShopSite())
  }, 60_000)
  afterAll(async () => {
    await cleanup.disposeAsync()
    await chromium.close()
  })

  async function startShopSite(env: Record<string, string> = {}): Promise<TestSite> {
    const made = await startSite({
      env,
      script(request) {
        const text = lastUserText(request)
        if (!text.startsWith('cancel')) return { text: `You said: ${text}` }
        if (toolRounds(request) > 0) return { text: 'It was cancelled.' }
        const order = text.includes('long') ? 'x'.repeat(150_000) : text
        return { toolCalls: [{ name: 'shop--cancel', arguments: { order } }] }
      },
    })
    const ada = made.clientOf('ada')
    await ada.servers.create({ config: { name: 'shop', url: shop.url, trustedOutput: true } })
    await waitFor(async () => (await ada.tools.list({ q: 'cancel' })).total > 0, {
      ...{ timeoutMs: 20_000, what: 'the tool of the shop' },
    })
    return made
  }

  const ordersOf = ({ calls }: TestMcpServer) =>
    calls.map(({ args }) => (args as { order: string }).order)
  const waiting = async () =>
    (await site.clientOf('ana').approvals.list({ status: 'pending' })).approvals

  test('that nobody answered in time is asked again as a new turn, and runs once [D18.1]', {
    timeout: 120_000,
  }, async () => {
    await using brief = await startShopSite({ DATAAGENT_APPROVAL_TIMEOUT: '6' })
    await using shown = await openPage(chromium, brief)
    const { page } = shown
    await say(page, 'cancel in time')
    const expired = page.getByRole('status').filter({ hasText: 'Nobody answered in time.' })
    await expired.getByText('“Ask again” sends your message once more.').waitFor()
    const client = brief.clientOf('ana')
    const [old] = (await client.approvals.list()).approvals
    await expect(client.approvals.reask(old?.approval_id ?? '')).rejects.toMatchObject({
      ...{ error_code: 'conflict', details: { reason: 'run_over' } },
    })
    await expired.getByRole('button', { name: 'Ask again' }).click()
    await page.getByRole('button', { name: 'Allow once' }).click()
    await page.getByText('It was cancelled.').waitFor()
    await expired.getByText('Your message was sent once more').waitFor()
    expect(await page.getByRole('heading', { name: 'You' }).count()).toBe(2)
    expect(ordersOf(shop).filter((order) => order === 'cancel in time')).toHaveLength(1)
    await page.goto(`${brief.url}/approvals?id=${old?.approval_id}`)
    await page.getByText('The turn that asked has ended').waitFor()
    expect(await page.getByRole('button', { name: 'Ask again' }).count()).toBe(0)
    expect(shown.problems).toEqual([])
  })

  test('is not asked again in the chat for a tool that is allowed there', async () => {
    await using shown = await openPage(chromium, site)
    const { page } = shown
    await say(page, 'cancel the first')
    await page.getByRole('button', { name: 'Allow in this chat' }).click()
    await page.getByRole('menuitem', { name: 'This tool', exact: true }).click()
    await page.getByText('for this tool in this chat').waitFor()
    await page.getByText('It was cancelled.').waitFor()
    await say(page, 'cancel the second')
    await expect.poll(() => page.getByText('It was cancelled.').count()).toBe(2)
    expect(ordersOf(shop)).toEqual(
      expect.arrayContaining(['cancel the first', 'cancel the second']),
    )
    await page.goto(`${site.url}/c`)
    await say(page, 'cancel elsewhere')
    await cardOf(page).getByRole('button', { name: 'Reject' }).click()
    await page.getByRole('button', { name: 'Reject and stop' }).click()
    await page.getByText(/Rejected by you/).waitFor()
    expect(ordersOf(shop)).not.toContain('cancel elsewhere')
    expect(shown.problems).toEqual([])
  })

  test('runs with the arguments that a person puts in place of those asked for', async () => {
    await using shown = await openPage(chromium, site)
    const { page } = shown
    await say(page, 'cancel order 12')
    await cardOf(page).getByRole('button', { name: 'Edit' }).click()
    const args = page.getByLabel('Change the arguments, then allow')
    const allow = page.getByRole('button', { name: 'Allow with these arguments' })
    await args.fill('{ "order": ')
    await page.getByText('This is no JSON object.').waitFor()
    expect(await allow.isDisabled()).toBe(true)
    await args.fill('{ "order": "13" }')
    await allow.click()
    await page.getByText(/Allowed by you .*with other arguments/).waitFor()
    await page.getByText('It was cancelled.').waitFor()
    expect(ordersOf(shop)).toContain('13')
    expect(ordersOf(shop)).not.toContain('cancel order 12')
    expect(shown.problems).toEqual([])
  })

  test('is decided by the one to whom it is handed over', async () => {
    await using shown = await openPage(chromium, site)
    const { page } = shown
    const inboxOfBen = site.clientOf('ben').approvals
    await say(page, 'cancel by ben')
    const card = cardOf(page)
    await card.getByRole('button', { name: 'Ask someone else' }).click()
    await card.getByLabel('User').fill('ben')
    await card.getByRole('button', { name: 'Send' }).click()
    await card.getByText('Sent to ben').waitFor()
    const [handed] = (await inboxOfBen.list({ status: 'pending' })).approvals
    await inboxOfBen.decide(handed?.approval_id ?? '', { type: 'approve' })
    await page.getByText(/Allowed by ben/).waitFor()
    await page.getByText('It was cancelled.').waitFor()
    expect(ordersOf(shop)).toContain('cancel by ben')
    expect(shown.problems).toEqual([])
  })

  test('leaves the keys to whoever types; Esc leads to its no, and Y allows', async () => {
    await using shown = await openPage(chromium, site)
    const { page } = shown
    await say(page, 'cancel by key')
    await cardOf(page).waitFor()
    expect(await isFocused(page, 'textarea')).toBe(true)
    await page.keyboard.type('and ')
    await page.keyboard.type('yyy')
    await page.keyboard.press('Shift+Enter')
    expect(await page.getByRole('combobox').inputValue()).toBe('and yyy\n')
    expect(await isFocused(page, 'textarea')).toBe(true)
    expect(await waiting()).toHaveLength(1)

    await page.keyboard.press('Escape')
    expect(await isFocused(page, '[data-decision="reject"]')).toBe(true)
    expect(await waiting()).toHaveLength(1)
    await waitFor(async () => {
      if ((await waiting()).length > 0) await page.keyboard.press('y')
      return (await page.getByText('It was cancelled.').count()) > 0
    })
    expect(ordersOf(shop).filter((order) => order === 'cancel by key')).toHaveLength(1)
    expect(shown.problems).toEqual([])
  })

  test('takes the keys of nobody, once, and not the key that was meant for what was before', async () => {
    await using shown = await openPage(chromium, site)
    const { page } = shown
    await page.getByRole('combobox').waitFor()
    await page.evaluate(() => {
      const isCard = (target: EventTarget | null) =>
        (target as HTMLElement).dataset.waitingApproval !== undefined
      let count = 0
      addEventListener('focusin', ({ target }) => {
        if (!isCard(target)) return
        count += 1
        Object.assign(window, { cardFocused: count })
        for (const key of ['y', 'Enter']) {
          target?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
        }
      })
    })
    await page.getByRole('combobox').fill('cancel unseen')
    await page.keyboard.press('Enter')
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    await page.waitForFunction(() => 'cardFocused' in window)
    await cardOf(page).evaluate((card) => {
      const held = { key: 'y', bubbles: true, repeat: true }
      card.dispatchEvent(new KeyboardEvent('keydown', held))
    })
    expect(await waiting()).toHaveLength(1)
    // The card is made anew where the chat is opened again.
    await page.getByRole('link', { name: 'Tools' }).first().click()
    await page.goBack()
    await cardOf(page).waitFor()
    expect(await page.evaluate('window.cardFocused')).toBe(1)
    await cardOf(page).getByRole('button', { name: 'Allow once' }).click()
    await page.getByText('It was cancelled.').waitFor()
  })

  test('says why it asks, what it may do, and with what, in the language of the page', async () => {
    await using shown = await openPage(chromium, site, { lang: 'zh' })
    const { page } = shown
    await say(page, 'cancel long')
    const card = cardOf(page)
    await card.getByText('询问原因：服务声明该工具具有破坏性。').waitFor()
    await card.getByText('可能破坏').waitFor()
    await card.getByText(/将要执行的内容中有 [\d,]+ 个字符未显示/).waitFor()
    await card.getByText('Cancels an order.').waitFor()
    await card.getByText('order', { exact: true }).waitFor()
    expect(await card.textContent()).not.toContain('Not shown of the arguments')
    await card.getByRole('button', { name: 'JSON' }).click()
    await card.getByText('"order":').waitFor()
    expect(await barriersOf(page)).toEqual([])
    await page.getByRole('combobox').press('Escape')
    await page.keyboard.press('Escape')
    await waitFor(async () => {
      if (!(await isFocused(page, 'body'))) await page.keyboard.press('Escape')
      return (await waiting()).length === 0
    })
    await page.getByText('已停止', { exact: true }).waitFor()
    expect(shown.problems).toEqual([])
  })

  test('of a helper is seen, however many calls there were', async () => {
    const { session_id } = await site.clientOf('ana').sessions.create({})
    const at = { timestamp: Date.now() }
    const task = (n: number): ExecutionEvent => ({
      ...{ event_type: 'tool_call', ...at, tool_call_id: `t${n}`, tool_name: 'task' },
      tool_args: { n },
    })
    const below = { ...at, parent_tool_call_id: 't2', tool_call_id: 'c1' }
    await fillLog(site, session_id, [
      { event_type: 'user_message', ...at, message_id: 'm1', content: 'Do it' },
      ...[1, 2, 3, 4].map(task),
      { event_type: 'tool_call', ...below, tool_name: 'cancel', tool_args: {} },
      {
        ...{ event_type: 'hitl_request', ...below, approval_id: 'a1' },
        action_request: { name: 'cancel', args: {}, description: '' },
      },
    ])
    await using shown = await openPage(chromium, site, { path: `/c/${session_id}` })
    await cardOf(shown.page).waitFor()
  })
})
