import type { GatewayStore } from '@dataagent/gateway'
import type { Clock } from '@dataagent/guard'
import type { HubStore } from '@dataagent/hub'
import type { CheckpointStore, DataStore } from '@dataagent/schema'
import { Kysely } from 'kysely'
import { createCheckpointStore } from './checkpoints/checkpoint-store.ts'
import { createDataStore } from './data/data-store.ts'
import { parseDatabaseUrl } from './database-url.ts'
import type { Engine } from './engine.ts'
import { createEventLog, type EventLog } from './event-log.ts'
import { createGatewayStore } from './gateway/gateway-store.ts'
import { createHubStore } from './hub/hub-store.ts'
import { createMessages, type Messages } from './messages.ts'
import { isMigrated, migrate, unknownMigrations } from './migrate.ts'
import { createMysqlEngine } from './mysql/mysql-engine.ts'
import { type Agents, createAgents } from './platform/agents.ts'
import { type ApiKeys, createApiKeys } from './platform/api-keys.ts'
import { type BrowserSessions, createBrowserSessions } from './platform/browser-sessions.ts'
import { createEvaluations, type Evaluations } from './platform/evaluations.ts'
import { createFeedback, type FeedbackRows } from './platform/feedback.ts'
import { createProviders, type Providers } from './platform/providers.ts'
import { createRuns, type Runs } from './platform/runs.ts'
import { createSettings, type Settings } from './platform/settings.ts'
import { createTenants, type Tenants } from './platform/tenants.ts'
import { createUsers, type Users } from './platform/users.ts'
import { createPostgresEngine } from './postgres/postgres-engine.ts'
import { createSealedRows, type SealedRows } from './sealed-rows.ts'
import { createSessions, type Sessions } from './sessions.ts'
import { createSqliteEngine } from './sqlite/sqlite-engine.ts'
import type { Database } from './tables.ts'
import { createTenantRows, type TenantRows } from './tenant-rows.ts'

export interface OpenSqlOptions {
  /** `sqlite:path`, `mysql://…` or `postgres://…`; see `parseDatabaseUrl`. */
  url: string
  clock?: Clock
  maxConnections?: number
  connectTimeoutMs?: number
  queryTimeoutMs?: number
  acquireTimeoutMs?: number
}

/**
 * The SQL store. Every method may throw `store_unavailable`, `storage_full` or `internal` beside
 * its own errors.
 */
export interface SqlStore extends AsyncDisposable {
  kind: Engine['kind']
  settings: Settings
  tenants: Tenants
  users: Users
  apiKeys: ApiKeys
  browserSessions: BrowserSessions
  agents: Agents
  providers: Providers
  runs: Runs
  feedback: FeedbackRows
  evaluations: Evaluations
  sessions: Sessions
  messages: Messages
  events: EventLog
  hub: HubStore
  gateway: GatewayStore
  checkpoints: CheckpointStore
  data: DataStore
  /** What the vault has sealed: all of it, whoever stored it. */
  sealed: SealedRows
  /** What is stored of one tenant: all of it, whoever stored it. */
  ofTenant: TenantRows
  /** What a newer version has done to the tables, by name; changes nothing. */
  unknownMigrations(): Promise<string[]>
  /** Brings the tables up to date; to be called, until it succeeds, before anything else. */
  migrate(): Promise<void>
  /** Throws `store_unavailable` where the database does not answer. */
  ping(): Promise<void>
  /** Connections open now. */
  connections(): number
  /** Waits for what is under way, then ends every connection. */
  close(): Promise<void>
}

/** Makes the store for a database URL. Touches neither disk nor network before the first call. */
export function openSql(options: OpenSqlOptions): SqlStore {
  const engine = createEngine(options)
  const db = new Kysely<Database>({ dialect: engine.dialect })
  const events = createEventLog({ db, engine })
  return {
    kind: engine.kind,
    settings: createSettings({ db, engine }),
    tenants: createTenants({ db, engine }),
    users: createUsers({ db, engine }),
    apiKeys: createApiKeys({ db, engine }),
    browserSessions: createBrowserSessions({ db, engine }),
    agents: createAgents({ db, engine }),
    providers: createProviders({ db, engine }),
    runs: createRuns({ db, engine }),
    feedback: createFeedback({ db, engine }),
    evaluations: createEvaluations({ db, engine }),
    sessions: createSessions({ db, engine, onDeleted: events.forget }),
    messages: createMessages({ db, engine }),
    events,
    hub: createHubStore({ db, engine }),
    gateway: createGatewayStore({ db, engine }),
    checkpoints: createCheckpointStore({ db, engine }),
    data: createDataStore({ db, engine }),
    sealed: createSealedRows(db),
    ofTenant: createTenantRows({ db, engine }),
    unknownMigrations: () => unknownMigrations({ engine, db }),
    migrate: () => migratePatiently({ engine, db }, options),
    async ping() {
      await db.selectFrom('schema_migrations').select('name').limit(1).execute()
    },
    connections: engine.connections,
    close: engine.close,
    [Symbol.asyncDispose]: engine.close,
  }
}

/** An index over a large table takes longer than any other statement may. */
const migrationTimeoutMs = 30 * 60_000

/**
 * Changes tables on connections of their own: one holds the lock, one waits as long as it takes.
 */
async function migratePatiently(
  own: { engine: Engine; db: Kysely<Database> },
  options: OpenSqlOptions,
): Promise<void> {
  if (own.engine.kind === 'sqlite') return migrate(own)
  if (await isMigrated(own)) return
  const engine = createEngine({ ...options, maxConnections: 2, queryTimeoutMs: migrationTimeoutMs })
  const db = new Kysely<Database>({ dialect: engine.dialect })
  try {
    await migrate({ engine, db })
  } finally {
    await db.destroy()
  }
}

export function createEngine({ url, ...options }: OpenSqlOptions): Engine {
  const target = parseDatabaseUrl(url)
  if (target.kind === 'sqlite') return createSqliteEngine(target)
  const create = target.kind === 'mysql' ? createMysqlEngine : createPostgresEngine
  return create({ ...options, url: target.url })
}
