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

export interface TestPlatformOptions {
  /** What the model's stand-in answers. */
  script?: Script | undefined
  /** Its name, with what rides in it. */
  model?: string | undefined
  /** Nobody has given it a key of a model: the demo model answers. */
  isDemo?: boolean | undefined
  /** Settings of the server by their environment names. */
  env?: Record<string, string> | undefined
  /** Default `platform_admin`, who may do everything, as the user of a local platform may. */
  role?: 'user' | 'admin' | 'platform_admin' | undefined
}

export interface TestPlatform extends AsyncDisposable {
  url: string
  apiKey: string
  pid: number
  client: Client
  model: ModelStandIn
  /** Whose key it is. */
  user_id: string
  dataDir: string
}

const user_id = 'ana'
const apiKey = 'key-of-ana-0123456789abcdef'

/** The platform as a process of its own, with data of its own and a model's stand-in. */
export async function startTestPlatform(options: TestPlatformOptions = {}): Promise<TestPlatform> {
  await using cleanup = new AsyncDisposableStack()
  const { script } = options
  const model = cleanup.use(await startModelStandIn(script ? { script } : {}))
  const { path } = cleanup.use(await temporaryDirectory())
  const child = spawn(
    process.execPath,
    ['--conditions=dataagent-source', main, '--data-dir', path],
    { env: environmentOf(path, model, options), stdio: ['ignore', 'pipe', 'pipe'] },
  )
  cleanup.defer(() => end(child))
  const url = await addressOf(child)
  const client = createClient({ baseUrl: url, apiKey })
  const what = 'a platform that is ready'
  await waitFor(() => client.operations.ready(), { timeoutMs: 60_000, what })
  const moved = cleanup.move()
  return {
    ...{ url, apiKey, pid: child.pid!, client, model, user_id, dataDir: path },
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  }
}

function environmentOf(dataDir: string, standIn: ModelStandIn, options: TestPlatformOptions) {
  const { env, role = 'platform_admin', model = 'standin' } = options
  return {
    PATH: '/usr/bin:/bin',
    HOME: dataDir,
    DATAAGENT_HOST: '127.0.0.1',
    DATAAGENT_PORT: '0',
    DATAAGENT_SAMPLES: 'off',
    DATAAGENT_API_KEYS: `tenant=default;user=${user_id};role=${role};key=${apiKey}`,
    DATAAGENT_ALLOWED_ADDRESSES: '127.0.0.1',
    // A busy machine must not turn tests away.
    DATAAGENT_MAX_LOOP_DELAY_MS: '60000',
    ...(!options.isDemo && {
      DATAAGENT_MODEL: `openai:${model}`,
      OPENAI_API_KEY: standIn.apiKey,
      OPENAI_BASE_URL: `${standIn.url}/v1`,
    }),
    ...env,
  }
}

/** Where it listens, of the record that says so; fails as soon as it has ended without it. */
async function addressOf(child: ChildProcess): Promise<string> {
  let output = ''
  child.stdout?.on('data', (chunk) => (output += chunk))
  child.stderr?.on('data', (chunk) => (output += chunk))
  let hasEnded = false
  child.once('close', () => (hasEnded = true))
  const record = () => /^.*"listening".*(?=\n)/m.exec(output)?.[0]
  const seen = () => record() ?? (hasEnded ? 'ended' : undefined)
  const found = await waitFor(seen, { timeoutMs: 60_000, what: 'a platform that listens' })
  if (found === 'ended') throw new Error(`the platform has ended: ${output}`)
  return JSON.parse(found).url
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'close')
}
