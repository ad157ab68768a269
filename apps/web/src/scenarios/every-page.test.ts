import { longCount, waitFor } from '@dataagent/testkit'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { barriersOf } from '../testing/test-barriers.ts'
import { startBrowser } from '../testing/test-browser.ts'
import { startTestMcpServer, type TestMcpServer } from '../testing/test-mcp-server.ts'
import { openPage } from '../testing/test-page.ts'
import { startSite, type TestSite } from '../testing/test-site.ts'

const browser = await startBrowser()

const templates = [
  ...['/data', '/data?tab=questions', '/data?tab=definitions', '/data?tab=log'],
  ...['/tools', '/tools?tab=shared', '/tools?tab=catalogue', '/tools/servers/down'],
  ...['/tools/servers/mall', '/tools/servers/mall?tab=waiting', '/tools/servers/mall?tab=access'],
  ...['/tools/servers/mall?tab=calls', '/tools/servers/mall?tab=settings'],
  ...['/tools/expose', '/tools/expose/shop', '/tools/expose/shop?tab=connect'],
  ...['/tools/expose/shop?tab=clients', '/tools/expose/shop?tab=calls'],
  ...['/approvals', '/approvals?status=decided', '/files', '/memory'],
  ...['/evaluations', '/evaluations/datasets/$dataset', '/evaluations?tab=runs'],
  ...['/evaluations/runs/$run?tab=grid', '/evaluations/runs/$run?tab=report'],
  ...['/evaluations/runs/$run?tab=trials', '/evaluations/runs/$run?tab=compare'],
  ...['/admin', '/admin/tenants', '/admin/users', '/admin/users?user=ana', '/admin/agents'],
  ...['/admin/models', '/admin/registry', '/admin/registry?tab=tools'],
  ...['/admin/registry?tab=matrix', '/admin/policies', '/admin/policies?tab=limits'],
  ...['/admin/policies?tab=explain&tool=mall.delete_order&user=ana', '/admin/audit'],
  ...['/admin/audit?tab=changes', '/admin/usage', '/admin/workspaces', '/admin/memory'],
  ...['/admin/system', '/c'],
]

/** What is named by an id that the server has made. */
let made: Readonly<Record<string, string>>
const pathOf = (template: string) => template.replace(/\$(\w+)/, (_, name) => made[name] ?? '')

/** Each look is checked on every second page, in the long run on all. */
const every = longCount(2, 1)
const isOwn = (page: number, look: number) => page % every === look % every

const readWell = [
  { look: 0, lang: 'en', theme: 'light', width: 768 },
  { look: 1, lang: 'zh', theme: 'dark', width: 1280 },
] as const
const fit = [
  { lang: 'zh', theme: 'light', width: 360 },
  { lang: 'en', theme: 'dark', width: 1280 },
] as const

