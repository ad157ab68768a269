import { type HostileHttp, startHostileHttp, waitFor } from '@dataagent/testkit'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startBrowser } from '../testing/test-browser.ts'
import { openPage } from '../testing/test-page.ts'
import { startSite, type TestSite } from '../testing/test-site.ts'

const browser = await startBrowser()
const soon = { timeout: 20_000 }

describe.skipIf(!browser)('agents, models, tools and policies [D0.1]', () => {
  const chromium = browser as Browser
  let site: TestSite
  let mall: HostileHttp
  beforeAll(async () => {
    mall = await startHostileHttp('none')
    site = await startSite()
    const { servers, tools, agents } = site.clientOf('ada')
    await servers.create({ config: { name: 'mall', url: mall.url } })
    await agents.create({ assistant_id: 'shop', name: 'Shop helper' })
    await waitFor(async () => (await tools.list({ q: 'mall.echo' })).total > 0)
  })
  afterAll(async () => {
    await site[Symbol.asyncDispose]()
    await mall[Symbol.asyncDispose]()
    await chromium.close()
  })

  const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
  const field = (page: Page, name: string) => page.getByRole('textbox', { name })
  const echoAs = (assistant_id: string) =>
    site.clientOf('ana').tools.call({ tool: 'mall.echo', args: { message: 'hi' }, assistant_id })

  test('an agent is set up, changed, switched off and deleted', async () => {
    await using shown = await openPage(chromium, site, { as: 'ada', path: '/admin/agents' })
    const { page } = shown
    const { agents } = site.clientOf('ada')
    await button(page, 'New agent').click()
    await page.getByLabel('Id').fill('writer')
    await page.getByLabel('Name').fill('Writer')
    await page.getByLabel('Instructions').fill('You write.')
    await page.getByRole('switch', { name: 'Memory' }).click()
    await button(page, 'Add').click()
    await rowOf(page, 'Writer').getByText('Skills').waitFor()
    expect(await agents.get('writer')).toMatchObject({
      ...{ system_prompt: 'You write.', enable_memory: false, model: null, tool_mode: 'auto' },
    })
    await rowOf(page, 'Writer').getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Model').fill('openai:standin')
    await page.getByLabel('How it finds its tools').selectOption('search')
    await button(page, 'Save').click()
    await page.getByText('Saved').waitFor()
    expect(await agents.get('writer')).toMatchObject({
      ...{ model: 'openai:standin', tool_mode: 'search', enable_memory: false },
    })
    await button(page, 'Actions for Writer').click()
    await page.getByRole('menuitem', { name: 'Disable' }).click()
    await rowOf(page, 'Writer').getByText('Disabled').waitFor()
    await button(page, 'Actions for Writer').click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await button(page, 'Delete').click()
    await rowOf(page, 'Writer').waitFor({ state: 'detached' })
    expect(shown.problems).toEqual([])
  })

  test('a model provider is added with its key, tested, and said what is wrong with', async () => {
    await using shown = await openPage(chromium, site, { as: 'ada', path: '/admin/models' })
    const { page } = shown
    await page.getByText('No provider added yet').waitFor()
    await page.getByText('OPENAI_API_KEY=').waitFor()
    await button(page, 'Add provider').click()
    await field(page, 'Id').fill('ds')
    await field(page, 'Name').fill('DeepSeek')
    await field(page, 'Address').fill(`${site.model.url}/v1`)
    await page.getByLabel('API key').fill(site.model.apiKey)
    await field(page, 'Models').fill('chat\nreasoner')
    await button(page, 'Add').click()
    await page.getByText('ds:reasoner').waitFor()
    await page.getByText(`set, ends in ${site.model.apiKey.slice(-4)}`).waitFor()
    site.model.script([{ text: 'ok' }])
    await button(page, 'Test').click()
    await page.getByText('chat answered in').waitFor()

    await button(page, 'Edit').click()
    await page.getByLabel('API key').fill('sk-wrong-0123456789abcdef')
    await button(page, 'Save').click()
    await page.getByText('set, ends in cdef').waitFor()
    await button(page, 'Test').click()
    await page.getByText('chat did not answer.').waitFor()
    await page.getByRole('switch', { name: 'DeepSeek: Enabled' }).click()
    await page.getByText('ds:reasoner').waitFor({ state: 'detached' })
    await button(page, 'Delete').click()
    await button(page, 'Delete').last().click()
    await page.getByText('No provider added yet').waitFor()
    expect(await page.content()).not.toContain(site.model.apiKey)
    expect(shown.problems).toEqual([])
  })

  test('a tick in the matrix allows a tool, for one agent alone [A2.1]', async () => {
    await using shown = await openPage(chromium, site, { as: 'ada', path: '/admin/registry' })
    const { page } = shown
    await rowOf(page, 'mall').getByText('Running').waitFor()
    await page.getByRole('tab', { name: 'Who may use what' }).click()
    const tick = (label: string) => page.getByRole('checkbox', { name: label, exact: true })
    expect(await tick('Shop helper may use mall.echo').isChecked()).toBe(true)

    await tick('Shop helper may use mall.echo').click()
    await page.getByText('Limit Shop helper to a list?').waitFor()
    await button(page, 'Limit to a list').click()
    await page.getByText('The list of Shop helper was changed.').waitFor()
    expect(await tick('Shop helper may use mall.echo').isChecked()).toBe(false)
    expect(await tick('Shop helper may use mall.touch').isChecked()).toBe(true)
    expect(await tick('DataAgent may use mall.echo').isChecked()).toBe(true)
    await expect(echoAs('shop')).rejects.toMatchObject({ error_code: 'tool_not_allowed' })
    expect((await echoAs('default')).status).toBe('ok')

    await tick('Shop helper may use all tools of mall').click()
    await expect.poll(() => tick('Shop helper may use mall.echo').isChecked(), soon).toBe(true)
    expect((await echoAs('shop')).status).toBe('ok')
    await button(page, 'List of Shop helper').click()
    await page.getByRole('menuitem', { name: 'Allow every tool' }).click()
    await button(page, 'Allow every tool').click()
    await expect.poll(() => page.getByText('Every tool', { exact: true }).count(), soon).toBe(2)
    expect(page.url()).toContain('tab=matrix')
    expect(shown.problems).toEqual([])
  })

  test('an agent limited from its menu keeps its tools, and gets none that come later', async () => {
    const { servers, tools } = site.clientOf('ada')
    await using shown = await openPage(chromium, site, {
      ...{ as: 'ada', path: '/admin/registry?tab=matrix' },
    })
    const { page } = shown
    await button(page, 'List of Shop helper').click()
    await page.getByRole('menuitem', { name: 'Limit to a list' }).click()
    await button(page, 'Limit to a list').click()
    await page.getByText('The list of Shop helper was changed.').waitFor()
    expect((await echoAs('shop')).status).toBe('ok')

    const { server_id } = await servers.create({ config: { name: 'later', url: mall.url } })
    await waitFor(async () => (await tools.list({ q: 'later.echo' })).total > 0)
    const later = { tool: 'later.echo', args: { message: 'hi' } }
    const callLater = (assistant_id: string) =>
      site.clientOf('ana').tools.call({ ...later, assistant_id })
    await expect(callLater('shop')).rejects.toMatchObject({ error_code: 'tool_not_allowed' })
    expect((await callLater('default')).status).toBe('ok')
    await page.reload()
    const tick = page.getByRole('checkbox', { name: 'Shop helper may use later.echo' })
    await expect.poll(() => tick.isChecked(), soon).toBe(false)
    await site.clientOf('ada').policy.unbind({ kind: 'agent', subject_id: 'shop' })
    await servers.delete(server_id)
    expect(shown.problems).toEqual([])
  })

  test('every tool is listed with its effect, what decides and what is held back', async () => {
    const own = { name: 'anas', url: mall.url, quarantine: true }
    const { server_id } = await site.clientOf('ana').userServers.create('ana', own)
    await site.clientOf('ana').servers.reconnect(server_id)
    await using shown = await openPage(chromium, site, { as: 'ada', path: '/admin/registry' })
    const { page } = shown
    await rowOf(page, 'mall').getByText('Tenant').waitFor()
    await page.getByRole('tab', { name: 'All tools' }).click()
    const count = rowOf(page, 'mall.count')
    await count.getByText('May destroy').waitFor()
    await count.getByText('Asks first').waitFor()
    await count.getByText('Its server says that it is destructive.').waitFor()
    await page.getByRole('combobox', { name: 'State' }).selectOption('withheld')
    await rowOf(page, 'mall.count').waitFor({ state: 'detached' })
    await rowOf(page, 'anas.echo').getByText('New, waits for approval').waitFor()
    await rowOf(page, 'anas.echo').getByText('of ana').waitFor()
    await page.getByRole('searchbox').fill('touch')
    await rowOf(page, 'anas.echo').waitFor({ state: 'detached' })
    expect(page.url()).toMatch(/offer=withheld.*q=touch|q=touch.*offer=withheld/)
    await rowOf(page, 'anas.touch').getByRole('link', { name: 'Why? anas.touch' }).click()
    await page.getByText('A person is asked first.').waitFor()
    await site.clientOf('ana').userServers.delete('ana', 'anas')
    expect(shown.problems).toEqual([])
  })

  test('a rule holds at once, and Explain says in words that it decides', async () => {
    await using shown = await openPage(chromium, site, { as: 'ada', path: '/admin/policies' })
    const { page } = shown
    await button(page, 'New rule').click()
    await page.getByRole('combobox', { name: 'Effect' }).selectOption('deny')
    await page.getByRole('combobox', { name: 'For' }).selectOption('user')
    await page.getByLabel('Which one').fill('ana')
    await page.getByRole('combobox', { name: 'Server' }).selectOption('mall')
    await page.getByRole('combobox', { name: 'Tool' }).fill('ec*')
    await page.getByLabel('Note').fill('Not for Ana')
    await button(page, 'Add').click()
    await rowOf(page, 'Not for Ana').getByText('Deny').waitFor()
    await expect(echoAs('default')).rejects.toMatchObject({ status: 403 })

    await page.getByRole('tab', { name: 'Explain' }).click()
    await page.getByRole('combobox', { name: 'User' }).fill('ana')
    await page.getByRole('combobox', { name: 'Agent' }).selectOption('shop')
    await page.getByRole('combobox', { name: 'Tool' }).fill('mall.echo')
    await button(page, 'Explain').click()
    await page.getByText('The call is refused.').waitFor()
    await page.getByText(/^Rule \S+ of tier Tenant says: Deny\.$/).waitFor()
    expect(page.url()).toMatch(/tool=mall.echo/)
    await page.getByRole('combobox', { name: 'User' }).fill('ben')
    await page.getByRole('switch', { name: 'With arguments' }).click()
    await button(page, 'JSON').click()
    await page.getByLabel('Arguments as JSON').fill('{ "message": 1 }')
    await button(page, 'Explain').click()
    await page.getByText('The call is allowed.').waitFor()
    await page.getByText('The arguments do not fit').waitFor()
    await page.getByText(/message: Expected .+, got /).waitFor()
    await button(page, 'Fields').click()
    await page.getByLabel('message').fill('hello')
    await button(page, 'Explain').click()
    await page.getByText('The arguments fit the tool.').waitFor()

    await page.getByRole('tab', { name: 'Rules' }).click()
    await rowOf(page, 'Not for Ana').getByRole('button', { name: 'Delete' }).click()
    await button(page, 'Delete').last().click()
    await page.getByText('No rules yet').waitFor()
    expect((await echoAs('default')).status).toBe('ok')
    expect(shown.problems).toEqual([])
  })

  test('a limit is added and deleted', async () => {
    await using shown = await openPage(chromium, site, {
      ...{ as: 'ada', path: '/admin/policies?tab=limits' },
    })
    const { page } = shown
    await button(page, 'New limit').click()
    await page.getByLabel('Most calls').fill('0')
    await page.getByRole('combobox', { name: 'In each' }).selectOption('hour')
    await button(page, 'Add').click()
    await page.getByRole('cell', { name: '0 calls in 1 h' }).waitFor()
    await expect(echoAs('default')).rejects.toMatchObject({ error_code: 'rate_limited' })
    await button(page, 'Delete').click()
    await button(page, 'Delete').last().click()
    await page.getByText('No limits yet').waitFor()
    expect((await echoAs('default')).status).toBe('ok')
    expect(shown.problems).toEqual([])
  })
})
