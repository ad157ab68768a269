import { startModelStandIn, temporaryDirectory, waitFor } from '@dataagent/testkit'
import { askServer, keyEntries, type TestAnswer, type TestRequest } from './test-platform.ts'
import { runServer, type ServerProcess } from './test-server.ts'

/** The real program, which a rejection that nobody handles ends. */
export interface StrictServer extends AsyncDisposable {
  url: string
  program: ServerProcess
  /** Asks a path under /api/v1. */
  ask<T = Record<string, unknown>>(
    method: string,
    path: string,
    options?: TestRequest,
  ): Promise<TestAnswer<T>>
  /** What it did not expect; none while it is well. */
  faults(): unknown[]
}

export async function startStrictServer(env: Record<string, string> = {}): Promise<StrictServer> {
  await using cleanup = new AsyncDisposableStack()
  const model = cleanup.use(await startModelStandIn())
  const directory = cleanup.use(await temporaryDirectory())
  const program = cleanup.use(
    runServer({
      dataDir: directory.path,
      nodeArgs: ['--unhandled-rejections=strict'],
      env: {
        ...{ DATAAGENT_API_KEYS: keyEntries().join(), DATAAGENT_MULTI_TENANT: 'true' },
        ...{ DATAAGENT_HOST: '127.0.0.1', DATAAGENT_ALLOWED_ADDRESSES: '127.0.0.1' },
        ...{ OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: model.apiKey },
        DATAAGENT_MODEL: 'openai:standin',
        ...env,
      },
    }),
  )
  const url = await program.url()
  const isReady = async () => (await fetch(`${url}/api/v1/ready`)).ok
  await waitFor(isReady, { timeoutMs: 30_000, what: 'ready server' })
  const moved = cleanup.move()
  return {
    ...{ url, program },
    ask: (method, path, request) => askServer(`${url}/api/v1${path}`, method, request),
    faults: () => [
      ...(program.process.exitCode === null ? [] : [`ended: ${program.stderr()}`]),
      ...program.records().filter(({ level }) => level === 'error' || level === 'fatal'),
    ],
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  }
}
