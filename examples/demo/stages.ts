import { canStartService, createDatabase, findService, startRedis } from '@dataagent/testkit'

/** On what the platform stands. */
export interface Stage extends AsyncDisposable {
  env: Readonly<Record<string, string>>
}

export const stages = {
  embedded: {
    title: 'One process, embedded stores: what npm start gives',
    open: async (): Promise<Stage> => toStage({}, new AsyncDisposableStack()),
  },
  workers: {
    title: 'Two worker processes, embedded stores',
    open: async (): Promise<Stage> =>
      toStage({ DATAAGENT_WORKERS: '2' }, new AsyncDisposableStack()),
  },
  databases: {
    title: 'Two worker processes on MariaDB and Redis',
    /** Undefined, and told loudly, where one of them is neither there nor can be installed. */
    async open(): Promise<Stage | undefined> {
      const isThere = (await findService('mysql')) !== undefined
      if (!isThere || !(await canStartService('redis'))) return undefined
      const cleanup = new AsyncDisposableStack()
      const database = cleanup.use(await createDatabase('mysql'))
      const redis = cleanup.use(await startRedis())
      const stores = { DATABASE_URL: database.url, REDIS_URL: redis.url }
      return toStage({ DATAAGENT_WORKERS: '2', ...stores }, cleanup)
    },
  },
}

function toStage(env: Stage['env'], cleanup: AsyncDisposableStack): Stage {
  return { env, [Symbol.asyncDispose]: () => cleanup.disposeAsync() }
}
