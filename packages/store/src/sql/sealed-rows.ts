import { isPlainObject, readJson } from '@dataagent/schema'
import { type Kysely, sql } from 'kysely'
import type { SealedRow } from '../secrets/index.ts'
import { isBehind } from './is-behind.ts'
import type { Database } from './tables.ts'

/** Where a sealed text is. */
export interface SealedPlace {
  table: string
  column: string
  key: Record<string, string>
}

/** All that is sealed in the database, as `rotateSecrets` takes it. */
export interface SealedRows {
  rows(): AsyncIterable<SealedRow<SealedPlace>>
  /** False where the row is gone, or holds another envelope by now. */
  replace(row: SealedRow<SealedPlace>, next: string): Promise<boolean>
}

interface SealedColumn {
  table: keyof Database
  column: string
  key: readonly string[]
  /** The field that is the envelope, in a column that is JSON. */
  field?: string
  /** The rows that are sealed, by their first key, in a table of which others are not. */
  only?: readonly string[]
}

/** Every column that holds sealed text: a new one is to be entered here. */
export const sealedColumns: readonly SealedColumn[] = [
  { table: 'mcp_servers', column: 'secrets', key: ['tenant_id', 'server_id'] },
  { table: 'mcp_server_editions', column: 'secrets', key: ['tenant_id', 'server_id'] },
  { table: 'mcp_credentials', column: 'secrets', key: ['tenant_id', 'server_id', 'user_id'] },
  {
    table: 'mcp_sign_ins',
    column: 'value',
    key: ['tenant_id', 'server_id', 'user_id', 'record_id'],
  },
  { table: 'approvals', column: 'decision_details', key: ['approval_id'], field: 'sealed_args' },
  { table: 'model_providers', column: 'api_key', key: ['tenant_id', 'provider_id'] },
  { table: 'mcp_tool_groups', column: 'api_key', key: ['group_id'] },
  { table: 'data_sources', column: 'location', key: ['tenant_id', 'source_id'] },
  { table: 'settings', column: 'value', key: ['name'], only: ['installation_key'] },
]

const pageSize = 50

type Row = Record<string, string>

export function createSealedRows(db: Kysely<Database>): SealedRows {
  async function readPage({ table, column, key }: SealedColumn, last: Row | undefined) {
    const place = last ? isBehind<Row>(key, last) : sql`1 = 1`
    const { rows } = await sql<Row>`
      select ${sql.join([...key, column].map((name) => sql.ref(name)))} from ${sql.table(table)}
      where ${sql.ref(column)} is not null and ${place}
      order by ${sql.join(key.map((name) => sql.ref(name)))} limit ${pageSize}`.execute(db)
    return rows
  }

  async function* readColumn(sealed: SealedColumn): AsyncGenerator<SealedRow<SealedPlace>> {
    const { table, column, key } = sealed
    let page: Row[] = []
    do {
      page = await readPage(sealed, page.at(-1))
      for (const row of page) {
        if (sealed.only && !sealed.only.includes(row[key[0] ?? ''] ?? '')) continue
        const envelope = toEnvelope(sealed, row[column])
        const names = Object.fromEntries(key.map((name) => [name, row[name] ?? '']))
        if (envelope !== undefined) yield { id: { table, column, key: names }, envelope }
      }
    } while (page.length === pageSize)
  }

  return {
    async *rows() {
      for (const sealed of sealedColumns) yield* readColumn(sealed)
    },

    async replace({ id, envelope }, next) {
      const sealed = sealedColumns.find(({ table }) => table === id.table)
      if (!sealed) return false
      const column = sql.ref(sealed.column)
      const table = sql.table(sealed.table)
      const names = Object.entries(id.key)
      const own = sql.join(
        names.map(([name, value]) => sql`${sql.ref(name)} = ${value}`),
        sql` and `,
      )
      const { rows } = await sql<{ text: string }>`
        select ${column} as ${sql.ref('text')} from ${table} where ${own}`.execute(db)
      const text = rows[0]?.text
      if (text === undefined || toEnvelope(sealed, text) !== envelope) return false
      const { numAffectedRows } = await sql`
        update ${table} set ${column} = ${text.replace(envelope, () => next)}
        where ${own} and ${column} = ${text}`.execute(db)
      return numAffectedRows === 1n
    },
  }
}

function toEnvelope({ field }: SealedColumn, text: string | null | undefined): string | undefined {
  if (field === undefined || text === null || text === undefined) return text ?? undefined
  const details = readJson(text)
  const envelope = isPlainObject(details) ? details[field] : undefined
  return typeof envelope === 'string' ? envelope : undefined
}
