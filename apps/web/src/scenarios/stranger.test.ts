import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { createDifyProfile } from '@dataagent/testkit'
import type { Browser, Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { startBrowser } from '../testing/test-browser.ts'
import { openAgentTerminal, runInspector } from '../testing/test-commands.ts'
import { type FirstStart, startAsStranger } from '../testing/test-first-start.ts'
import { type FirstWords, firstWords } from '../testing/test-first-words.ts'

const browser = await startBrowser()
afterAll(() => browser?.close())

/** docs/first-run.md describes each of these steps. */
test.skipIf(!browser).each(Object.entries(firstWords))(
  'a stranger gets from npm start to an answer, an approved call, a server of their own, a key for others and the terminal: %s [D36.1] [E9.1]',
  { timeout: 120_000 },
  async (_lang, words) => {
    await using product = await startAsStranger({ LANG: words.lang })
    const context = await (browser as Browser).newContext({
      ...{ viewport: { width: 1280, height: 800 }, locale: words.locale },
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    await using _ = { [Symbol.asyncDispose]: () => context.close() }
    const page = await context.newPage()
    page.setDefaultTimeout(30_000)
    const problems: string[] = []
    page.on('pageerror', (error) => problems.push(String(error)))

    await page.goto(product.link)
    await askWithoutKey(page, words)
    await approveCall(page, words)
    await connectServer(page, words)
    await makeKey(page, words)
    await useFromDify(page, words)
    await listWithInspector(page, words)
    await askInTerminal(product, words)
    expect(problems).toEqual([])
  },
)

test.each(Object.values(firstWords))('$page names all that is clicked', async (words) => {
  const url = new URL(`../../../../docs/${words.page}`, import.meta.url)
  const text = await readFile(url, 'utf8')
  expect(named.filter((name) => !text.includes(words[name]))).toEqual([])
})

const named = [
  ...(['ask', 'newChat', 'cancel', 'allow', 'tools', 'paste', 'read', 'add'] as const),
  ...(['connected', 'tryIt', 'run', 'expose', 'newGroup', 'create', 'howTo', 'byKey'] as const),
  ...(['url', 'header', 'inspector'] as const),
]

const starter = (page: Page, { starters }: FirstWords, name: string) =>
  page.getByRole('list', { name: starters }).getByRole('button', { name })

async function askWithoutKey(page: Page, words: FirstWords): Promise<void> {
  const card = page.getByRole('region', { name: words.demoModel })
  await card.getByText('OPENAI_API_KEY=sk-… npm start', { exact: true }).waitFor()
  await page.getByRole('button', { name: words.noTour }).click()
  await starter(page, words, words.ask).click()
  await page.getByRole('combobox').press('Enter')
  await page.getByText('mall.mall4j.order.get_detail').waitFor()
  await page.getByText('customerId: customer-046').waitFor()
}

async function approveCall(page: Page, words: FirstWords): Promise<void> {
  await page.getByRole('link', { name: words.newChat, exact: true }).first().click()
  await starter(page, words, words.cancel).click()
  await page.getByRole('combobox').press('Enter')
  await page.getByText(words.mayIt).waitFor()
  await page.getByRole('button', { name: words.allow }).click()
  await page.getByText('status: cancelled').waitFor()
}

/** What claude_desktop_config.json holds. */
const claudeDesktop = {
  mcpServers: {
    calculator: {
      command: process.execPath,
      args: [fileURLToPath(new URL('../testing/test-calculator.ts', import.meta.url))],
    },
  },
}

async function connectServer(page: Page, words: FirstWords): Promise<void> {
  await page.getByRole('link', { name: words.tools, exact: true }).click()
  await page.getByRole('button', { name: words.paste }).click()
  const adding = page.getByRole('dialog', { name: words.addServer })
  await adding.getByLabel(words.box).fill(JSON.stringify(claudeDesktop, null, 2))
  await adding.getByRole('button', { name: words.read }).click()
  await adding.getByRole('button', { name: words.add }).click()
  const row = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name: 'calculator', exact: true }) })
  await row.getByText(words.connected, { exact: true }).waitFor()
  await row.getByRole('link', { name: 'calculator', exact: true }).click()
  await page.getByRole('button', { name: words.tryIt }).click()
  await page.getByRole('textbox', { name: 'first' }).fill('2')
  await page.getByRole('textbox', { name: 'second' }).fill('3')
  await page.getByRole('button', { name: words.run }).click()
  await page.getByText('sum: 5').first().waitFor()
}

async function makeKey(page: Page, words: FirstWords): Promise<void> {
  await page.getByRole('link', { name: words.tools, exact: true }).click()
  await page.getByRole('link', { name: words.expose }).click()
  await page.getByRole('button', { name: words.newGroup }).first().click()
  await page.getByRole('textbox', { name: words.name }).fill('Calculator')
  await page.getByLabel(words.allTools).check()
  await page.getByRole('button', { name: words.create, exact: true }).click()
  const ready = page.getByRole('dialog', { name: words.isReady })
  await ready.getByRole('button', { name: words.howTo }).click()
}

/** Dify is told what the page says. */
async function useFromDify(page: Page, words: FirstWords): Promise<void> {
  await page.getByRole('button', { name: words.byKey }).click()
  const url = await copyOf(page, words, words.url)
  const Authorization = await copyOf(page, words, words.header)
  const dify = createDifyProfile({ url, headers: { Authorization } })
  const tools = await dify.listTools()
  expect(tools.map(({ name }) => name)).toEqual(['add_up'])
  const result = await dify.callTool('add_up', { first: 20, second: 22 })
  expect(JSON.stringify(result)).toContain('sum: 42')
}

async function listWithInspector(page: Page, words: FirstWords): Promise<void> {
  await page.getByRole('button', { name: words.inspector }).click()
  const command = await copyOf(page, words, words.inspectorAbout)
  const { tools } = JSON.parse(await runInspector(command))
  expect(tools).toMatchObject([{ name: 'add_up', description: 'Adds two numbers' }])
}

/** As the banner of the start says it. */
async function askInTerminal({ url, key }: FirstStart, words: FirstWords): Promise<void> {
  const env = { LANG: words.lang, DATAAGENT_API_KEY: key }
  await using terminal = await openAgentTerminal(['--server', url], env)
  await terminal.see(words.prompt)
  terminal.write(`${words.ask}\r`)
  await terminal.see('customer-046')
  terminal.write('\x04')
  expect(await terminal.ended).toBe(0)
}

async function copyOf(page: Page, words: FirstWords, name: string): Promise<string> {
  const figure = page.getByRole('figure', { name, exact: true })
  await figure.getByRole('button', { name: words.copy }).click()
  await figure.getByText(words.copied).waitFor()
  return page.evaluate(() => navigator.clipboard.readText())
}
