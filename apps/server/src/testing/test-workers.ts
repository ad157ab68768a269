import { execFileSync } from 'node:child_process'
import { type Client, createClient } from '@dataagent/client'
import {
  type ModelStandIn,
  type Script,
  startModelStandIn,
  temporaryDirectory,
  waitFor,
} from '@dataagent/testkit'
import { keyOf, type Person, people } from './test-platform.ts'
import { runServer, type ServerProcess } from './test-server.ts'

/** A server of several processes, with the people of `people`. */
export interface TestWorkers extends AsyncDisposable {
  server: ServerProcess
  url: string
  model: ModelStandIn
  /** Of one of `people`, or of a user of `acme` by number. */
  clientOf(person: Person | number): Client
  pids(): number[]
  /** Waits until there are all of them, ready. */
  allReady(): Promise<number[]>
}

export interface TestWorkersOptions {
  workers?: number
  script?: Script
  env?: Record<string, string>
  /** How many numbered users there are. */
  users?: number
  dataDir?: string
}

const numbered = (user: number) => `key-of-user-${user}-0123456789abcdef`

/** Runs the real program with its workers. */
export async function startWorkers(options: TestWorkersOptions = {}): Promise<TestWorkers> {
  const { workers = 2, users = 0, script = ['Hello.'] } = options
  await using cleanup = new AsyncDisposableStack()
  const model = cleanup.use(await startModelStandIn({ script, recordLimit: 0 }))
  const dataDir = options.dataDir ?? cleanup.use(await temporaryDirectory()).path
  const server = cleanup.use(
    runServer({
      dataDir,
      args: ['--workers', String(workers)],
      env: {
        DATAAGENT_API_KEYS: keyEntries(users).join(','),
        DATAAGENT_MULTI_TENANT: 'true',
        DATAAGENT_MODEL: 'openai:standin',
        OPENAI_BASE_URL: `${model.url}/v1`,
        OPENAI_API_KEY: model.apiKey,
        ...options.env,
      },
    }),
  )
  const url = await server.url()
  const pids = () => workerPids(server)
  const allReady = () => whenWorkersReady(server, workers)
  if (workers > 1) await allReady()
  else await waitFor(() => isReady(server), { timeoutMs: 60_000, what: 'ready server' })
  const moved = cleanup.move()
  return {
    ...{ server, url, model, pids, allReady },
    clientOf: (person) =>
      createClient({
        baseUrl: url,
        apiKey: typeof person === 'number' ? numbered(person) : keyOf(person),
      }),
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  }
}

/** Waits for so many; gives their process ids. All but the first listen when they are ready. */
export function whenWorkersReady(server: ServerProcess, count: number): Promise<number[]> {
  return waitFor(
    async () => {
      const listening = listened(server)
      // Only then are the processes looked at, which is work for a machine that is to start them.
      if (listening.size < count) return undefined
      const found = workerPids(server).filter((pid) => listening.has(pid))
      return found.length === count && (await isReady(server)) ? found : undefined
    },
    { timeoutMs: 60_000, intervalMs: 50, what: `${count} ready workers` },
  )
}

/** Process ids of those that have listened, also of those that have ended since. */
function listened(server: ServerProcess): Set<unknown> {
  const told = server.records().filter(({ message }) => message === 'a worker listens')
  return new Set(told.map(({ worker_pid }) => worker_pid))
}

/** Asked on a connection of its own: whoever answers. */
async function isReady(server: ServerProcess): Promise<boolean> {
  return (await server.get('/api/v1/ready', { connection: 'close' })).status === 200
}

function keyEntries(users: number): string[] {
  const named = Object.entries(people).map(
    ([person, { tenant_id, user_id, role }]) =>
      `tenant=${tenant_id};user=${user_id};role=${role};key=${keyOf(person as Person)}`,
  )
  const others = Array.from(
    { length: users },
    (_, user) => `tenant=acme;user=user-${user};role=user;key=${numbered(user)}`,
  )
  return [...named, ...others]
}

/** Those that run, whether they listen or not. */
export function workerPids({ process: { pid } }: ServerProcess): number[] {
  try {
    return execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
      .split('\n')
      .map(Number)
      .filter((child) => child > 0)
  } catch {
    return []
  }
}
