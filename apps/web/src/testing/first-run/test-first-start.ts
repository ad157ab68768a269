import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryDirectory, waitFor } from '@dataagent/testkit'
import type { Browser, Page } from 'playwright-core'
import type { FirstWords } from './test-first-words.ts'

const here = fileURLToPath(new URL('../../../../..', import.meta.url))

export interface FirstStart extends AsyncDisposable {
  url: string
  /** The link to sign in with, as it is printed. */
  link: string
  key: string
}

export interface Stranger {
  env?: { LANG?: string }
  /** The repository that is started; this one where none is named. */
  repository?: string
  timeoutMs?: number
}

/** What `npm start` does on a machine that has never run it, with nothing set but its language. */
export async function startAsStranger({
  env = {},
  repository = here,
  timeoutMs = 60_000,
}: Stranger = {}): Promise<FirstStart> {
  await using cleanup = new AsyncDisposableStack()
  const { path } = cleanup.use(await temporaryDirectory())
  const start = join(repository, 'scripts/start.mjs')
  const args = [start, '--port', '0', '--data-dir', path]
  const settings = { cwd: repository, env: { ...ownEnvironment(), ...env } }
  const child = spawn(process.execPath, args, settings)
  const closed = once(child, 'close')
  cleanup.defer(async () => {
    child.kill('SIGTERM')
    await closed
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  const what = 'a link to sign in'
  const found = await waitFor(() => /(http:\S+)\/#key=(\S+)/.exec(output), {
    ...{ timeoutMs, what },
  })
  const [link, url = '', key = ''] = found
  const moved = cleanup.move()
  return { url, link, key, [Symbol.asyncDispose]: () => moved.disposeAsync() }
}

/** A browser that has never been here. */
export async function openAsStranger(
  browser: Browser,
  { locale }: FirstWords,
): Promise<{ page: Page } & AsyncDisposable> {
  const context = await browser.newContext({
    ...{ viewport: { width: 1280, height: 800 }, locale },
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  return { page, [Symbol.asyncDispose]: () => context.close() }
}

/** Without keys of models, and what the test runner and npm set for their own children. */
function ownEnvironment() {
  const others = /^(npm_|NODE_ENV|DATAAGENT_|VITEST|OPENAI_|ANTHROPIC_|DATABASE_URL|REDIS_URL|MCP_)/
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !others.test(name)))
}
