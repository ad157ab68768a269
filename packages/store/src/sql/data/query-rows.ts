import { type QueryRow, type QueryRows, readJson } from '@dataagent/schema'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Engine } from '../engine.ts'
import { assertId } from '../ids.ts'
import { toStorableText } from '../storable-text.ts'
import type { Database } from '../tables.ts'
import { inTransaction } from '../transaction.ts'
import type { DataRowsOptions, QueryColumns } from './tables.ts'

type Scope = Pick<QueryRow, 'tenant_id' | 'scope_id'>

/** What was asked, in `data_queries`. */
export function createQueryRows({
  db,
  engine: { kind },
}: DataRowsOptions): Pick<QueryRows, 'add' | 'get' | 'getNumber' | 'listScope' | 'list'> {
  return {
    async add(row) {
      for (const field of ['tenant_id', 'query_id', 'scope_id', 'user_id', 'source_id'] as const) {
        assertId(field, row[field])
      }
      return inTransaction(db, async (transaction) => {
        const stored = toColumns({ ...row, number: await takeNumber(transaction, kind, row) })
        await transaction.insertInto('data_queries').values(stored).execute()
        return fromColumns(stored)
      })
    },

    async get(tenant_id, query_id) {
      const query = ofTenant(db, tenant_id).where('query_id', '=', query_id).selectAll()
      const row = await query.executeTakeFirst()
      // MySQL finds `a` by `a ` too.
      return row?.query_id === query_id && row.tenant_id === tenant_id
        ? fromColumns(row)
        : undefined
    },

    async getNumber(tenant_id, scope_id, number) {
      const query = ofScope(db, { tenant_id, scope_id }).where('number', '=', number)
      const row = await query.selectAll().executeTakeFirst()
      return row && fromColumns(row)
    },

    async listScope(tenant_id, scope_id, { limit }) {
      const query = ofScope(db, { tenant_id, scope_id }).where('error', 'is', null)
      const last = query.selectAll().orderBy('number', 'desc').limit(limit)
      return (await last.execute()).map(fromColumns).reverse()
    },

    async list(tenant_id, { limit, offset, ...equal }) {
      let query = ofTenant(db, tenant_id)
      for (const column of ['user_id', 'source_id'] as const) {
        const value = equal[column]
        if (value !== undefined) query = query.where(column, '=', value)
      }
      const ordered = query.selectAll().orderBy('as_of', 'desc').orderBy('query_id')
      return (await ordered.limit(limit).offset(offset).execute()).map(fromColumns)
    },
  }
}

function ofTenant(db: Kysely<Database>, tenant_id: string) {
  return db.selectFrom('data_queries').where('tenant_id', '=', tenant_id)
}

function ofScope(db: Kysely<Database>, { tenant_id, scope_id }: Scope) {
  return ofTenant(db, tenant_id).where('scope_id', '=', scope_id)
}

/** The scope's row is locked from here on: who comes second gets the number after this one. */
async function takeNumber(
  transaction: Transaction<Database>,
  kind: Engine['kind'],
  { tenant_id, scope_id }: Scope,
): Promise<number> {
  const insert = transaction
    .insertInto('data_scopes')
    .values({ tenant_id, scope_id, last_number: 1 })
  const raise = { last_number: sql<number>`data_scopes.last_number + 1` }
  await (kind === 'mysql'
    ? insert.onDuplicateKeyUpdate(raise)
    : insert.onConflict((on) => on.columns(['scope_id', 'tenant_id']).doUpdateSet(raise))
  ).execute()
  const scope = transaction.selectFrom('data_scopes').select('last_number')
  const own = scope.where(({ and }) => and({ tenant_id, scope_id }))
  return (await own.executeTakeFirstOrThrow()).last_number
}

function toColumns(row: QueryRow): QueryColumns {
  return {
    ...row,
    source_name: toStorableText(row.source_name),
    sql: toStorableText(row.sql),
    purpose: row.purpose === null ? null : toStorableText(row.purpose),
    error: row.error === null ? null : toStorableText(row.error),
    columns: JSON.stringify(row.columns),
    rows: JSON.stringify(row.rows),
  }
}

function fromColumns(row: QueryColumns): QueryRow {
  return {
    ...row,
    columns: readJson(row.columns) as QueryRow['columns'],
    rows: readJson(row.rows) as QueryRow['rows'],
  }
}
