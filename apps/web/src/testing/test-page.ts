import type { Browser, BrowserContextOptions, ConsoleMessage, Page } from 'playwright-core'
import { keyOf, type Person, type TestSite } from './test-site.ts'

export interface TestPage extends AsyncDisposable {
  page: Page
  /** What the page has complained of: errors of scripts, of the content policy, of the console. */
  problems: string[]
  /** Addresses outside of the site that it has asked for. */
  outside: string[]
}

export interface OpenOptions extends BrowserContextOptions {
  as?: Person
  path?: string
  lang?: 'en' | 'zh'
  theme?: 'light' | 'dark'
}

/** What a browser writes for answers that a story expects. */
const expected = /Failed to load resource|WebSocket connection to/

/** A page of the site for one person, in a browser of its own. */
export async function openPage(
  browser: Browser,
  site: Pick<TestSite, 'url'>,
  { as = 'ana', path = '/', lang = 'en', theme = 'light', ...options }: OpenOptions = {},
): Promise<TestPage> {
  const context = await browser.newContext({
    ...{ viewport: { width: 1280, height: 800 }, colorScheme: theme },
    locale: lang === 'zh' ? 'zh-CN' : 'en-GB',
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  })
  const problems: string[] = []
  const outside: string[] = []
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('console', (message: ConsoleMessage) => {
    if (message.type() === 'error' && !expected.test(message.text())) problems.push(message.text())
  })
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(site.url)) {
      outside.push(request.url())
    }
  })
  await context.addCookies([])
  const signedIn = await context.request.post(`${site.url}/api/v1/sign-in`, {
    data: { api_key: keyOf(as) },
  })
  if (!signedIn.ok()) throw new Error(`${as} cannot sign in: ${await signedIn.text()}`)
  await page.goto(`${site.url}${path}`)
  return { page, problems, outside, [Symbol.asyncDispose]: () => context.close() }
}
