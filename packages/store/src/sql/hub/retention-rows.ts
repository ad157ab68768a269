import type { RetentionRows } from '@dataagent/hub'
import type { Transaction } from 'kysely'
import type { Database } from '../tables.ts'
import { inTransaction } from '../transaction.ts'
import type { HubRowsOptions } from './hub-store.ts'
import { takeRevision } from './take-revision.ts'

type ToolKey = { tenant_id: string; server_id: string; name: string }

/** Deletes what is too old from the tables of the governed tool layer. */
export function createRetentionRows({ db, engine }: HubRowsOptions): RetentionRows {
  const inTurn = <T>(tenant_id: string, work: (transaction: Transaction<Database>) => Promise<T>) =>
    inTransaction(db, async (transaction) => {
      await takeRevision(transaction, engine.kind, { tenant_id, topic: 'tools' })
      return work(transaction)
    })

  async function findOrphans(before: number) {
    const orphans = await db
      .selectFrom('mcp_tool_versions as version')
      .select(['version.tenant_id', 'version.server_id'])
      .distinct()
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('mcp_servers as server')
              .select('server.server_id')
              .whereRef('server.tenant_id', '=', 'version.tenant_id')
              .whereRef('server.server_id', '=', 'version.server_id'),
          ),
        ),
      )
      .execute()
    const isOld = await Promise.all(orphans.map((orphan) => wasRemovedBefore(orphan, before)))
    return orphans.filter((_, index) => isOld[index])
  }

  async function wasRemovedBefore(
    { tenant_id, server_id }: { tenant_id: string; server_id: string },
    before: number,
  ): Promise<boolean> {
    const row = await db
      .selectFrom('hub_changes')
      .select(({ fn }) => fn.max('changed_at').as('removed_at'))
      .where(({ and }) => and({ tenant_id, kind: 'server', target: server_id, action: 'removed' }))
      .executeTakeFirst()
    const removed_at = row?.removed_at ?? null
    return removed_at !== null && Number(removed_at) < before
  }

  return {
    async auditedTenants() {
      const found = await db
        .selectFrom('mcp_audit_anchors')
        .select('tenant_id')
        .distinct()
        .where('writer', '=', '*')
        .execute()
      return found.map(({ tenant_id }) => tenant_id)
    },

    async deleteCalls({ tenant_id, writer, to }, limit) {
      const chain = db.selectFrom('mcp_tool_call_log').where('tenant_id', '=', tenant_id)
      const old = chain.where('writer', '=', writer).where('seq', '<=', to).select('seq')
      const found = await old.orderBy('seq').limit(limit).execute()
      const last = found.at(-1)?.seq
      if (last === undefined) return 0
      const { numDeletedRows } = await db
        .deleteFrom('mcp_tool_call_log')
        .where(({ and }) => and({ tenant_id, writer }))
        .where('seq', '<=', last)
        .executeTakeFirst()
      return Number(numDeletedRows)
    },

    async deleteAnchors({ tenant_id, writer, before }) {
      const ofName = db.deleteFrom('mcp_audit_anchors').where('tenant_id', '=', tenant_id)
      await ofName.where('writer', '=', writer).where('seq', '<', before).execute()
    },

    async deleteGoneTools(before, limit) {
      const gone = await db
        .selectFrom('mcp_tools')
        .select(['tenant_id', 'server_id', 'name'])
        .where('state', '=', 'gone')
        .where('seen_at', '<', before)
        .limit(limit)
        .execute()
      for (const [tenant_id, keys] of Map.groupBy(gone, (key) => key.tenant_id)) {
        await inTurn(tenant_id, async (transaction) => {
          for (const key of keys) await deleteGone(transaction, key, before)
        })
      }
      return gone.length
    },

    async deleteOrphanVersions(before, limit) {
      let count = 0
      for (const { tenant_id, server_id } of await findOrphans(before)) {
        if (count >= limit) break
        count += await inTurn(tenant_id, (transaction) =>
          deleteVersions(transaction, { tenant_id, server_id }, limit - count),
        )
      }
      return count
    },

    async deleteApprovals(before, limit) {
      const over = ['decided', 'used'] as const
      const found = await db
        .selectFrom('approvals')
        .select('approval_id')
        .where('status', 'in', over)
        .where('expires_at', '<', before)
        .limit(limit)
        .execute()
      const ids = found.map(({ approval_id }) => approval_id)
      // One that is asked again meanwhile stays.
      if (ids.length > 0) {
        const old = db.deleteFrom('approvals').where('approval_id', 'in', ids)
        await old.where('status', 'in', over).where('expires_at', '<', before).execute()
      }
      return ids.length
    },
  }
}

/** One that has come back meanwhile stays. */
async function deleteGone(transaction: Transaction<Database>, key: ToolKey, before: number) {
  const { numDeletedRows } = await transaction
    .deleteFrom('mcp_tools')
    .where(({ and }) => and({ ...key, state: 'gone' }))
    .where('seen_at', '<', before)
    .executeTakeFirst()
  if (numDeletedRows === 0n) return
  const versions = transaction.deleteFrom('mcp_tool_versions')
  await versions.where(({ and }) => and({ ...key })).execute()
}

/** Of at most `limit` tools of a server that is not there; how many those are. */
async function deleteVersions(
  transaction: Transaction<Database>,
  server: { tenant_id: string; server_id: string },
  limit: number,
): Promise<number> {
  const back = transaction.selectFrom('mcp_servers').select('server_id')
  if (await back.where(({ and }) => and(server)).executeTakeFirst()) return 0
  const found = transaction.selectFrom('mcp_tool_versions').select('name').distinct()
  const rows = await found
    .where(({ and }) => and(server))
    .limit(limit)
    .execute()
  if (rows.length === 0) return 0
  const names = rows.map(({ name }) => name)
  const versions = transaction.deleteFrom('mcp_tool_versions').where(({ and }) => and(server))
  await versions.where('name', 'in', names).execute()
  return rows.length
}
