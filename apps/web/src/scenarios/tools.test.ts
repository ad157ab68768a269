import AxeBuilder from '@axe-core/playwright'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startBrowser } from '../testing/test-browser.ts'
import { startTestMcpServer, type TestMcpServer } from '../testing/test-mcp-server.ts'
import { openPage } from '../testing/test-page.ts'
import { startSite, type TestSite } from '../testing/test-site.ts'

const browser = await startBrowser()

const echo = {
  ...{ name: 'echo', description: 'Gives the message back' },
  inputSchema: { type: 'object', properties: { message: { type: 'string' } } },
  run: ({ message }: Record<string, unknown>) => ({ said: message }),
}

/** A local server whose only tool is named after the variable WHO. */
const program = [
  'const a={initialize:p=>({protocolVersion:p.protocolVersion,capabilities:{tools:{}},',
  "serverInfo:{name:'g',version:'1'}}),ping:()=>({}),'tools/list':()=>({tools:[{",
  "name:'hello_'+process.env.WHO,inputSchema:{type:'object'}}]})};",
  "require('node:readline').createInterface({input:process.stdin}).on('line',l=>{",
  'const m=JSON.parse(l);if(m.id===undefined)return;console.log(JSON.stringify({',
  "jsonrpc:'2.0',id:m.id,...(a[m.method]?{result:a[m.method](m.params)}:",
  "{error:{code:-32601,message:'no'}})}))})",
].join('')

