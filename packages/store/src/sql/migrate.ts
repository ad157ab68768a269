import { type Kysely, sql } from 'kysely'
import type { Engine } from './engine.ts'
import { foundation } from './migrations/0001-foundation.ts'
import { hub } from './migrations/0002-hub.ts'
import { platform } from './migrations/0003-platform.ts'
import { hubSessions } from './migrations/0004-hub-sessions.ts'
import { gateway } from './migrations/0005-gateway.ts'
import { modelsAndTools } from './migrations/0006-models-and-tools.ts'
import { signsOfLife } from './migrations/0007-signs-of-life.ts'
import { turnFeedback } from './migrations/0008-turn-feedback.ts'
import { feedbackOfSession } from './migrations/0009-feedback-of-session.ts'
import { runTraces } from './migrations/0010-run-traces.ts'
import { evaluations } from './migrations/0011-evaluations.ts'
import { checkpoints } from './migrations/0012-checkpoints.ts'
import { data } from './migrations/0013-data.ts'
import { questionNotes } from './migrations/0014-question-notes.ts'
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
  ...[foundation, hub, platform, hubSessions, gateway, modelsAndTools, signsOfLife],
  ...[turnFeedback, feedbackOfSession, runTraces, evaluations, checkpoints, data],
  questionNotes,
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

/** Names of what a newer version has done to the tables. */
export async function unknownMigrations({ engine, db }: MigrateOptions): Promise<string[]> {
  const known = new Set(migrations.map(({ name }) => name))
  return [...(await appliedIn(engine, db))].filter((name) => !known.has(name)).sort()
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
  const applied = await appliedIn(engine, db)
  return wanted.filter(({ name }) => !applied.has(name))
}

async function appliedIn(engine: Engine, db: Kysely<Database>): Promise<Set<string>> {
  const tools = createSchemaTools(engine.kind, db)
  if (!(await tools.hasTable('schema_migrations'))) return new Set()
  const { rows } = await sql<{ name: string }>`select name from schema_migrations`.execute(db)
  return new Set(rows.map((row) => row.name))
}
