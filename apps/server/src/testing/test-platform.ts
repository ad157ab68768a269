import { mkdir } from 'node:fs/promises'
import { type Clock, systemClock } from '@dataagent/guard'
import { createSecret } from '@dataagent/schema'
import {
  type ModelStandIn,
  type Script,
  startModelStandIn,
  temporaryDirectory,
  waitFor,
} from '@dataagent/testkit'
import { type Server, startServer } from '../compose/index.ts'
import type { Config } from '../config/index.ts'
import type { Platform } from '../platform/index.ts'
import { createTestLog, testConfig } from './test-app.ts'

/**
 * Those whom every test server knows: of the tenant `acme` an administrator, two users and an
 * auditor, of `globex` an administrator and a user, and who runs the platform.
 */
export const people = {
  operator: { tenant_id: 'default', user_id: 'operator', role: 'platform_admin' },
  boss: { tenant_id: 'acme', user_id: 'boss', role: 'admin' },
  ada: { tenant_id: 'acme', user_id: 'ada', role: 'user' },
  bob: { tenant_id: 'acme', user_id: 'bob', role: 'user' },
  eve: { tenant_id: 'acme', user_id: 'eve', role: 'auditor' },
  max: { tenant_id: 'globex', user_id: 'max', role: 'admin' },
  zoe: { tenant_id: 'globex', user_id: 'zoe', role: 'user' },
} as const
export type Person = keyof typeof people

/** The key that a person of the test server signs in with. */
export const keyOf = (person: Person) => `key-of-${person}-0123456789abcdef`

export interface TestRequest {
  /** Whose key is sent; null sends none. Default: `ada`. */
  as?: Person | null
  /** Sent as JSON. */
  json?: unknown
  body?: NonNullable<RequestInit['body']>
  headers?: Record<string, string>
  signal?: AbortSignal
  redirect?: 'manual'
}

export interface TestAnswer<T> {
  status: number
  headers: Headers
  body: T
}

export interface TestPlatform extends AsyncDisposable {
  url: string
  platform: Platform
  model: ModelStandIn
  /** Where its data is. */
  dir: string
  records: Record<string, unknown>[]
  /** Asks a path under /api/v1 over a real socket. */
  ask<T = Record<string, unknown>>(
    method: string,
    path: string,
    options?: TestRequest,
  ): Promise<TestAnswer<T>>
  stop(): Promise<void>
}

export interface TestPlatformOptions {
  config?: Partial<Config>
  script?: Script
  /** Starts over the data of an earlier one. */
  dir?: string
  clock?: Clock
}

/** A whole server of this process, on a free port, with the model stand-in. */
export async function startTestPlatform(options: TestPlatformOptions = {}): Promise<TestPlatform> {
  await using cleanup = new AsyncDisposableStack()
  const model = cleanup.use(
    await startModelStandIn(options.script === undefined ? {} : { script: options.script }),
  )
  const dir = options.dir ?? cleanup.use(await temporaryDirectory()).path
  await mkdir(dir, { recursive: true })
  const { log, masker, records } = createTestLog()
  const server = await startServer({
    config: testConfig({ ...configIn(dir), ...options.config }),
    ...{ log, masker, clock: options.clock ?? systemClock },
    env: {
      OPENAI_BASE_URL: `${model.url}/v1`,
      OPENAI_API_KEY: model.apiKey,
      DATAAGENT_MODEL: 'openai:standin',
    },
    onFatal: (error) => log.error({ error }, 'fatal'),
  })
  const stop = onceOnly(server)
  cleanup.defer(stop)
  await waitFor(server.readiness.isReady, { timeoutMs: 30_000, what: 'ready server' })
  const moved = cleanup.move()
  return {
    ...{ url: server.url, platform: server.platform(), model, dir, records, stop },
    ask: (method, path, request) => askServer(`${server.url}/api/v1${path}`, method, request),
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  }
}

/** As the settings name those whom a test server knows. */
export function keyEntries(): string[] {
  const entries = Object.entries(people) as [Person, (typeof people)[Person]][]
  return entries.map(
    ([person, { tenant_id, user_id, role }]) =>
      `tenant=${tenant_id};user=${user_id};role=${role};key=${keyOf(person)}`,
  )
}

function configIn(dir: string): Partial<Config> {
  const api_keys = keyEntries().map((entry) => createSecret(entry))
  return {
    ...{ data_dir: dir, port: 0, host: '127.0.0.1', api_keys },
    // As `people` has it; the servers that tests run are on this machine.
    ...{ multi_tenant: true, allowed_addresses: ['127.0.0.1'] },
    // A busy machine must not turn tests away.
    ...{ session_store: 'sqlite', shutdown_grace: 2, max_loop_delay_ms: 60_000 },
  }
}

function onceOnly({ stop }: Server): () => Promise<void> {
  let stopped: Promise<void> | undefined
  return () => {
    stopped ??= stop()
    return stopped
  }
}

export async function askServer<T>(
  url: string,
  method: string,
  { as = 'ada', json, ...request }: TestRequest = {},
): Promise<TestAnswer<T>> {
  const headers = new Headers(request.headers)
  if (as !== null) headers.set('x-api-key', keyOf(as))
  if (json !== undefined) headers.set('content-type', 'application/json')
  const response = await fetch(url, {
    ...{ signal: AbortSignal.timeout(30_000), ...request, method, headers },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return {
    status: response.status,
    headers: response.headers,
    body: (isJson ? JSON.parse(text) : text) as T,
  }
}
