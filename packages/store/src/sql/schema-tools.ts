import {
  type AlterTableBuilder,
  type AlterTableColumnAlteringBuilder,
  type CreateTableBuilder,
  type Insertable,
  type Kysely,
  sql,
} from 'kysely'
import type { Engine } from './engine.ts'
import { insertIfAbsent } from './insert-if-absent.ts'
import type { Database } from './tables.ts'

type ColumnType = Parameters<CreateTableBuilder<string, string>['addColumn']>[1]

type Types = Record<'id' | 'text' | 'integer' | 'bytes', ColumnType>

/**
 * What a migration may do, in words that mean the same on all three databases. Each verb skips what
 * is there.
 */
export interface SchemaTools {
  types: Types
  hasTable(table: string): Promise<boolean>
  createTable(
    table: string,
    define: (builder: CreateTableBuilder<string>) => CreateTableBuilder<string, string>,
  ): Promise<void>
  createIndex(
    name: string,
    on: { table: string; columns: readonly string[]; unique?: boolean },
  ): Promise<void>
  addColumn(
    table: string,
    column: string,
    define: (builder: AlterTableBuilder) => AlterTableColumnAlteringBuilder,
  ): Promise<void>
  addRow(table: 'settings', row: Insertable<Database['settings']>): Promise<void>
}

/** Ids compare byte by byte; text holds what JSON needs; integers are 64 bits wide. */
const typesOf: Record<Engine['kind'], Types> = {
  sqlite: { id: 'text', text: 'text', integer: 'integer', bytes: 'blob' },
  mysql: {
    id: sql`varchar(191) character set utf8mb4 collate utf8mb4_bin`,
    text: sql`longtext character set utf8mb4 collate utf8mb4_bin`,
    integer: 'bigint',
    bytes: sql`longblob`,
  },
  postgres: {
    id: sql`varchar(191) collate "C"`,
    text: 'text',
    integer: 'bigint',
    bytes: 'bytea',
  },
}

export function createSchemaTools(kind: Engine['kind'], db: Kysely<Database>): SchemaTools {
  async function exists(query: ReturnType<typeof sql<{ found: number }>>): Promise<boolean> {
    return (await query.execute(db)).rows.length > 0
  }

  return {
    types: typesOf[kind],

    hasTable(table) {
      if (kind === 'sqlite') {
        return exists(
          sql`select 1 as found from sqlite_master where type = 'table' and name = ${table}`,
        )
      }
      const schema = sql.raw(kind === 'mysql' ? 'database()' : 'current_schema()')
      return exists(sql`
        select 1 as found from information_schema.tables
        where table_schema = ${schema} and table_name = ${table}`)
    },

    async createTable(table, define) {
      let builder = define(db.schema.createTable(table).ifNotExists() as CreateTableBuilder<string>)
      if (kind === 'mysql') builder = builder.modifyEnd(sql`engine = InnoDB`)
      await builder.execute()
    },

    async createIndex(name, { table, columns, unique }) {
      const found = {
        sqlite: sql<{ found: number }>`
          select 1 as found from sqlite_master where type = 'index' and name = ${name}`,
        mysql: sql<{ found: number }>`
          select 1 as found from information_schema.statistics
          where table_schema = database() and table_name = ${table} and index_name = ${name} limit 1`,
        postgres: sql<{ found: number }>`
          select 1 as found from pg_indexes where schemaname = current_schema() and indexname = ${name}`,
      }[kind]
      if (await exists(found)) return
      const builder = db.schema
        .createIndex(name)
        .on(table)
        .columns([...columns])
      await (unique ? builder.unique() : builder).execute()
    },

    async addColumn(table, column, define) {
      const schema = sql.raw(kind === 'mysql' ? 'database()' : 'current_schema()')
      const found =
        kind === 'sqlite'
          ? sql<{ found: number }>`
              select 1 as found from pragma_table_info(${table}) where name = ${column}`
          : sql<{ found: number }>`
              select 1 as found from information_schema.columns
              where table_schema = ${schema} and table_name = ${table} and column_name = ${column}`
      if (!(await exists(found))) await define(db.schema.alterTable(table)).execute()
    },

    addRow: (table, row) => insertIfAbsent({ db, kind }, table, row),
  }
}
