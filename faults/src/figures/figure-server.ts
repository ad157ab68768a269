import {
  lastUserText,
  type RecordedRequest,
  startModelStandIn,
  startPostgres,
  startRedis,
  temporaryDirectory,
  waitFor,
} from '@dataagent/testkit'
import { startNode } from '../nodes/node-process.ts'
import { type Person, toApiKeys } from '../nodes/people.ts'

/** PostgreSQL has Redis beside it, as with several nodes. */
export const figureDatabases = ['sqlite', 'postgres'] as const
export type FigureDatabase = (typeof figureDatabases)[number]

/** A server with a model that answers at once, or never. */
export interface FigureServer extends AsyncDisposable {
  url: string
}

const answer = { text: 'A short answer, in a few words.', ttft: 20 }
const silence = { text: 'Late.', ttft: 600_000 }

function byMessage(request: RecordedRequest) {
  return lastUserText(request) === 'Wait' ? silence : answer
}

export async function startFigureServer(options: {
  people: readonly Person[]
  workers?: number
  database?: FigureDatabase
  env?: Readonly<Record<string, string>>
}): Promise<FigureServer> {
  await using cleanup = new AsyncDisposableStack()
  const { path } = cleanup.use(await temporaryDirectory())
  const stores = options.database === 'postgres' ? await startStores(cleanup) : {}
  const model = cleanup.use(await startModelStandIn({ script: byMessage, recordLimit: 0 }))
  const node = cleanup.use(
    await startNode({
      ...{ name: 'figures', dataDir: path, workers: options.workers ?? 1 },
      env: {
        DATAAGENT_API_KEYS: toApiKeys(options.people),
        DATAAGENT_MULTI_TENANT: 'true',
        DATAAGENT_MODEL: 'openai:standin',
        OPENAI_BASE_URL: `${model.url}/v1`,
        OPENAI_API_KEY: model.apiKey,
        ...stores,
        ...options.env,
      },
    }),
  )
  const isReady = async () => (await fetch(`${node.url}/api/v1/ready`)).ok
  await waitFor(isReady, { timeoutMs: 60_000, what: 'a ready server' })
  const moved = cleanup.move()
  return { url: node.url, [Symbol.asyncDispose]: () => moved.disposeAsync() }
}

async function startStores(cleanup: AsyncDisposableStack) {
  const database = cleanup.use(await startPostgres())
  const redis = cleanup.use(await startRedis({ durable: true }))
  return { DATABASE_URL: database.url, REDIS_URL: redis.url }
}
