import type { SignInRef, SignInRows } from '@dataagent/hub'
import { assertId } from '../ids.ts'
import { inTransaction } from '../transaction.ts'
import type { HubRowsOptions } from './hub-store.ts'

/** What sign-ins at servers have come to, sealed. */
export function createSignInRows({ db }: HubRowsOptions): SignInRows {
  return {
    async get(ref) {
      const query = db.selectFrom('mcp_sign_ins').selectAll()
      const row = await query.where(({ and }) => and(toKey(ref))).executeTakeFirst()
      // MySQL finds `a` by `a ` too.
      return row && keys.every((key) => row[key] === ref[key]) ? row : undefined
    },

    async put(row) {
      assertId('server_id', row.server_id)
      if (row.user_id !== '') assertId('user_id', row.user_id)
      await inTransaction(db, async (transaction) => {
        const before = transaction.deleteFrom('mcp_sign_ins').where(({ and }) => and(toKey(row)))
        await before.execute()
        await transaction.insertInto('mcp_sign_ins').values(row).execute()
      })
    },

    async delete(ref) {
      await db
        .deleteFrom('mcp_sign_ins')
        .where(({ and }) => and(toKey(ref)))
        .execute()
    },
  }
}

const keys = ['tenant_id', 'server_id', 'user_id', 'record_id'] as const

function toKey({ tenant_id, server_id, user_id, record_id }: SignInRef): SignInRef {
  return { tenant_id, server_id, user_id, record_id }
}
