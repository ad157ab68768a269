import { AppError } from '@dataagent/schema'
import { assertRoom } from '../assert-room.ts'
import { insertChange } from '../hub/change-rows.ts'
import { inRevision } from '../hub/take-revision.ts'
import { assertId } from '../ids.ts'
import type { Noted, NotedWithin, PlatformOptions } from './tables.ts'

/**
 * What administrators define for their tenant. Every change takes the next revision of the topic
 * `agents` in the same transaction.
 */
export interface Definitions<Row> {
  /** All of a tenant, or of every tenant, by id. */
  list(tenant_id?: string): Promise<Row[]>
  /** Throws `conflict` where the id is taken in this tenant, `quota_exceeded` over its `max`. */
  create(row: Row, options?: NotedWithin): Promise<void>
  /** Throws `not_found`. `created_at` stays. */
  update(row: Row, options?: Noted): Promise<Row>
  /** False where there was none. */
  delete(tenant_id: string, id: string, options?: Noted): Promise<boolean>
}

interface Defined {
  tenant_id: string
  created_at: number
}

export interface DefinitionsOptions<Row> extends PlatformOptions {
  table: 'agents' | 'model_providers'
  /** The column that names it within its tenant. */
  id: keyof Row & string
  toStored(row: Row): object
  fromStored(stored: Record<string, unknown>): Row
}

const roomOf = {
  agents: { limit: 'agents', who: 'the tenant may have', what: 'agents' },
  model_providers: { limit: 'providers', who: 'the tenant may have', what: 'model providers' },
}

export function createDefinitions<Row extends Defined>(
  options: DefinitionsOptions<Row>,
): Definitions<Row> {
  const { db, engine, table, id: column, toStored, fromStored } = options
  const toTopic = (tenant_id: string) => ({ tenant_id, topic: 'agents' }) as const
  const toKey = (tenant_id: string, id: string) => ({ tenant_id, [column]: id })
  const keyOf = (row: Row) => toKey(row.tenant_id, String(row[column]))

  async function find(from: typeof db, key: Record<string, string>) {
    const query = from.selectFrom(table).selectAll()
    const row = await query.where(({ and }) => and(key as never)).executeTakeFirst()
    const stored = row as Record<string, unknown> | undefined
    return stored && stored[column] === key[column] ? fromStored(stored) : undefined
  }

  return {
    async list(tenant_id) {
      const query = db.selectFrom(table).selectAll()
      const own = tenant_id === undefined ? query : query.where('tenant_id', '=', tenant_id)
      const ordered = own.orderBy('tenant_id').orderBy(column as never)
      return (await ordered.execute()).map((row) => fromStored(row))
    },

    async create(row, { note, max } = {}) {
      for (const [field, id] of Object.entries(keyOf(row))) assertId(field, id)
      await inRevision({ db, engine }, toTopic(row.tenant_id), async (transaction, revision) => {
        const all = transaction.selectFrom(table).where('tenant_id', '=', row.tenant_id)
        await assertRoom(all, { ...roomOf[table], max })
        const insert = transaction.insertInto(table).values(toStored(row) as never)
        await insert.execute()
        await insertChange(transaction, note, revision)
      })
    },

    update: (row, { note } = {}) =>
      inRevision({ db, engine }, toTopic(row.tenant_id), async (transaction, revision) => {
        const key = keyOf(row)
        const stored = await find(transaction, key)
        if (!stored) throw new AppError('not_found', `there is no ${key[column]}`)
        const next = { ...row, created_at: stored.created_at }
        const update = transaction.updateTable(table).set(toStored(next) as never)
        await update.where(({ and }) => and(key as never)).execute()
        await insertChange(transaction, note, revision)
        return next
      }),

    async delete(tenant_id, id, { note } = {}) {
      const key = toKey(tenant_id, id)
      // Asked first, so that what is not there costs no revision.
      if (!(await find(db, key))) return false
      return inRevision({ db, engine }, toTopic(tenant_id), async (transaction, revision) => {
        const query = transaction.deleteFrom(table).where(({ and }) => and(key as never))
        if ((await query.executeTakeFirst()).numDeletedRows === 0n) return false
        await insertChange(transaction, note, revision)
        return true
      })
    },
  }
}
