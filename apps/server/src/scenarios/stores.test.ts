import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { MessagesPage, Session, SessionsPage } from '@dataagent/schema'
import {
  canStartService,
  createDatabase,
  findService,
  startRedis,
  temporaryDirectory,
} from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { type Config, loadConfig } from '../config/index.ts'
import { startTestPlatform, type TestPlatform } from '../testing/test-platform.ts'

interface Opened {
  env: Record<string, string>
  /** Asks the database itself; absent where there is none to ask. */
  query?: (sql: string) => Promise<Record<string, unknown>[]>
}

interface Store {
  name: string
  canRun: boolean
  open(cleanup: AsyncDisposableStack, dir: string): Promise<Opened>
}

const stores: Store[] = [
  { name: 'memory', canRun: true, open: async () => ({ env: {} }) },
  {
    name: 'sqlite',
    canRun: true,
    async open(_, dir) {
      const query = async (sql: string) => {
        using database = new DatabaseSync(join(dir, 'dataagent.db'), { readOnly: true })
        return database.prepare(sql).all()
      }
      return { env: {}, query }
    },
  },
  {
    name: 'mysql',
    canRun: (await findService('mysql')) !== undefined,
    async open(cleanup) {
      const { url, query } = cleanup.use(await createDatabase('mysql'))
      const { hostname, port, username, password, pathname } = new URL(url)
      const env = {
        DATAAGENT_MYSQL_HOST: hostname,
        DATAAGENT_MYSQL_PORT: port,
        DATAAGENT_MYSQL_USER: decodeURIComponent(username),
        DATAAGENT_MYSQL_PASSWORD: decodeURIComponent(password),
        DATAAGENT_MYSQL_DATABASE: pathname.slice(1),
      }
      return { env, query }
    },
  },
  {
    name: 'postgres',
    canRun: (await findService('postgres')) !== undefined,
    async open(cleanup) {
      const { url, query } = cleanup.use(await createDatabase('postgres'))
      return { env: { DATABASE_URL: url }, query }
    },
  },
  {
    name: 'redis',
    canRun: await canStartService('redis'),
    open: async (cleanup) => ({ env: { REDIS_URL: cleanup.use(await startRedis()).url } }),
  },
]

/** What the variables of a store say, and nothing else. */
function configOf(name: string, env: Record<string, string>): Partial<Config> {
  const loaded = loadConfig({ argv: [], env: { ...env, DATAAGENT_SESSION_STORE: name } })
  if (loaded.status !== 'ok') throw new Error('these settings do not hold')
  const { session_store, database_url, redis_url } = loaded.config
  const { mysql_host, mysql_port, mysql_user, mysql_password, mysql_database } = loaded.config
  return {
    ...{ session_store, database_url, redis_url, mysql_host, mysql_port, mysql_user },
    ...{ mysql_password, mysql_database },
  }
}

const columnsOf = (table: string, name: string) =>
  name === 'sqlite'
    ? `SELECT name FROM pragma_table_info('${table}')`
    : `SELECT column_name AS name FROM information_schema.columns WHERE table_name = '${table}' AND table_schema = ${name === 'mysql' ? 'DATABASE()' : "'public'"}`

