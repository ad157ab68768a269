import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { barriersOf } from '../testing/test-barriers.ts'
import { startBrowser } from '../testing/test-browser.ts'
import { openPage } from '../testing/test-page.ts'
import { startSite, type TestSite } from '../testing/test-site.ts'

const browser = await startBrowser()

/** A question of the empty chat; the list of chats may have one of the same name. */
const starter = (page: Page, name: string) =>
  page
    .getByRole('list', { name: /Questions to begin with|可以从这些问题开始/ })
    .getByRole('button', { name })

describe.skipIf(!browser)('the first run', () => {
  const chromium = browser as Browser
  let withSamples: TestSite
  let withModel: TestSite
  beforeAll(async () => {
    const demo = startSite({ demo: true, env: { DATAAGENT_SAMPLES: 'on' } })
    ;[withSamples, withModel] = await Promise.all([demo, startSite()])
  }, 60_000)
  afterAll(async () => {
    await withSamples[Symbol.asyncDispose]()
    await withModel[Symbol.asyncDispose]()
    await chromium.close()
  })

  test('the tour is made of real things, is taken by keys, and is not offered again', async () => {
    await using shown = await openPage(chromium, withSamples, {
      as: 'ada',
      lang: 'zh',
      theme: 'dark',
    })
    const { page } = shown
    await starter(page, '查一下订单 order-0012').waitFor()
    expect(await barriersOf(page)).toEqual([])
    await page.getByRole('button', { name: '开始导览' }).press('Enter')
    const step = page.getByRole('dialog', { name: '提一个问题' })
    await step.getByText('第 1 步，共 4 步').waitFor()
    await page.keyboard.press('Enter')
    await step.getByText('这就是回答').waitFor()
    await page.getByText('customerId: customer-046').waitFor()
    await step.getByRole('button', { name: '下一步' }).press('Enter')
    await page.getByRole('dialog', { name: '由你决定' }).waitFor()
    expect(await page.getByRole('combobox').inputValue()).toBe('取消订单 order-0007')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: '允许一次' }).click()
    await page.getByText('status: cancelled').waitFor()
    await page.getByRole('button', { name: '下一步' }).press('Enter')
    await page.getByRole('heading', { name: '添加 MCP 服务' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/tools')
    await page.getByRole('button', { name: '下一步' }).press('Enter')
    const last = page.getByRole('dialog', { name: '接入 Dify' })
    await last.getByText('第 4 步，共 4 步').waitFor()
    expect(new URL(page.url()).pathname).toBe('/tools/expose')
    expect(await barriersOf(page, '[role=dialog]')).toEqual([])
    await last.press('Escape')
    await last.waitFor({ state: 'detached' })

    await page.goto(`${withSamples.url}/c`)
    await starter(page, '查一下订单 order-0012').waitFor()
    expect(await page.getByRole('button', { name: '开始导览' }).count()).toBe(0)
    await page.getByRole('button', { name: 'ada 的账号' }).click()
    await page.getByRole('menuitem', { name: '快捷键与帮助' }).click()
    await page.getByRole('dialog').getByRole('button', { name: '开始导览' }).click()
    await page.getByText('第 1 步，共 4 步').waitFor()
    expect(shown.problems).toEqual([])
  })

  test('the tour stays where it is when a sample server goes away', async () => {
    await using shown = await openPage(chromium, withSamples, { as: 'ada' })
    const { page } = shown
    await starter(page, 'What is in order-0012?').waitFor()
    await page.getByRole('button', { name: 'Take the tour' }).click()
    const step = page.getByRole('dialog')
    await step.getByText('Step 1 of 4').waitFor()
    await step.getByRole('button', { name: 'Next' }).click()
    await step.getByText('Step 2 of 4').waitFor()
    await page.route(/\/api\/v1\/mcp-servers(\?|$)/, async (route) => {
      const response = await route.fetch()
      const { servers, ...rest } = await response.json()
      const failing = servers.map((one: object) => ({ ...one, status: 'error' }))
      await route.fulfill({ response, json: { ...rest, servers: failing } })
    })
    await starter(page, 'What is in order-0012?').waitFor({ state: 'detached' })
    expect(await step.textContent()).toContain('Stay in charge')
    expect(await step.textContent()).toContain('Step 2 of 4')
    expect(new URL(page.url()).pathname).toBe('/c')
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    expect(shown.problems).toEqual([])
  })

  test('on a phone there are the questions and the card, and no tour', async () => {
    const viewport = { width: 360, height: 740 }
    await using shown = await openPage(chromium, withSamples, { viewport })
    const { page } = shown
    await starter(page, 'What is in order-0012?').click()
    expect(await page.getByRole('combobox').inputValue()).toBe('What is in order-0012?')
    const card = page.getByRole('region', { name: 'You are talking to the demo model' })
    await card.getByText('Ask your administrator').waitFor()
    expect(await card.getByRole('link').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Take the tour' }).isVisible()).toBe(false)
    expect(await barriersOf(page)).toEqual([])
    await card.getByRole('button', { name: 'Put this card away' }).click()
    await page.reload()
    await starter(page, 'What is in order-0012?').waitFor()
    expect(await card.count()).toBe(0)
    expect(shown.problems).toEqual([])
  })

  test('an administrator is led from the card to the models', async () => {
    await using shown = await openPage(chromium, withSamples, { as: 'ada' })
    const { page } = shown
    await page.getByRole('link', { name: 'Add a model here' }).click()
    await page.getByRole('heading', { name: 'Models', level: 1 }).waitFor()
    expect(shown.problems).toEqual([])
  })

  test('an administrator is told the command that there is where the server is installed', async () => {
    await using shown = await openPage(chromium, withSamples, { as: 'ada' })
    const { page } = shown
    await page.getByText('ANTHROPIC_API_KEY=sk-ant-… npm start', { exact: true }).waitFor()
    const commands = { server: 'dataagent serve', terminal: 'dataagent' }
    const json = { api_key: true, oidc: null, commands }
    await page.route('**/api/v1/sign-in/methods', (route) => route.fulfill({ json }))
    await page.reload()
    await page.getByText('OPENAI_API_KEY=sk-… dataagent serve', { exact: true }).waitFor()
    expect(shown.problems).toEqual([])
  })

  test('with a real model and no samples there is no card, and questions that fit anywhere', async () => {
    await using shown = await openPage(chromium, withModel, { as: 'ada' })
    const { page } = shown
    await Promise.all([page.waitForResponse(/\/api\/v1\/agents/), page.reload()])
    await starter(page, 'What tools do you have?').waitFor()
    expect(await page.getByText('order-0012').count()).toBe(0)
    expect(await page.getByText('demo model').count()).toBe(0)
    expect(shown.problems).toEqual([])
  })

  test('what a link asks is filled in, never sent', async () => {
    await using shown = await openPage(chromium, withModel, { path: '/c?ask=Hello%20there' })
    const { page } = shown
    await page.waitForURL(`${withModel.url}/c`)
    expect(await page.getByRole('combobox').inputValue()).toBe('Hello there')
    expect(withModel.model.requests).toHaveLength(0)
    expect(shown.problems).toEqual([])
  })
})
