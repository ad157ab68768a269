import type { Topic } from '@dataagent/hub'
import { AppError, isPlainObject, readJson } from '@dataagent/schema'
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import type { Engine } from './engine.ts'
import { insertChange } from './hub/change-rows.ts'
import { takeRevision } from './hub/take-revision.ts'
import { isBehind } from './is-behind.ts'
import type { Noted } from './platform/tables.ts'
import { sealedColumns } from './sealed-rows.ts'
import type { Database } from './tables.ts'
import { type TenantTable, tenantTables } from './tenant-tables.ts'
import { inTransaction } from './transaction.ts'

export interface TenantRow {
  table: string
  row: Record<string, unknown>
}

/** All that the database holds of one tenant, in whichever table, and the end of it. */
export interface TenantRows {
  /** Row by row, without what is sealed and without hashes of keys; bytes are base64. */
  read(tenant_id: string): AsyncIterable<TenantRow>
  /**
   * From here on nobody of the tenant comes in: users are disabled, keys, sign-ins and tool groups
   * are gone, no feature is on. Throws `not_found`.
   */
  shut(tenant_id: string, at: number): Promise<void>
  /**
   * Deletes what is stored, part by part, but for the tenant and its users. Stopped halfway it is
   * called again. Gives how many rows there were.
   */
  clear(tenant_id: string): Promise<number>
  /** Deletes the tenant with whatever is left of it. */
  forget(tenant_id: string, options?: Noted): Promise<void>
}

const rowsPerPage = 200
const rowsPerDelete = 1_000
const topics: readonly Topic[] = ['servers', 'tools', 'policy', 'tenants', 'agents', 'groups']
const deleted: readonly Topic[] = [...topics, 'calls']
/** Others need them until the end, and other processes learn by the last one what has changed. */
const keptToTheEnd: readonly string[] = ['tenants', 'users', 'hub_revisions']

interface Options {
  db: Kysely<Database>
  engine: Engine
}

export function createTenantRows({ db, engine }: Options): TenantRows {
  async function* readTable(one: TenantTable, tenant_id: string): AsyncGenerator<TenantRow> {
    const { table, key } = one
    const hide = createHiding(one)
    let page: Record<string, unknown>[] = []
    do {
      const last = page.at(-1)
      const place = last ? isBehind<Record<string, unknown>>(key, last) : sql`1 = 1`
      const { rows } = await sql<Record<string, unknown>>`
        select * from ${sql.table(table)} where ${isOf(one, tenant_id)} and ${place}
        order by ${sql.join(key.map((name) => sql.ref(name)))} limit ${rowsPerPage}`.execute(db)
      page = rows
      for (const row of page) yield { table, row: hide(row) }
    } while (page.length === rowsPerPage)
  }

  async function clearTable(one: TenantTable, tenant_id: string): Promise<number> {
    let all = 0
    for (;;) {
      const { numAffectedRows = 0n } = await deleteSome(engine.kind, one, tenant_id).execute(db)
      all += Number(numAffectedRows)
      if (numAffectedRows < rowsPerDelete) return all
    }
  }

  async function raise(
    transaction: Transaction<Database>,
    tenant_id: string,
    raised = topics,
  ): Promise<void> {
    for (const topic of raised) await takeRevision(transaction, engine.kind, { tenant_id, topic })
  }

  return {
    async *read(tenant_id) {
      assertOne(tenant_id)
      for (const one of tenantTables.toReversed()) yield* readTable(one, tenant_id)
    },

    shut: (tenant_id, at) =>
      inTransaction(db, async (transaction) => {
        assertOne(tenant_id)
        await raise(transaction, tenant_id)
        const { numUpdatedRows } = await transaction
          .updateTable('tenants')
          .set({ features_enabled: '[]', max_users: 0 })
          .where('tenant_id', '=', tenant_id)
          .executeTakeFirst()
        if (numUpdatedRows === 0n) throw new AppError('not_found', `no tenant ${tenant_id}`)
        const users = transaction.updateTable('users').set({ disabled_at: at })
        await users.where('tenant_id', '=', tenant_id).where('disabled_at', 'is', null).execute()
        for (const table of ['browser_sessions', 'api_keys', 'mcp_tool_groups'] as const) {
          await transaction.deleteFrom(table).where('tenant_id', '=', tenant_id).execute()
        }
      }),

    async clear(tenant_id) {
      assertOne(tenant_id)
      let all = 0
      for (const one of tenantTables) {
        if (!keptToTheEnd.includes(one.table)) all += await clearTable(one, tenant_id)
      }
      await inTransaction(db, (transaction) => raise(transaction, tenant_id, deleted))
      return all
    },

    forget: (tenant_id, { note } = {}) =>
      inTransaction(db, async (transaction) => {
        assertOne(tenant_id)
        await raise(transaction, tenant_id)
        for (const one of tenantTables) {
          await sql`delete from ${sql.table(one.table)} where ${isOf(one, tenant_id)}`.execute(
            transaction,
          )
        }
        await insertChange(transaction, note, null)
      }),
  }
}

/** What all tenants share, and what counts for all of them, is nobody's. */
function assertOne(tenant_id: string): void {
  if (tenant_id !== '' && tenant_id !== '*') return
  throw new AppError('invalid_request', 'tenant_id: expected that of one tenant')
}

function isOf({ through }: TenantTable, tenant_id: string): RawBuilder<unknown> {
  if (!through) return sql`tenant_id = ${tenant_id}`
  const column = sql.ref(through.column)
  return sql`${column} in (
    select ${column} from ${sql.table(through.table)} where tenant_id = ${tenant_id})`
}

/** Each database has its own way to delete no more than so many. */
function deleteSome(kind: Engine['kind'], one: TenantTable, tenant_id: string) {
  const table = sql.table(one.table)
  const own = isOf(one, tenant_id)
  if (kind === 'mysql') return sql`delete from ${table} where ${own} limit ${rowsPerDelete}`
  const row = sql.raw(kind === 'postgres' ? 'ctid' : 'rowid')
  return sql`delete from ${table} where ${row} in (
    select ${row} from ${table} where ${own} limit ${rowsPerDelete})`
}

function createHiding({ table, hashes = [] }: TenantTable) {
  const sealed = sealedColumns.filter((column) => column.table === table)
  const hidden = [...hashes, ...sealed.filter(({ field }) => !field).map(({ column }) => column)]
  return (row: Record<string, unknown>) => {
    const shown = Object.entries(row).filter(([name]) => !hidden.includes(name))
    return Object.fromEntries(
      shown.map(([name, value]) => {
        const field = sealed.find(({ column }) => column === name)?.field
        return [name, field === undefined ? toJsonValue(value) : withoutField(value, field)]
      }),
    )
  }
}

function toJsonValue(value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value
}

function withoutField(text: unknown, field: string): unknown {
  const value = typeof text === 'string' ? readJson(text) : undefined
  if (!isPlainObject(value)) return text
  const { [field]: _, ...others } = value
  return JSON.stringify(others)
}
