import { readFile } from 'node:fs/promises'
import { type HostileHttp, startHostileHttp, waitFor } from '@dataagent/testkit'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { barriersOf } from '../testing/test-barriers.ts'
import { startBrowser } from '../testing/test-browser.ts'
import { openPage } from '../testing/test-page.ts'
import { startSite, type TestSite } from '../testing/test-site.ts'

const browser = await startBrowser()

describe.skipIf(!browser)('audit, usage and memory [D0.1]', () => {
  const chromium = browser as Browser
  let site: TestSite
  let mall: HostileHttp
  beforeAll(async () => {
    mall = await startHostileHttp('none')
    site = await startSite()
    const { servers, tools, audit } = site.clientOf('ada')
    await servers.create({ config: { name: 'mall', url: mall.url } })
    await waitFor(async () => (await tools.list({ q: 'mall.echo' })).total > 0)
    await call('ana', { message: 'hi' })
    await call('ben', { message: 7 }).catch(() => {})
    await waitFor(async () => (await audit.calls()).calls.length === 2)
  })
  afterAll(async () => {
    await site[Symbol.asyncDispose]()
    await mall[Symbol.asyncDispose]()
    await chromium.close()
  })

  const call = (as: 'ana' | 'ben', args: { message: string | number }) =>
    site.clientOf(as).tools.call({ tool: 'mall.echo', args })
  const rows = (page: Page) => page.getByRole('row').filter({ hasText: 'echo' })
  const showsRows = (page: Page, count: number) =>
    expect.poll(() => rows(page).count(), { timeout: 20_000 }).toBe(count)
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

  test('calls are filtered in the address, opened, and saved as a file', async () => {
    await using shown = await openPage(chromium, site, { as: 'aud', path: '/admin/audit' })
    const { page } = shown
    await showsRows(page, 2)
    await page.getByLabel('Outcome').selectOption('invalid')
    await showsRows(page, 1)
    expect(page.url()).toContain('status=invalid')
    await page.reload()
    await showsRows(page, 1)
    await rows(page).getByText('Wrong arguments').waitFor()
    await rows(page).getByRole('button').click()
    await page.getByRole('dialog').getByText('No rule speaks of it.').waitFor()
    await page.getByRole('dialog').getByText('"expected": "a string"').waitFor()
    expect(page.url()).toContain('call=')
    await button(page, 'Close').click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      button(page, 'Save as CSV').click(),
    ])
    const csv = await readFile(await download.path(), 'utf8')
    expect(csv.trim().split('\r\n')).toHaveLength(2)
    expect(csv).toContain(',invalid,')
    await button(page, 'Clear filters').click()
    await page.getByLabel('User').fill('ana')
    await button(page, 'Apply').click()
    await showsRows(page, 1)
    await rows(page).getByText('Done').waitFor()
    expect(shown.problems).toEqual([])
  })

  test('changes say what was before and after, and the record is whole', async () => {
    const { agents } = site.clientOf('ada')
    await agents.create({ assistant_id: 'writer', name: 'Writer' })
    await agents.update('writer', { name: 'Author' })
    await using shown = await openPage(chromium, site, {
      ...{ as: 'aud', path: '/admin/audit?tab=changes&kind=agent' },
    })
    const { page } = shown
    await page.getByRole('button', { name: 'Change of writer' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('cell', { name: 'Writer' }).waitFor()
    await dialog.getByRole('cell', { name: 'Author' }).waitFor()
    await button(page, 'Close').click()
    const saving = page.waitForEvent('download')
    await button(page, 'Save as CSV').click()
    const [head, ...lines] = (await readFile(await (await saving).path(), 'utf8')).split('\r\n')
    expect(head).toContain('changed_at,user_id,role,kind,target,action')
    expect(lines.filter((line) => line.includes(',agent,writer,'))).toHaveLength(2)
    await page.getByRole('tab', { name: 'Record check' }).click()
    await button(page, 'Check now').click()
    await page.getByText('The record is whole.').waitFor()
    expect(shown.problems).toEqual([])
  })

  test('usage is told by day, model and user', async () => {
    site.model.script([{ text: 'Hello.' }])
    await site.clientOf('ana').chat.send({ message: 'hi' })
    await using shown = await openPage(chromium, site, { as: 'aud', path: '/admin/usage' })
    const { page } = shown
    await page.getByRole('img', { name: 'Tokens of each day' }).waitFor()
    await page.getByLabel('By').selectOption('model')
    await page.getByRole('cell', { name: 'openai:standin' }).waitFor()
    await page.getByLabel('By').selectOption('user')
    await page.getByRole('row').filter({ hasText: 'ana' }).getByText('100 %').waitFor()
    expect(page.url()).toContain('by=user')
    expect(shown.problems).toEqual([])
  })

  test('facts are listed, forgotten one by one, and all at once [D34.4]', async () => {
    const remember = (text: string) => ({ name: 'remember', arguments: { text } })
    for (const fact of ['Likes tea', 'Lives in Rome', 'Has a dog']) {
      site.model.script([{ toolCalls: [remember(fact)] }, { text: 'Noted.' }])
      await site.clientOf('ada').chat.send({ message: `Remember: ${fact}` })
    }
    await using shown = await openPage(chromium, site, { as: 'ada', path: '/admin/memory' })
    const { page } = shown
    await page.getByText('is forgotten').waitFor()
    await page.getByRole('option', { name: 'DataAgent (3)' }).waitFor({ state: 'attached' })
    await button(page, 'Forget “Likes tea”').click()
    await button(page, 'Forget “Likes tea”').waitFor({ state: 'detached' })
    await button(page, 'Forget “Lives in Rome”').waitFor()
    await button(page, 'Forget all').click()
    await button(page, 'Forget all').last().click()
    await page.getByText('Nothing is remembered').waitFor()
    expect(shown.problems).toEqual([])
  })

  test('a person finds in the menu what is remembered of them, and forgets all of it after a question [D34.4]', async () => {
    const remember = { name: 'remember', arguments: { text: 'Plays chess' } }
    site.model.script([{ toolCalls: [remember] }, { text: 'Noted.' }])
    await site.clientOf('ben').chat.send({ message: 'Remember: Plays chess' })
    await using shown = await openPage(chromium, site, { as: 'ben', path: '/files' })
    const { page } = shown
    await page.getByRole('button', { name: /^Account of/ }).click()
    await page.getByRole('menuitem', { name: 'What is remembered of you' }).click()
    await page.getByRole('cell', { name: 'Plays chess', exact: true }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/memory')
    expect(await barriersOf(page)).toEqual([])
    await button(page, 'Forget all of all agents').click()
    const dialog = page.getByRole('dialog', { name: 'Forget all that all agents know of you?' })
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect((await site.clientOf('ben').memory.export()).memories).toHaveLength(1)
    await button(page, 'Forget all of all agents').click()
    await dialog.getByRole('button', { name: 'Forget all of all agents' }).click()
    await page.getByText('Nothing is remembered').waitFor()
    expect((await site.clientOf('ben').memory.export()).memories).toEqual([])
    expect(shown.problems).toEqual([])
  })
})
