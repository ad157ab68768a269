import type { ClientRow, ClientRows } from '@dataagent/gateway'
import { type Kysely, sql } from 'kysely'
import { countRows } from '../count-rows.ts'
import { held } from '../held.ts'
import { assertId } from '../ids.ts'
import type { Database } from '../tables.ts'
import { inTransaction } from '../transaction.ts'
import type { GatewayRowsOptions } from './tables.ts'

/** Programs that connect, in `mcp_oauth_clients`. */
export function createClientRows({ db, engine }: GatewayRowsOptions): ClientRows {
  return {
    async get(client_id) {
      const query = db.selectFrom('mcp_oauth_clients').selectAll()
      const row = await query.where('client_id', '=', client_id).executeTakeFirst()
      // MySQL finds `a` by `a ` too.
      return row?.client_id === client_id ? row : undefined
    },

    async create(row, { max }) {
      assertId('client_id', row.client_id)
      return inTransaction(db, async (transaction) => {
        // Who comes second counts what the first has made.
        const lock = transaction.selectFrom('settings').select('name')
        await held(engine.kind, lock.where('name', '=', 'mcp_oauth_clients.lock')).execute()
        if (row.kind === 'dynamic' && (await countRows(dynamicIn(transaction))) >= max) return false
        await transaction.insertInto('mcp_oauth_clients').values(row).execute()
        return true
      })
    },

    async touch(client_id, last_used_at) {
      const update = db.updateTable('mcp_oauth_clients').set({ last_used_at })
      await update.where('client_id', '=', client_id).execute()
    },

    async delete(client_id) {
      const query = db.deleteFrom('mcp_oauth_clients').where('client_id', '=', client_id)
      return (await query.executeTakeFirst()).numDeletedRows > 0n
    },

    list: ({ limit }) =>
      db
        .selectFrom('mcp_oauth_clients')
        .selectAll()
        .orderBy('created_at', 'desc')
        .orderBy('client_id')
        .limit(limit)
        .execute(),

    async deleteUnused(before, limit) {
      const unused = sql<boolean>`coalesce(last_used_at, created_at) < ${before}
        and not exists (
          select 1 from mcp_grants where mcp_grants.client_id = mcp_oauth_clients.client_id
        )`
      const found = dynamicIn(db).where(unused).select('client_id').orderBy('created_at')
      const client_ids = (await found.limit(limit).execute()).map(({ client_id }) => client_id)
      if (client_ids.length === 0) return 0
      // Asked once more: one may have been used meanwhile.
      const query = db.deleteFrom('mcp_oauth_clients').where('client_id', 'in', client_ids)
      return Number((await query.where(unused).executeTakeFirst()).numDeletedRows)
    },
  }
}

function dynamicIn(db: Kysely<Database>) {
  const kind: ClientRow['kind'] = 'dynamic'
  return db.selectFrom('mcp_oauth_clients').where('kind', '=', kind)
}
