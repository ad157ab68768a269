import type { GrantRows } from '@dataagent/gateway'
import type { Transaction } from 'kysely'
import type { Engine } from '../engine.ts'
import { held } from '../held.ts'
import { insertChange } from '../hub/change-rows.ts'
import { assertId } from '../ids.ts'
import type { Database } from '../tables.ts'
import { inTransaction } from '../transaction.ts'
import type { GatewayRowsOptions } from './tables.ts'

/** What people allowed programs, in `mcp_grants`. */
export function createGrantRows({ db, engine }: GatewayRowsOptions): GrantRows {
  return {
    async create(row) {
      for (const field of ['grant_id', 'tenant_id', 'group_id', 'client_id'] as const) {
        assertId(field, row[field])
      }
      await db.insertInto('mcp_grants').values(row).execute()
    },

    async get(grant_id) {
      const query = db.selectFrom('mcp_grants').selectAll()
      const row = await query.where('grant_id', '=', grant_id).executeTakeFirst()
      // MySQL finds `a` by `a ` too.
      return row?.grant_id === grant_id ? row : undefined
    },

    async rotate(grant_id, { from, to, at, expires_at }) {
      const { numUpdatedRows } = await db
        .updateTable('mcp_grants')
        .set({
          refresh_hash: to,
          previous_hash: from,
          rotated_at: at,
          last_used_at: at,
          expires_at,
        })
        .where(({ and }) => and({ grant_id, refresh_hash: from }))
        .where('revoked_at', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    revoke: (which, at, { note } = {}) =>
      inTransaction(db, async (transaction) => {
        const revoked = await revokeGrants({ transaction, kind: engine.kind }, which, at)
        if (revoked.length > 0) await insertChange(transaction, note, null)
        return revoked
      }),

    list({ limit, ...equal }, now) {
      let query = db.selectFrom('mcp_grants').selectAll()
      for (const column of ['tenant_id', 'group_id', 'user_id', 'user_key_id'] as const) {
        const value = equal[column]
        if (value !== undefined) query = query.where(column, '=', value)
      }
      const holding = query.where('revoked_at', 'is', null).where('expires_at', '>', now)
      return holding.orderBy('created_at', 'desc').orderBy('grant_id').limit(limit).execute()
    },

    async deleteEnded(before, limit) {
      const found = await db
        .selectFrom('mcp_grants')
        .select('grant_id')
        .where(({ eb, or }) => or([eb('expires_at', '<', before), eb('revoked_at', '<', before)]))
        .limit(limit)
        .execute()
      if (found.length === 0) return 0
      const grant_ids = found.map(({ grant_id }) => grant_id)
      const { numDeletedRows } = await db
        .deleteFrom('mcp_grants')
        .where('grant_id', 'in', grant_ids)
        .where(({ eb, or }) => or([eb('expires_at', '<', before), eb('revoked_at', '<', before)]))
        .executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}

/** One statement takes no more ids. */
const perStatement = 500

/** Revokes those that are not revoked yet, and gives their ids. */
export async function revokeGrants(
  { transaction, kind }: { transaction: Transaction<Database>; kind: Engine['kind'] },
  which: Parameters<GrantRows['revoke']>[0],
  revoked_at: number,
): Promise<string[]> {
  const query = transaction.selectFrom('mcp_grants').select('grant_id')
  const open = query.where(({ and }) => and({ ...which })).where('revoked_at', 'is', null)
  const found = await held(kind, open.orderBy('grant_id')).execute()
  const grant_ids = found.map(({ grant_id }) => grant_id)
  for (let from = 0; from < grant_ids.length; from += perStatement) {
    const part = grant_ids.slice(from, from + perStatement)
    const update = transaction.updateTable('mcp_grants').set({ revoked_at })
    await update.where('grant_id', 'in', part).execute()
  }
  return grant_ids
}