describe.each(stores)('the store $name', ({ name, canRun, open }) => {
  test.skipIf(!canRun)(
    'is chosen by DATAAGENT_SESSION_STORE, makes its tables, and has all after a restart [D25.1] [D25.2] [D25.3] [D25.5] [D25.6] [D25.7] [D26.2]',
    { timeout: 90_000 },
    async () => {
      await using cleanup = new AsyncDisposableStack()
      const { path: dir } = cleanup.use(await temporaryDirectory())
      const { env, query } = await open(cleanup, dir)
      const config = configOf(name, env)
      const before = cleanup.use(await startTestPlatform({ dir, config }))
      if (query) {
        const fields = ['session_id', 'user_id', 'assistant_id', 'created_at', 'last_active']
        expect(await names(query, columnsOf('sessions', name))).toEqual(
          expect.arrayContaining(fields),
        )
        expect(await names(query, columnsOf('messages', name))).toEqual(
          expect.arrayContaining(['message_id', 'session_id', 'role', 'content', 'created_at']),
        )
      }
      await before.ask('POST', '/chat', { json: { message: 'Grüße 👋' } })
      const history = await historyOf(before)
      expect(history.map(({ role, content }) => [role, content])).toEqual([
        ['user', 'Grüße 👋'],
        ['assistant', 'You said: Grüße 👋'],
      ])
      if (query) {
        const rows = await query(
          'SELECT role, content FROM messages ORDER BY created_at, role DESC',
        )
        expect(rows.map(({ role }) => role)).toEqual(['user', 'assistant'])
      }
      await before.stop()
      const after = cleanup.use(await startTestPlatform({ dir, config }))
      expect(await historyOf(after)).toEqual(name === 'memory' ? [] : history)
    },
  )

  test.skipIf(!canRun)('has all seven methods [D25.4]', { timeout: 90_000 }, async () => {
    await using cleanup = new AsyncDisposableStack()
    const { path: dir } = cleanup.use(await temporaryDirectory())
    const { env } = await open(cleanup, dir)
    const server = cleanup.use(await startTestPlatform({ dir, config: configOf(name, env) }))
    await useAll(server)
  })
})

async function useAll({ platform }: TestPlatform): Promise<void> {
  const { sessions } = platform.stores
  const session = (session_id: string, last_active: number): Session => ({
    ...{ session_id, tenant_id: 'acme', user_id: 'ada', assistant_id: 'default', last_active },
    ...{
      created_at: 1,
      state: { thread_id: session_id, auto_approve: false, status: 'idle' },
      metadata: {},
    },
  })
  const page = { limit: 10, offset: 0 }
  const now = Date.now()
  for (const [id, at] of [['old', 1_000] as const, ['new', now] as const])
    await sessions.create(session(id, at))
  expect(await sessions.get('acme', 'new')).toEqual(session('new', now))
  const changed = await sessions.update('acme', 'new', () => ({ metadata: { title: 'Plans' } }))
  expect(changed.metadata).toEqual({ title: 'Plans' })
  const ids = (found: Session[]) => found.map(({ session_id }) => session_id)
  expect(ids(await sessions.listByUser('acme', 'ada', page))).toEqual(['new', 'old'])
  expect(ids(await sessions.listByAssistant('acme', 'default', page))).toEqual(['new', 'old'])
  expect(await sessions.cleanupExpired({ before: 2_000, limit: 10 })).toEqual(['old'])
  expect(await sessions.delete('acme', 'new')).toBe(true)
  expect(await sessions.listByUser('acme', 'ada', page)).toEqual([])
}

async function historyOf({ ask }: TestPlatform) {
  const { body } = await ask<SessionsPage>('GET', '/sessions')
  const pages = body.sessions.map(({ session_id }) =>
    ask<MessagesPage>('GET', `/sessions/${session_id}/messages`),
  )
  return (await Promise.all(pages)).flatMap((page) => page.body.messages)
}

async function names(query: NonNullable<Opened['query']>, sql: string): Promise<unknown[]> {
  return (await query(sql)).map(({ name }) => name)
}

const withPool = stores.filter(({ name }) => name === 'mysql' || name === 'postgres')

test.skipIf(!withPool.every(({ canRun }) => canRun)).each(withPool)(
  'many requests at once share a few connections to $name [D25.8]',
  { timeout: 90_000 },
  async ({ name, open }) => {
    await using cleanup = new AsyncDisposableStack()
    const { path: dir } = cleanup.use(await temporaryDirectory())
    const { env, query } = await open(cleanup, dir)
    const server = cleanup.use(await startTestPlatform({ dir, config: configOf(name, env) }))
    const asked = Array.from({ length: 60 }, () => server.ask('POST', '/sessions', { json: {} }))
    const answers = await Promise.all(asked)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    const held =
      name === 'mysql'
        ? 'SELECT COUNT(*) AS n FROM information_schema.processlist WHERE db = DATABASE()'
        : 'SELECT COUNT(*) AS n FROM pg_stat_activity WHERE datname = current_database()'
    // Those of the pool, which is ten, and our own.
    const [row] = (await query?.(held)) ?? []
    expect(Number(row?.n)).toBeGreaterThan(2)
    expect(Number(row?.n)).toBeLessThanOrEqual(11)
  },
)
