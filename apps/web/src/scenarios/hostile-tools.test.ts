import { waitFor } from '@dataagent/testkit'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startBrowser } from '../testing/test-browser.ts'
import { expectHarmless } from '../testing/test-harmless.ts'
import { hostileTexts } from '../testing/test-hostile-texts.ts'
import { startTestMcpServer, type TestMcpServer } from '../testing/test-mcp-server.ts'
import { openPage } from '../testing/test-page.ts'
import { startSite, type TestSite } from '../testing/test-site.ts'

const browser = await startBrowser()

/** The long ones are for what is read, not for names and cells. */
const texts = hostileTexts.filter((text) => text.length < 300)
const textAt = (i: number) => texts[i % texts.length] ?? ''
const uris = texts.filter((text) => /^[\w\s]*script:|^data:|evil/i.test(text)).slice(0, 30)
const svg = btoa('<svg xmlns="http://www.w3.org/2000/svg" onload="window.hit=1"/>')

const content = [
  ...texts.slice(0, 40).map((text) => ({ type: 'text', text })),
  { type: 'image', mimeType: 'image/svg+xml', data: svg },
  { type: 'image', mimeType: 'text/html', data: btoa('<script>window.hit=1</script>') },
  ...uris.map((uri, i) => ({ type: 'resource_link', uri, name: textAt(i) })),
  ...uris.map((uri, i) => {
    return { type: 'resource', resource: { uri, mimeType: 'text/html', text: textAt(i) } }
  }),
]

const properties = Object.fromEntries(
  texts
    .slice(0, 30)
    .map((description, i) => [
      `field_${i}`,
      { type: 'string', title: textAt(i + 1), description, default: textAt(i + 2) },
    ]),
)
const reads = { annotations: { readOnlyHint: true }, run: () => ({}) }

const contents = {
  ...{ name: 'contents', title: textAt(3), description: texts.slice(0, 30).join('\n'), content },
  ...{ inputSchema: { type: 'object', properties }, ...reads },
}
const table = {
  ...{ name: 'table', description: textAt(1), inputSchema: { type: 'object' }, ...reads },
  run: () => ({ rows: texts.map((text, i) => ({ [textAt(i % 5)]: text, text, 'a b': i })) }),
}
const destroy = {
  ...{ name: 'destroy', description: textAt(2), inputSchema: { type: 'object' } },
  ...{ annotations: { destructiveHint: true }, run: () => ({}) },
}

describe.skipIf(!browser)('what a hostile MCP server says runs no script', () => {
  const chromium = browser as Browser
  let site: TestSite
  let mcp: TestMcpServer
  let server_id: string
  beforeAll(async () => {
    mcp = await startTestMcpServer([contents, table, destroy])
    site = await startSite()
    const { servers, tools } = site.clientOf('ada')
    const config = { name: 'evil', url: mcp.url, description: textAt(4) }
    server_id = (await servers.create({ config })).server_id
    await waitFor(async () => (await servers.get(server_id)).status === 'running')
    for (const { tool } of (await tools.pending()).tools) {
      const { name, version } = tool
      await tools.decide({ server_id, name, version, decision: 'approve' })
    }
  })
  afterAll(async () => {
    await site[Symbol.asyncDispose]()
    await mcp[Symbol.asyncDispose]()
    await chromium.close()
  })

  const toolOf = (page: Page, name: string) =>
    page
      .getByRole('listitem')
      .filter({ has: page.getByText(name, { exact: true }) })
      .first()
  const openAll = (page: Page) =>
    page.locator('details').evaluateAll((all) => {
      for (const one of all) one.setAttribute('open', '')
    })

  test('in descriptions and schemas, and in what is tried of it [T57]', async () => {
    await using shown = await openPage(chromium, site, { path: `/tools/servers/${server_id}` })
    const { page } = shown
    for (const name of ['contents', 'table']) {
      const tool = toolOf(page, name)
      await tool.getByRole('button', { name: 'Try it' }).click()
      await openAll(page)
      await expectHarmless(shown)
      await tool.getByRole('button', { name: 'Run', exact: true }).click()
      await tool.getByText(/^Done/).first().waitFor()
      await openAll(page)
      await expectHarmless(shown)
    }
    expect(mcp.calls.map(({ name }) => name)).toEqual(['contents', 'table'])
  })

  test('in the arguments that a person is asked about [T57]', async () => {
    const leaving = new AbortController()
    const args = Object.fromEntries(texts.slice(0, 80).map((text, i) => [textAt(i + 1), text]))
    const call = { tool: 'evil.destroy', args, wait_for_approval: true }
    const { signal } = leaving
    const called = site
      .clientOf('ana')
      .tools.call(call, { signal })
      .catch(() => {})
    await using shown = await openPage(chromium, site, { path: '/approvals' })
    await shown.page.getByRole('button', { name: 'Allow once' }).waitFor()
    await openAll(shown.page)
    await expectHarmless(shown)
    leaving.abort()
    await called
  })

  test('in what has changed of a definition [T57]', async () => {
    const description = texts.slice(30, 60).join('\n')
    const inputSchema = { type: 'object', properties: { one: { description: textAt(7) } } }
    mcp.tools = [{ ...contents, description, inputSchema }, table, destroy]
    await site.clientOf('ada').servers.refresh(server_id)
    await using shown = await openPage(chromium, site, {
      ...{ as: 'ada', path: `/tools/servers/${server_id}?tab=waiting` },
    })
    await shown.page.getByRole('button', { name: 'Approve: contents' }).waitFor()
    await openAll(shown.page)
    await expectHarmless(shown)
  })
})
