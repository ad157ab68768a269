import { startModelStandIn, temporaryDirectory, waitFor } from '@dataagent/testkit'
import { startNode } from '../../nodes/node-process.ts'
import { type Person, toApiKeys } from '../../nodes/people.ts'
import { startNodes } from '../../nodes/start-nodes.ts'
import { startUpstream, type Upstream } from '../../tenants/upstream.ts'
import { byWords } from './answers.ts'
import { countStores, type StoreCounts } from './store-counts.ts'

/** Nodes, the MCP servers that they call, and a model; all outside the nodes is this process. */
export interface World extends AsyncDisposable {
  /** Of each node, not of a balancer. */
  urls: readonly string[]
  pids: readonly number[]
  upstream: Upstream
  /** What stands beside the nodes; none with SQLite. */
  stores: Stores | undefined
}

export interface Stores {
  databasePid: number
  redisPid: number
  count(): Promise<StoreCounts>
}

export interface WorldOptions {
  people: readonly Person[]
  tools: number
  /** 0 is one node on SQLite; else so many on PostgreSQL and Redis. */
  nodes: number
}

/** What holds one user or one tenant down would be measured otherwise. */
const roomy = {
  DATAAGENT_MULTI_TENANT: 'true',
  DATAAGENT_ALLOWED_ADDRESSES: '127.0.0.1',
  DATAAGENT_MAX_REQUESTS: '20000',
  DATAAGENT_MAX_REQUESTS_PER_USER: '20000',
  DATAAGENT_MAX_LOOP_DELAY_MS: '10000',
  MCP_RL_ENABLED: 'false',
}

export async function startWorld({ people, tools, nodes }: WorldOptions): Promise<World> {
  await using cleanup = new AsyncDisposableStack()
  const tenants = new Set(people.map(({ tenant_id }) => tenant_id)).size
  const upstream = cleanup.use(await startUpstream({ tenants, tools, faultPercent: 0 }))
  const model = cleanup.use(await startModelStandIn({ script: byWords, recordLimit: 0 }))
  const env = {
    ...roomy,
    DATAAGENT_API_KEYS: toApiKeys(people),
    DATAAGENT_MODEL: 'openai:standin',
    OPENAI_BASE_URL: `${model.url}/v1`,
    OPENAI_API_KEY: model.apiKey,
  }
  const running =
    nodes === 0 ? await startAlone(env, cleanup) : await startMany(nodes, env, cleanup)
  const moved = cleanup.move()
  return { ...running, upstream, [Symbol.asyncDispose]: () => moved.disposeAsync() }
}

type Running = Pick<World, 'urls' | 'pids' | 'stores'>
type Env = Readonly<Record<string, string>>

async function startAlone(env: Env, cleanup: AsyncDisposableStack): Promise<Running> {
  const { path } = cleanup.use(await temporaryDirectory())
  const named = { name: 'growth', dataDir: path, workers: 1 }
  const { url, pid } = cleanup.use(await startNode({ ...named, env }))
  const isReady = async () => (await fetch(`${url}/api/v1/ready`)).ok
  await waitFor(isReady, { timeoutMs: 60_000, what: 'a ready node' })
  return { urls: [url], pids: [pid], stores: undefined }
}

async function startMany(count: number, env: Env, cleanup: AsyncDisposableStack): Promise<Running> {
  const { nodes, database, redis } = cleanup.use(await startNodes({ nodes: count, env }))
  return {
    urls: nodes.map(({ url }) => url),
    pids: nodes.map(({ pid }) => pid),
    stores: {
      ...{ databasePid: database.pid, redisPid: redis.pid },
      count: () => countStores({ database, redis }),
    },
  }
}
