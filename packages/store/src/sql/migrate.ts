import { type Kysely, sql } from 'kysely'
import type { Engine } from './engine.ts'
import { foundation } from './migrations/0001-foundation.ts'
import { hub } from './migrations/0002-hub.ts'
import { platform } from './migrations/0003-platform.ts'
import { hubSessions } from './migrations/0004-hub-sessions.ts'
import { gateway } from './migrations/0005-gateway.ts'
import { modelsAndTools } from './migrations/0006-models-and-tools.ts'
import { createSchemaTools, type SchemaTools } from './schema-tools.ts'
import type { Database } from './tables.ts'

export interface Migration {
  name: string
  /**
   * Every step may have been done already by a start that was killed in the middle: MySQL commits
   * each statement by itself. SchemaTools' verbs skip what is there.
   */
  up(tools: SchemaTools): Promise<void>
}

/** In the order they are applied; a name, once released, never changes. */
const migrations: readonly Migration[] = [
  ...[foundation, hub, platform, hubSessions, gateway, modelsAndTools],
]

export interface MigrateOptions {
  engine: Engine
  db: Kysely<Database>
  migrations?: readonly Migration[]
  /** How long to wait while another process migrates. */
  timeoutMs?: number
}

/** Whether nothing is left to do. */
export async function isMigrated({ engine, db }: MigrateOptions): Promise<boolean> {
  return (await missing(engine, db, migrations)).length === 0
}

/**
 * Brings the tables up to date. Safe to run again, after a kill at any statement, and from several
 * processes at once.
 */
export async function migrate({ engine, db, timeoutMs = 60_000, ...options }: MigrateOptions) {
  const wanted = options.migrations ?? migrations
  if ((await missing(engine, db, wanted)).length === 0) return
  await engine.exclusively(timeoutMs, async () => {
    if (engine.kind === 'mysql') return applyAll(engine, db, wanted)
    await db.transaction().execute((transaction) => applyAll(engine, transaction, wanted))
  })
}

async function applyAll(engine: Engine, db: Kysely<Database>, wanted: readonly Migration[]) {
  const tools = createSchemaTools(engine.kind, db)
  await tools.createTable('schema_migrations', (table) =>
    table
      .addColumn('name', tools.types.id, (column) => column.primaryKey())
      .addColumn('applied_at', tools.types.integer, (column) => column.notNull()),
  )
  for (const migration of await missing(engine, db, wanted)) {
    await migration.up(tools)
    await db
      .insertInto('schema_migrations')
      .values({ name: migration.name, applied_at: Date.now() })
      .execute()
  }
}

async function missing(engine: Engine, db: Kysely<Database>, wanted: readonly Migration[]) {
  const tools = createSchemaTools(engine.kind, db)
  if (!(await tools.hasTable('schema_migrations'))) return wanted
  const { rows } = await sql<{ name: string }>`select name from schema_migrations`.execute(db)
  const applied = new Set(rows.map((row) => row.name))
  return wanted.filter(({ name }) => !applied.has(name))
}
