import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type Client, createClient } from '@dataagent/client'
import {
  type ModelStandIn,
  type Script,
  startModelStandIn,
  temporaryDirectory,
  waitFor,
} from '@dataagent/testkit'

const main = fileURLToPath(new URL('../../../server/src/main.ts', import.meta.url))

/** People of the tests, each with a key of their own. */
export const people = {
  ana: { tenant_id: 'default', role: 'user' },
  ben: { tenant_id: 'default', role: 'user' },
  ada: { tenant_id: 'default', role: 'admin' },
  olga: { tenant_id: 'default', role: 'platform_admin' },
  aud: { tenant_id: 'default', role: 'auditor' },
} as const
export type Person = keyof typeof people

export const keyOf = (person: Person) => `key-of-${person}-0123456789abcdef`

export interface TestSite extends AsyncDisposable {
  url: string
  model: ModelStandIn
  /** Where its database is. */
  dataDir: string
  /** The API as that person's program would call it. */
  clientOf(person: Person): Client
  /** Ends the server as a crash would. */
  kill(): Promise<void>
  /** Starts it again, on the same port and data. */
  restart(): Promise<void>
}

export interface TestSiteOptions {
  script?: Script | undefined
  /** Settings of the server by their environment names. */
  env?: Record<string, string> | undefined
  /** Answers by the demo model in place of the stand-in. */
  demo?: boolean | undefined
}

/** The whole product as a process of its own, with the pages as they are built. */
export async function startSite(options: TestSiteOptions = {}): Promise<TestSite> {
  await using cleanup = new AsyncDisposableStack()
  const { script } = options
  const model = cleanup.use(await startModelStandIn(script === undefined ? {} : { script }))
  const { path } = cleanup.use(await temporaryDirectory())
  const env = { ...envOf(model, options.demo), ...options.env }
  let running = await startServer(path, { ...env, DATAAGENT_PORT: '0' })
  const { url } = running
  cleanup.defer(() => end(running.child))
  const moved = cleanup.move()
  return {
    ...{ url, model, dataDir: path },
    clientOf: (person) => createClient({ baseUrl: url, apiKey: keyOf(person) }),
    kill: () => end(running.child),
    async restart() {
      running = await startServer(path, { ...env, DATAAGENT_PORT: new URL(url).port })
    },
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  }
}

function envOf(model: ModelStandIn, demo = false): Record<string, string> {
  const keys = Object.entries(people).map(
    ([user, { tenant_id, role }]) =>
      `tenant=${tenant_id};user=${user};role=${role};key=${keyOf(user as Person)}`,
  )
  return {
    DATAAGENT_HOST: '127.0.0.1',
    DATAAGENT_API_KEYS: keys.join(','),
    DATAAGENT_ALLOWED_ADDRESSES: '127.0.0.1',
    // A busy machine must not turn tests away.
    DATAAGENT_MAX_LOOP_DELAY_MS: '60000',
    ...(demo
      ? {}
      : {
          OPENAI_BASE_URL: `${model.url}/v1`,
          OPENAI_API_KEY: model.apiKey,
          DATAAGENT_MODEL: 'openai:standin',
        }),
  }
}

async function startServer(dataDir: string, env: Record<string, string>) {
  await using cleanup = new AsyncDisposableStack()
  const child = spawn(
    process.execPath,
    ['--conditions=dataagent-source', main, '--data-dir', dataDir],
    { env: { PATH: '/usr/bin:/bin', HOME: dataDir, ...env } },
  )
  cleanup.defer(() => end(child))
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (output += chunk))
  const find = () =>
    /"message":"listening".*?"url":"([^"]+)"|"url":"([^"]+)".*"listening"/.exec(output)
  const found = await waitFor(() => find() ?? (child.exitCode === null ? undefined : 'ended'), {
    timeoutMs: 30_000,
    what: 'listening server',
  })
  const url = found === 'ended' ? undefined : (found[1] ?? found[2])
  if (url === undefined) throw new Error(`the server has ended: ${output}`)
  await waitFor(async () => (await fetch(`${url}/api/v1/ready`)).ok, {
    timeoutMs: 30_000,
    what: 'ready server',
  })
  cleanup.move()
  return { child, url }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'close')
}
