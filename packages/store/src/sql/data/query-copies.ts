import { randomUUID } from 'node:crypto'
import type { CopiedQuery, QueryRows } from '@dataagent/schema'
import type { Transaction } from 'kysely'
import { assertId } from '../ids.ts'
import type { Database } from '../tables.ts'
import { inTransaction } from '../transaction.ts'
import type { DataRowsOptions } from './tables.ts'

interface Copying {
  tenant_id: string
  from: string
  to: string
}

const copiedAsTheyAre = [
  ...['user_id', 'source_id', 'source_name', 'sql', 'purpose', 'columns', 'rows'],
  ...['row_count', 'kept_rows', 'elapsed_ms', 'as_of', 'error', 'verified_question_id'],
] as const

/** Copies queries from scope to scope. */
export function createQueryCopies({ db }: DataRowsOptions): Pick<QueryRows, 'copyScope'> {
  return {
    copyScope(tenant_id, { from, to, before }) {
      assertId('scope_id', to)
      return inTransaction(db, async (transaction) => {
        const copying = { tenant_id, from, to }
        const through = await lastNumber(transaction, { ...copying, before })
        if (through === undefined) return []
        await transaction
          .insertInto('data_scopes')
          .values({ tenant_id, scope_id: to, last_number: through })
          .execute()
        const own = transaction.selectFrom('data_queries').select(['query_id', 'number'])
        const found = await own
          .where(({ and }) => and({ tenant_id, scope_id: from }))
          .where('number', '<=', through)
          .orderBy('number')
          .execute()
        const copied: CopiedQuery[] = []
        for (const { query_id } of found) {
          const copy = { query_id, copy_id: randomUUID() }
          await copyOne(transaction, copying, copy)
          copied.push(copy)
        }
        return copied
      })
    },
  }
}

/** Undefined where nothing was ever asked there. A number that was taken is given to no other. */
async function lastNumber(
  transaction: Transaction<Database>,
  { tenant_id, from, before }: Copying & { before: number | undefined },
): Promise<number | undefined> {
  const own = { tenant_id, scope_id: from }
  const scope = transaction.selectFrom('data_scopes').select('last_number')
  const last = await scope.where(({ and }) => and(own)).executeTakeFirst()
  if (last === undefined || before === undefined) return last?.last_number
  const later = await transaction
    .selectFrom('data_queries')
    .select(({ fn }) => fn.min('number').as('first'))
    .where(({ and }) => and(own))
    .where('as_of', '>=', before)
    .executeTakeFirst()
  const first = later?.first ?? null
  return first === null ? last.last_number : Number(first) - 1
}

async function copyOne(
  transaction: Transaction<Database>,
  { tenant_id, to }: Copying,
  { query_id, copy_id }: CopiedQuery,
): Promise<void> {
  await transaction
    .insertInto('data_queries')
    .columns(['tenant_id', 'number', ...copiedAsTheyAre, 'query_id', 'scope_id'])
    .expression(({ selectFrom, val }) =>
      selectFrom('data_queries')
        .select(['tenant_id', 'number', ...copiedAsTheyAre])
        .select([val(copy_id).as('copy_id'), val(to).as('copy_scope')])
        .where(({ and }) => and({ tenant_id, query_id })),
    )
    .execute()
}
