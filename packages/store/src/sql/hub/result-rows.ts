import type { ResultRow, ResultRows } from '@dataagent/hub'
import type { HubRowsOptions } from './hub-store.ts'

const columns = ['result_id', 'page', 'tenant_id', 'caller', 'content', 'expires_at'] as const

/** A statement of a megabyte or so stays below what servers take in one packet. */
const charactersPerInsert = 1024 * 1024

export function createResultRows({ db, engine }: HubRowsOptions): ResultRows {
  return {
    async insert(rows) {
      for (const batch of toBatches(rows)) {
        const values = batch.map((row) => columns.map((column) => row[column]))
        await engine.insertMany('mcp_results', columns, values)
      }
    },

    async page(result_id, page) {
      const row = await db
        .selectFrom('mcp_results')
        .selectAll()
        .where('result_id', '=', result_id)
        .where('page', '=', page)
        .executeTakeFirst()
      return row?.result_id === result_id ? row : undefined
    },

    async deleteExpired(now, limit) {
      const expired = await db
        .selectFrom('mcp_results')
        .select('result_id')
        .distinct()
        .where('expires_at', '<=', now)
        .limit(limit)
        .execute()
      if (expired.length === 0) return 0
      const ids = expired.map(({ result_id }) => result_id)
      const deletion = db.deleteFrom('mcp_results').where('result_id', 'in', ids)
      const { numDeletedRows } = await deletion.executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}

function toBatches(rows: readonly ResultRow[]): ResultRow[][] {
  const batches: ResultRow[][] = []
  let room = 0
  for (const row of rows) {
    room -= row.content.length
    if (room < 0 || batches.length === 0) {
      batches.push([])
      room = charactersPerInsert - row.content.length
    }
    batches.at(-1)!.push(row)
  }
  return batches
}