describe.skipIf(!browser)('every page, where things have gone wrong [D0.1]', () => {
  const chromium = browser as Browser
  let site: TestSite
  let mall: TestMcpServer
  beforeAll(async () => {
    const env = { DATAAGENT_MULTI_TENANT: 'true' }
    site = await startSite({ env, script: () => ({ text: '不知道。' }) })
    mall = await startTestMcpServer([])
    await fill(site, mall)
    made = await evaluate(site)
  })
  afterAll(async () => {
    await site[Symbol.asyncDispose]()
    await mall[Symbol.asyncDispose]()
    await chromium.close()
  })

  test.each(readWell)(
    'reads well in $lang, $theme, $width wide',
    { timeout: 240_000 },
    async ({ look, lang, theme, width }) => {
      const viewport = { width, height: 900 }
      await using shown = await openPage(chromium, site, {
        ...{ as: 'olga', path: '/files', lang, theme, viewport },
      })
      const { page } = shown
      const faults: unknown[] = []
      for (const [index, template] of templates.entries()) {
        const path = pathOf(template)
        if (lang === 'en' && !isOwn(index, look)) continue
        await goTo(page, path)
        const barriers = isOwn(index, look) ? await barriersOf(page) : []
        faults.push(...barriers.map((fault) => [path, fault]))
        if (lang === 'zh') faults.push(...(await englishOf(page)).map((text) => [path, text]))
      }
      expect([...faults, ...shown.problems]).toEqual([])
    },
  )

  test('what goes wrong is told in Chinese on a Chinese page', async () => {
    await using shown = await openPage(chromium, site, {
      ...{ as: 'olga', path: '/tools/servers/down', lang: 'zh' },
    })
    const { page } = shown
    await page.getByText('无法连接。请检查地址').waitFor()
    await page.getByRole('button', { name: '测试', exact: true }).click()
    await page.getByRole('dialog').getByText('无法连接。请检查地址').waitFor()

    await page.goto(`${site.url}/tools/servers/mall`)
    const tool = page.getByRole('listitem').filter({ hasText: 'get_order' })
    await tool.getByRole('button', { name: '试用' }).click()
    await tool.getByRole('button', { name: 'JSON' }).click()
    await tool.getByLabel('参数（JSON）').fill('{ "order": 1 }')
    await tool.getByRole('button', { name: '运行' }).click()
    await tool.getByText('应为 文本（订单号），实际为 1（数字）。').waitFor()

    await page.goto(`${site.url}/admin/users`)
    await page.getByRole('button', { name: '添加用户' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').first().fill('ana')
    await dialog.getByRole('button', { name: '添加', exact: true }).click()
    await dialog.getByText('已经存在，请换一个标识。').waitFor()
    expect(shown.problems).toEqual([])
  })

  test.each(fit.slice(0, longCount(1, 2)))(
    'nothing runs over in $lang, $theme, $width wide',
    { timeout: 240_000 },
    async ({ lang, theme, width }) => {
      const viewport = { width, height: 800 }
      await using shown = await openPage(chromium, site, {
        ...{ as: 'olga', path: '/files', lang, theme, viewport },
      })
      const { page } = shown
      const faults: unknown[] = []
      for (const path of templates.map(pathOf)) {
        await goTo(page, path)
        if ((await overflowOf(page)) > 0) faults.push([path, 'is too wide'])
      }
      expect([...faults, ...shown.problems]).toEqual([])
    },
  )
})

/** A server that is away, calls that were refused, and approvals of each kind. */
async function fill(site: TestSite, mall: TestMcpServer): Promise<void> {
  const order = { type: 'string', description: '订单号' }
  const inputSchema = { type: 'object', properties: { order }, required: ['order'] }
  const run = () => ({ ok: true })
  mall.tools.push(
    { name: 'get_order', description: '查询订单', inputSchema, run },
    {
      ...{ name: 'delete_order', description: '删除订单', inputSchema, run },
      annotations: { destructiveHint: true },
    },
  )
  const olga = site.clientOf('olga')
  await olga.servers.create({ config: { name: 'mall', url: mall.url } })
  await olga.servers.create({ config: { name: 'down', url: 'http://127.0.0.1:9/mcp' } })
  await waitFor(async () => (await olga.tools.list({ q: 'mall.' })).total === 2)
  const rule = { tier: 'tenant', server_id: 'mall', effect: 'deny' } as const
  await olga.policy.addRule({ ...rule, tool: 'get_*', subject: { kind: 'user', id: 'ben' } })
  const limit = { server_id: 'mall', tool: 'get_order', max_calls: 0, window_ms: 60_000 }
  await olga.policy.addLimit({ ...limit, subject: { kind: 'user', id: 'ana' } })
  const entries = [{ server_id: 'mall', tool: 'get_order' }]
  await olga.toolGroups.create({ group_id: 'shop', name: '商店', tools: entries })
  const args = { order: 'o-1' }
  for (const tool of ['mall.get_order', 'no.such', 'mall.delete_order']) {
    await olga.tools.call({ tool, args: {} }).catch(() => {})
    for (const person of ['ana', 'ben'] as const)
      await site
        .clientOf(person)
        .tools.call({ tool, args })
        .catch(() => {})
  }
  const asking = { tool: 'mall.delete_order', wait_for_approval: true }
  for (const order of ['o-2', 'o-3'])
    void olga.tools.call({ ...asking, args: { order } }).catch(() => {})
  const pending = await waitFor(async () => {
    const { approvals } = await olga.approvals.list({ status: 'pending' })
    return approvals.length === 2 ? approvals : undefined
  })
  await olga.approvals.decide(pending[0]!.approval_id, { type: 'reject', message: '今天不行' })
}

/** Questions of which one is answered wrongly, asked twice. */
async function evaluate(site: TestSite): Promise<Record<string, string>> {
  const { evaluations } = site.clientOf('olga')
  const { dataset_id } = await evaluations.createDataset({
    name: '门店题集',
    questions: [
      { question_id: 'q-1', question: '上月销售额是多少？', expected_keywords: ['25,310'] },
      { question_id: 'q-2', question: '打个招呼。', category: '基础', tags: ['问候'] },
    ],
  })
  let run_id = ''
  for (const baseline of ['', 'first']) {
    const baseline_run_id = baseline === '' ? null : run_id
    run_id = (await evaluations.start({ dataset_id, baseline_run_id })).run_id
    await waitFor(async () => (await evaluations.run(run_id)).state === 'done')
  }
  return { dataset: dataset_id, run: run_id }
}

/** As a link of the page would, until it shows what it has. */
async function goTo(page: Page, path: string): Promise<void> {
  const title = page.getByRole('heading', { level: 1 }).first()
  const before = await title.innerText()
  const isSame = new URL(page.url()).pathname === path.split('?')[0]
  await page.evaluate((to) => {
    history.pushState({}, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
  // The page before stays until the next one has been loaded.
  if (!isSame)
    await expect.poll(() => title.innerText(), { timeout: 20_000, message: path }).not.toBe(before)
  const loading = page.getByText(/Loading…|加载中…/)
  await loading.first().waitFor({ state: 'detached' })
}

/** Values of settings, commands, and what a tool of the platform says to a model. */
const values = /openid email profile|^claude mcp add|^Reads one page of a tool result/

/** Sentences on a Chinese page that nobody has put into Chinese. */
async function englishOf(page: Page): Promise<string[]> {
  const text = await page.locator('#content').innerText()
  const isSentence = /[A-Za-z]{2,}(?:,? [a-z]{2,}){2,}/
  return text.split('\n').filter((line) => isSentence.test(line) && !values.test(line))
}

/** How much wider the page is than the place that it has. */
function overflowOf(page: Page): Promise<number> {
  return page.evaluate(() => {
    const main = document.querySelector('main')
    const inMain = main ? main.scrollWidth - main.clientWidth : 0
    return Math.max(inMain, document.documentElement.scrollWidth - innerWidth, 0)
  })
}
