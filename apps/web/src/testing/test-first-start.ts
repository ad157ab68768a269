import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { temporaryDirectory, waitFor } from '@dataagent/testkit'

const start = fileURLToPath(new URL('../../../../scripts/start.mjs', import.meta.url))

export interface FirstStart extends AsyncDisposable {
  url: string
  /** The link to sign in with, as it is printed. */
  link: string
  key: string
}

/** What `npm start` does on a machine that has never run it, with nothing set but its language. */
export async function startAsStranger(env: { LANG?: string } = {}): Promise<FirstStart> {
  await using cleanup = new AsyncDisposableStack()
  const { path } = cleanup.use(await temporaryDirectory())
  const args = [start, '--port', '0', '--data-dir', path]
  const child = spawn(process.execPath, args, { env: { ...ownEnvironment(), ...env } })
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
    ...{ timeoutMs: 60_000, what },
  })
  const [link, url = '', key = ''] = found
  const moved = cleanup.move()
  return { url, link, key, [Symbol.asyncDispose]: () => moved.disposeAsync() }
}

/** Without keys of models, and what the test runner and npm set for their own children. */
function ownEnvironment() {
  const others = /^(npm_|NODE_ENV|DATAAGENT_|VITEST|OPENAI_|ANTHROPIC_|DATABASE_URL|REDIS_URL|MCP_)/
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !others.test(name)))
}
