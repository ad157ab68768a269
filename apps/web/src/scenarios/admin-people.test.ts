import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient } from '@dataagent/client'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startBrowser } from '../testing/test-browser.ts'
import { openPage } from '../testing/test-page.ts'
import { startSite, type TestSite } from '../testing/test-site.ts'

const browser = await startBrowser()

describe.skipIf(!browser)('tenants and people [D0.1]', () => {
  const chromium = browser as Browser
  let site: TestSite
  beforeAll(async () => {
    site = await startSite({ env: { DATAAGENT_MULTI_TENANT: 'true' } })
  })
  afterAll(async () => {
    await site[Symbol.asyncDispose]()
    await chromium.close()
  })

  const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
  const clientWith = (apiKey: string) => createClient({ baseUrl: site.url, apiKey })

  /** The key that is shown, by the button that copies it. */
  async function copyKey(page: Page): Promise<string> {
    // It says so for two seconds.
    await Promise.all([button(page, 'Copied').waitFor(), button(page, 'Copy key').click()])
    return page.evaluate(() => navigator.clipboard.readText())
  }

  test('a tenant is added with limits, and gets its first administrator and key [D35.3]', async () => {
    await using shown = await openPage(chromium, site, { as: 'olga', path: '/admin/tenants' })
    const { page } = shown
    await button(page, 'Add tenant').click()
    await page.getByLabel('Id').fill('acme')
    await page.getByLabel('Name').fill('Acme')
    await page.getByLabel('Most users').fill('4')
    await page.getByLabel('Features').fill('*\n-mcp:wiki')
    await button(page, 'Add').click()
    await rowOf(page, 'acme').getByText('0 of 4').waitFor()
    await rowOf(page, 'acme').getByText('-mcp:wiki').waitFor()
    await rowOf(page, 'acme').getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Most users').fill('2')
    await button(page, 'Save').click()
    await rowOf(page, 'acme').getByText('0 of 2').waitFor()
    expect(await site.clientOf('olga').tenants.get('acme')).toMatchObject({
      ...{ max_users: 2, workspace_quota: 2 ** 30, features_enabled: ['*', '-mcp:wiki'] },
    })

    await button(page, 'Actions for Acme').click()
    await page.getByRole('menuitem', { name: 'Users and keys' }).click()
    await page.getByText('No users yet').waitFor()
    await button(page, 'Add user').first().click()
    await page.getByLabel('Id').fill('carl')
    await page.getByRole('combobox', { name: 'Role' }).selectOption('admin')
    await button(page, 'Add').click()
    await button(page, 'Keys of carl').click()
    await button(page, 'New key').click()
    await page.getByLabel('Name').fill('laptop')
    await button(page, 'Make key').click()
    const me = await clientWith(await copyKey(page)).identity.me()
    expect(me).toMatchObject({ tenant_id: 'acme', user_id: 'carl', role: 'admin' })
    expect(shown.problems).toEqual([])
  })

  test('people are searched by name, kept in the address, and saved with their workspaces', async () => {
    await site.clientOf('ada').users.create({ user_id: 'wxm', name: '王小明' })
    await site.clientOf('ana').files.write('files/note.txt', 'hello')
    await using shown = await openPage(chromium, site, { as: 'ada', path: '/admin/users' })
    const { page } = shown
    await page.getByRole('searchbox', { name: 'Search people' }).fill('小明')
    await rowOf(page, 'ana').waitFor({ state: 'detached' })
    await rowOf(page, 'wxm').getByText('王小明').waitFor()
    await page.getByRole('link', { name: 'Users and keys' }).click()
    await rowOf(page, 'ana').waitFor()
    const search = page.getByRole('searchbox', { name: 'Search people' })
    expect(await search.inputValue()).toBe('')
    await search.fill('小明')
    await rowOf(page, 'ana').waitFor({ state: 'detached' })
    expect(decodeURIComponent(page.url())).toContain('q=小明')
    const saving = page.waitForEvent('download')
    await button(page, 'Save as CSV').click()
    const file = await readFile(await (await saving).path(), 'utf8')
    expect(file.replace('\ufeff', '').split('\r\n')).toEqual([
      'user_id,name,role,disabled_at,created_at',
      expect.stringMatching(/^wxm,王小明,user,,\d+$/),
      '',
    ])
    await page.getByRole('searchbox').fill('nobody')
    await page.getByText('Nobody is called “nobody”').waitFor()

    await site.clientOf('ada').users.create({ user_id: 'odd', name: 'Odd' })
    await writeFile(join(site.dataDir, 'workspaces', 'odd'), 'no folder')
    await page.goto(`${site.url}/admin/workspaces`)
    await rowOf(page, 'ana').getByText('5 B of 1').waitFor()
    await rowOf(page, 'ana').getByText('In use').waitFor()
    await rowOf(page, 'wxm').getByText('Not made yet').waitFor()
    await rowOf(page, 'odd').getByText('Could not be measured now').waitFor()
    expect(shown.problems).toEqual([])
  })

  test('a key is shown once; replacing and deleting it ends it', async () => {
    await using shown = await openPage(chromium, site, {
      ...{ as: 'ada', path: '/admin/users?user=ana' },
    })
    const { page } = shown
    await button(page, 'New key').click()
    await page.getByLabel('Name').fill('job')
    await button(page, 'Make key').click()
    const first = await copyKey(page)
    expect((await clientWith(first).identity.me()).user_id).toBe('ana')
    await page.reload()
    await rowOf(page, 'job').getByText('Active').waitFor()
    expect(await page.content()).not.toContain(first)

    await rowOf(page, 'job').getByRole('button', { name: 'Replace' }).click()
    await button(page, 'Replace').last().click()
    const second = await copyKey(page)
    await expect(clientWith(first).identity.me()).rejects.toMatchObject({ status: 401 })
    expect((await clientWith(second).identity.me()).user_id).toBe('ana')

    const active = rowOf(page, 'job').filter({ hasText: 'Active' })
    await active.getByRole('button', { name: 'Delete' }).click()
    await button(page, 'Delete').last().click()
    await page.getByText('The key was deleted.').waitFor()
    await expect(clientWith(second).identity.me()).rejects.toMatchObject({ status: 401 })
    expect(shown.problems).toEqual([])
  })

  test('people change roles, are signed out, disabled and enabled', async () => {
    await using ben = await openPage(chromium, site, { as: 'ben', path: '/c' })
    await ben.page.getByLabel('Message').waitFor()
    await using shown = await openPage(chromium, site, { as: 'ada', path: '/admin/users' })
    const { page } = shown
    const choose = async (item: string) => {
      await button(page, 'Actions for ben').click()
      await page.getByRole('menuitem', { name: item, exact: true }).click()
    }
    await choose('Sign out everywhere')
    await button(page, 'Sign out everywhere').click()
    await page.getByText('Browsers signed out: 1').waitFor()
    await ben.page.reload()
    await ben.page.getByLabel('API key').waitFor()

    await choose('Edit')
    await page.getByLabel('Name').fill('Ben B.')
    await page.getByRole('combobox', { name: 'Role' }).selectOption('auditor')
    await button(page, 'Save').click()
    await rowOf(page, 'Ben B.').getByText('Auditor').waitFor()

    const { users } = site.clientOf('ada')
    await button(page, 'Actions for Ben B.').click()
    await page.getByRole('menuitem', { name: 'Disable' }).click()
    await button(page, 'Disable').click()
    await rowOf(page, 'Ben B.').getByText('Disabled since').waitFor()
    expect((await users.get('ben')).disabled_at).not.toBeNull()
    await button(page, 'Actions for Ben B.').click()
    await page.getByRole('menuitem', { name: 'Enable' }).click()
    await rowOf(page, 'Ben B.').getByText('Active').waitFor()
    expect(await users.get('ben')).toMatchObject({ role: 'auditor', disabled_at: null })
    expect([...shown.problems, ...ben.problems]).toEqual([])
  })

  test('what is refused stays in the form, with the reason', async () => {
    await using shown = await openPage(chromium, site, { as: 'ada', path: '/admin/users' })
    const { page } = shown
    await button(page, 'Add user').click()
    await page.getByLabel('Id').fill('ana')
    await button(page, 'Add').click()
    await page.getByRole('alert').filter({ hasText: 'ana' }).waitFor()
    expect(await page.getByLabel('Id').inputValue()).toBe('ana')
    expect(shown.problems).toEqual([])
  })
})