describe.skipIf(!browser)('the tools page', () => {
  const chromium = browser as Browser
  let site: TestSite
  let mcp: TestMcpServer
  beforeAll(async () => {
    mcp = await startTestMcpServer([echo])
    site = await startSite({ env: { DATAAGENT_MCP_SERVERS_PER_USER: '20' } })
  })
  afterAll(async () => {
    await site[Symbol.asyncDispose]()
    await mcp[Symbol.asyncDispose]()
    await chromium.close()
  })

  const itemOf = (page: Page, name: string) =>
    page.getByRole('listitem').filter({ has: page.getByRole('link', { name, exact: true }) })
  const field = (page: Page, name: string) => page.getByRole('textbox', { name })

  test('stands beside the chat, and is empty with three ways to begin [D36.1]', async () => {
    await using shown = await openPage(chromium, site, { as: 'olga', path: '/c' })
    const { page } = shown
    await page.getByRole('link', { name: 'Tools', exact: true }).click()
    await page.getByText('No servers of your own yet').waitFor()
    for (const name of ['Paste a configuration', 'Add an address', 'Try the sample shop'])
      expect(await page.getByRole('button', { name }).isEnabled()).toBe(true)
    await page.getByRole('link', { name: 'Chat', exact: true }).click()
    await page.getByLabel('Message').waitFor()
    expect(shown.problems).toEqual([])
  })

  test('an example fills the form, which is tested step by step, added, and connects [D36.2] [D36.5] [D36.6] [D30.2]', async () => {
    await using shown = await openPage(chromium, site, { path: '/tools?tab=catalogue' })
    const { page } = shown
    await page.getByText('"mcpServers"').waitFor()
    await page.getByRole('button', { name: 'Use deepwiki' }).click()
    expect(await field(page, 'Name').inputValue()).toBe('deepwiki')
    await field(page, 'Name').fill('notes')
    await field(page, 'Address (URL)').fill('http://127.0.0.1:9/mcp')
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    await page.getByText('What to do: Check the address with its path').waitFor()
    expect(await page.getByText('Not reached').count()).toBe(2)
    await field(page, 'Address (URL)').fill(mcp.url)
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    await page.getByText('It works: 1 tool.').waitFor()
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('tab', { name: 'My servers' }).click()
    await itemOf(page, 'notes').getByText('Connected', { exact: true }).waitFor()
    await itemOf(page, 'notes').getByText('1 tool', { exact: true }).waitFor()
    await using other = await openPage(chromium, site, { as: 'olga', path: '/tools' })
    await other.page.getByText('No servers of your own yet').waitFor()
    expect([...shown.problems, ...other.problems]).toEqual([])
  })

  test('an administrator adds a command with arguments and variables; no value is shown again [D36.3] [D30.1]', async () => {
    await using shown = await openPage(chromium, site, { as: 'ada', path: '/tools' })
    const { page } = shown
    await page.getByRole('button', { name: 'Add server' }).click()
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('Give an address that begins with').waitFor()
    await page.getByLabel('Connection').selectOption('stdio')
    await field(page, 'Name').fill('greeter')
    await field(page, 'Command').fill(process.execPath)
    await field(page, 'Arguments').fill(`-e\n${program}`)
    await page.getByRole('button', { name: 'Add variable' }).click()
    await page.getByLabel('Environment variables: name 1').fill('WHO')
    await page.getByLabel('Environment variables: value 1').fill('someone-quite-long-a-word')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await itemOf(page, 'greeter').getByText('Connected', { exact: true }).waitFor()
    await itemOf(page, 'greeter').getByRole('button', { name: 'Edit' }).click()
    const value = page.getByLabel('Environment variables: value 1')
    expect(await value.inputValue()).toBe('')
    expect(await value.getAttribute('placeholder')).toContain('••••word')
    await field(page, 'Description').fill('Greets')
    await page.getByRole('button', { name: 'Save and test' }).click()
    await page.getByText('It works: 1 tool.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('Greets').waitFor()
    const { tools } = await site.clientOf('ada').tools.list({ q: 'hello_' })
    expect(tools.map(({ name }) => name)).toEqual(['hello_someone-quite-long-a-word'])
    expect(shown.problems).toEqual([])
  })

  test('a user is offered no command but those that are approved, with their places [D36.3] [D30.1]', async () => {
    await using shown = await openPage(chromium, site, { as: 'ben', path: '/tools' })
    const { page } = shown
    await page.getByRole('button', { name: 'Add server' }).click()
    await page.getByText('Local commands are not offered: none is approved for you.').waitFor()
    expect(await page.locator('option[value=stdio]').isDisabled()).toBe(true)
    await page.keyboard.press('Escape')
    await site.clientOf('olga').servers.setTemplates({
      templates: [
        {
          ...{ name: 'hello', command: process.execPath, args: ['-e', program, '{folder}'] },
          ...{ params: { folder: '[a-z]+' }, env: ['WHO'] },
        },
      ],
    })
    await page.reload()
    await page.getByRole('tab', { name: 'Catalogue' }).click()
    await page.getByRole('button', { name: 'Use hello' }).click()
    expect(await field(page, 'Command').getAttribute('readonly')).not.toBeNull()
    await field(page, 'folder').fill('Data')
    await page.getByLabel('Environment variables: value 1').fill('ben')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('approved are: hello').waitFor()
    await field(page, 'folder').fill('data')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('tab', { name: 'My servers' }).click()
    await itemOf(page, 'hello').getByText('Connected', { exact: true }).waitFor()
    expect(shown.problems).toEqual([])
  })

  test('what is lost says so with its error and the next attempt, comes first, and comes back by itself [D36.5]', async () => {
    const url = (path: string) => `http://127.0.0.1:9/${path}`
    const api = site.clientOf('ada').userServers
    await api.create('ada', { name: 'zombie', url: url('z') })
    await api.create('ada', { name: 'asleep', url: url('a'), disabled: true })
    await using shown = await openPage(chromium, site, { as: 'ada', path: '/tools' })
    const { page } = shown
    await itemOf(page, 'zombie').getByText('Disconnected', { exact: true }).waitFor()
    await itemOf(page, 'zombie').getByRole('button', { name: 'Reconnect' }).click()
    await itemOf(page, 'zombie')
      .getByText(/Error, retry/)
      .waitFor()
    await itemOf(page, 'zombie').getByText('Last error').waitFor()
    const links = page.getByRole('list', { name: 'My servers' }).getByRole('link')
    const names = await links.allTextContents()
    expect([names.at(0), names.at(-1)]).toEqual(['zombie', 'asleep'])
    await itemOf(page, 'asleep').getByText('Disabled', { exact: true }).waitFor()
    await api.update('ada', 'zombie', { url: mcp.url })
    await itemOf(page, 'zombie').getByText('Connected', { exact: true }).waitFor()
    expect(shown.problems).toEqual([])
  })

  test('a change made elsewhere is told over the socket of the chat, and is seen at once [D30.7]', async () => {
    const { sessions, userServers } = site.clientOf('ben')
    const { session_id } = await sessions.create({})
    await userServers.create('ben', { name: 'before', url: mcp.url })
    await using shown = await openPage(chromium, site, { as: 'ben', path: '/files' })
    const { page } = shown
    // Without it the list would ask every few seconds by itself.
    await page.addInitScript(() => {
      const every = setInterval
      Object.assign(window, {
        setInterval: (work: () => void, ms: number) => every(work, ms < 2000 ? ms : 2 ** 30),
      })
    })
    await page.goto(`${site.url}/c/${session_id}`)
    await page.getByLabel('Message').waitFor()
    await page.getByRole('link', { name: 'Tools', exact: true }).click()
    await itemOf(page, 'before').waitFor()
    await userServers.create('ben', { name: 'elsewhere', url: mcp.url })
    await itemOf(page, 'elsewhere').waitFor()
    expect(shown.problems).toEqual([])
  })

  test('a server is disabled, enabled, and deleted after a question [D36.4] [D30.2]', async () => {
    await site.clientOf('ada').userServers.create('ada', { name: 'fading', url: mcp.url })
    await using shown = await openPage(chromium, site, { as: 'ada', path: '/tools' })
    const { page } = shown
    const more = () => page.getByRole('button', { name: 'More about fading' }).click()
    await more()
    await page.getByRole('menuitem', { name: 'Disable' }).click()
    await itemOf(page, 'fading').getByText('Disabled', { exact: true }).waitFor()
    await more()
    await page.getByRole('menuitem', { name: 'Enable' }).click()
    await itemOf(page, 'fading').getByText('Disconnected', { exact: true }).waitFor()
    await more()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('fading was deleted.').waitFor()
    await itemOf(page, 'fading').waitFor({ state: 'detached' })
    const { servers } = await site.clientOf('ada').userServers.list('ada')
    expect(servers.map(({ name }) => name)).not.toContain('fading')
    expect(shown.problems).toEqual([])
  })

  test('whatever is pasted is shown first: new, of a taken name, invalid; secrets are sealed [D36.3] [D30.2]', async () => {
    const pasted = {
      mcpServers: {
        taken: { url: mcp.url },
        fresh: { url: mcp.url, headers: { Authorization: 'Bearer <your token>', 'X-Key': 'sk-1' } },
        broken: { url: 'nowhere' },
      },
    }
    await site.clientOf('ana').userServers.create('ana', { name: 'taken', url: mcp.url })
    await using shown = await openPage(chromium, site, { path: '/tools' })
    const { page } = shown
    await page.getByRole('button', { name: 'Paste configuration' }).click()
    await field(page, 'Configuration, command or link').fill('what is this?')
    await page.getByRole('button', { name: 'Read it' }).click()
    await page.getByText('Nothing could be read').waitFor()
    await field(page, 'Configuration, command or link').fill(JSON.stringify(pasted))
    await page.getByRole('button', { name: 'Read it' }).click()
    const found = page.getByRole('list', { name: 'Servers that were found' })
    await found.getByText('Name is taken').waitFor()
    expect(await found.getByRole('listitem').count()).toBe(3)
    await found.getByText('Invalid', { exact: true }).waitFor()
    await found.getByText('taken over and sealed').waitFor()
    expect(await page.getByLabel('Add taken').isChecked()).toBe(false)
    const add = page.getByRole('button', { name: 'Add 1 server' })
    expect(await add.isDisabled()).toBe(true)
    await page.getByLabel('Fill in headers.Authorization').fill('abc')
    await page.getByLabel('Add taken').check()
    expect(await field(page, 'Name').first().inputValue()).toBe('taken-2')
    await page.getByRole('button', { name: 'Add 2 servers' }).click()
    for (const name of ['taken-2', 'fresh'])
      await itemOf(page, name).getByText('Connected', { exact: true }).waitFor()
    const { servers } = await site.clientOf('ana').userServers.list('ana')
    const fresh = servers.find(({ name }) => name === 'fresh')
    expect(fresh).toMatchObject({
      headers: { Authorization: { set: true }, 'X-Key': { set: true } },
    })
    expect(shown.problems).toEqual([])
  })

  test('a test of a server that is stored says which step fails and what to do', async () => {
    await using guarded = await startTestMcpServer([echo])
    guarded.token = 'another'
    const headers = { Authorization: 'Bearer abc' }
    await site.clientOf('ana').userServers.create('ana', {
      ...{ name: 'guarded', url: guarded.url, headers },
    })
    await using shown = await openPage(chromium, site, { path: '/tools' })
    const { page } = shown
    await itemOf(page, 'guarded').getByRole('button', { name: 'Test' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('It does not work yet.').waitFor()
    await dialog.getByText('Check the address with its path, and the token').waitFor()
    guarded.token = 'abc'
    await dialog.getByRole('button', { name: 'Test again' }).click()
    await dialog.getByText('It works: 1 tool.').waitFor()
    expect(await dialog.getByText('Done').count()).toBe(4)
    expect(shown.problems).toEqual([])
  })

  test('where the API is absent a calm notice says so and nothing can be added [D36.7]', async () => {
    const problem = { error_code: 'not_found', message: 'there is no such route' }
    await using shown = await openPage(chromium, site, { path: '/files' })
    const { page } = shown
    await page.route('**/api/v1/users/*/mcp-servers', (route) =>
      route.fulfill({ status: 404, json: problem }),
    )
    await page.getByRole('link', { name: 'Tools', exact: true }).click()
    await page.getByText('MCP configuration is not enabled on this server').waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    for (const name of ['Add server', 'Paste configuration'])
      expect(await page.getByRole('button', { name }).isDisabled()).toBe(true)
    await using auditor = await openPage(chromium, site, { as: 'aud', path: '/tools' })
    await auditor.page.getByText('Your account cannot have servers of its own').waitFor()
    expect([...shown.problems, ...auditor.problems]).toEqual([])
  })

  test('reads well in Chinese, in the dark, on a tablet, and to screen readers', async () => {
    await site.clientOf('ana').userServers.create('ana', { name: 'tidy', url: mcp.url })
    const tablet = { lang: 'zh', theme: 'dark', viewport: { width: 768, height: 1024 } } as const
    await using shown = await openPage(chromium, site, { ...tablet, path: '/tools' })
    const { page } = shown
    await itemOf(page, 'tidy').getByRole('button', { name: '重新连接' }).waitFor()
    const look = async (part: string) => {
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      expect(width).toBeLessThanOrEqual(768)
      const { violations } = await new AxeBuilder({ page }).include(part).analyze()
      expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([])
    }
    await look('main')
    await page.getByRole('tab', { name: '目录' }).click()
    await look('main')
    await page.getByRole('button', { name: '添加服务' }).click()
    await page.getByText('更多设置').click()
    await look('dialog')
    expect(shown.problems).toEqual([])
  })
})
