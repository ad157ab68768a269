import { fileURLToPath } from 'node:url'
import { createDifyProfile } from '@dataagent/testkit'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { openAgentTerminal, runInspector } from './test-commands.ts'
import type { FirstStart } from './test-first-start.ts'
import type { FirstWords } from './test-first-words.ts'

export interface Walk {
  page: Page
  product: FirstStart
  words: FirstWords
}

export interface Step {
  /** Its title in the table of docs/first-run.md, and in that of first-run.zh-CN.md. */
  en: string
  zh: string
  /** Of the picture at its end; none where the page does not show it. */
  picture?: string
  go(walk: Walk): Promise<void>
}

/** The way of docs/first-run.md from the link on, step by step. */
export const firstWalk: readonly Step[] = [
  { en: 'signed in by the link', zh: '用链接登录', picture: 'signed-in', go: signIn },
  { en: 'a first answer', zh: '第一个回答', picture: 'answer', go: askWithoutKey },
  {
    en: 'a call that waits, approved',
    zh: '批准一个等待的调用',
    picture: 'approved',
    go: approveCall,
  },
  {
    en: 'a server pasted, a tool tried',
    zh: '粘贴一个服务并试用工具',
    picture: 'server',
    go: connectServer,
  },
  { en: 'a tool group with its key', zh: '工具组及其密钥', picture: 'key', go: makeKey },
  { en: 'a call from Dify', zh: '来自 Dify 的调用', go: useFromDify },
  { en: 'tools listed by the Inspector', zh: 'Inspector 列出工具', go: listWithInspector },
  { en: 'an answer in the terminal', zh: '终端中的回答', go: askInTerminal },
]

async function signIn({ page, product, words }: Walk): Promise<void> {
  await page.goto(product.link)
  await page.getByRole('region', { name: words.demoModel }).waitFor()
}

const starter = (page: Page, { starters }: FirstWords, name: string) =>
  page.getByRole('list', { name: starters }).getByRole('button', { name })

async function askWithoutKey({ page, words }: Walk): Promise<void> {
  const card = page.getByRole('region', { name: words.demoModel })
  await card.getByText('OPENAI_API_KEY=sk-… npm start', { exact: true }).waitFor()
  await page.getByRole('button', { name: words.noTour }).click()
  await starter(page, words, words.ask).click()
  await page.getByRole('combobox').press('Enter')
  await page.getByText('mall.mall4j.order.get_detail').waitFor()
  await page.getByText('customerId: customer-046').waitFor()
}

async function approveCall({ page, words }: Walk): Promise<void> {
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
      args: [fileURLToPath(new URL('../test-calculator.ts', import.meta.url))],
    },
  },
}

async function connectServer({ page, words }: Walk): Promise<void> {
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

async function makeKey({ page, words }: Walk): Promise<void> {
  await page.getByRole('link', { name: words.tools, exact: true }).click()
  await page.getByRole('link', { name: words.expose }).click()
  await page.getByRole('button', { name: words.newGroup }).first().click()
  await page.getByRole('textbox', { name: words.name }).fill('Calculator')
  await page.getByLabel(words.allTools).check()
  await page.getByRole('button', { name: words.create, exact: true }).click()
  const ready = page.getByRole('dialog', { name: words.isReady })
  await ready.getByRole('button', { name: words.howTo }).click()
  await page.getByRole('button', { name: words.byKey }).waitFor()
  await page.getByRole('figure', { name: words.url, exact: true }).waitFor()
}

/** Dify is told what the page says. */
async function useFromDify({ page, words }: Walk): Promise<void> {
  await page.getByRole('button', { name: words.byKey }).click()
  const url = await copyOf(page, words, words.url)
  const Authorization = await copyOf(page, words, words.header)
  const dify = createDifyProfile({ url, headers: { Authorization } })
  const tools = await dify.listTools()
  expect(tools.map(({ name }) => name)).toEqual(['add_up'])
  const result = await dify.callTool('add_up', { first: 20, second: 22 })
  expect(JSON.stringify(result)).toContain('sum: 42')
}

async function listWithInspector({ page, words }: Walk): Promise<void> {
  await page.getByRole('button', { name: words.inspector }).click()
  const command = await copyOf(page, words, words.inspectorAbout)
  const { tools } = JSON.parse(await runInspector(command))
  expect(tools).toMatchObject([{ name: 'add_up', description: 'Adds two numbers' }])
}

/** As the banner of the start says it. */
async function askInTerminal({ product, words }: Walk): Promise<void> {
  const { url, key } = product
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
