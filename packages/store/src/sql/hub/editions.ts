import type { EditionRow, ServerRow } from '@dataagent/hub'
import { sql, type Transaction } from 'kysely'
import type { Engine } from '../engine.ts'
import type { Database } from '../tables.ts'
import { takeRevision } from './take-revision.ts'

interface Means {
  transaction: Transaction<Database>
  kind: Engine['kind']
}

/**
 * Keeps a server's row and its tools under another id, for the sessions that see it. False where
 * none does. Whoever opens a session waits for the lock of this transaction's revision: none that
 * began before it is overlooked.
 */
export async function keepEdition(
  { transaction, kind }: Means,
  stored: ServerRow,
  { server_id, revision }: { server_id: string; revision: number },
): Promise<boolean> {
  const { tenant_id, owner, server_id: origin } = stored
  const holder = await transaction
    .selectFrom('hub_sessions')
    .select('session_id')
    .where(({ and }) => and({ tenant_id, user_id: owner }))
    .where('snapshot', '>=', stored.revision)
    .executeTakeFirst()
  if (holder === undefined) return false
  const edition = { ...stored, server_id, origin, superseded_by: revision }
  await transaction.insertInto('mcp_server_editions').values(edition).execute()
  await copyTools(transaction, stored, server_id)
  await takeRevision(transaction, kind, { tenant_id, topic: 'tools' })
  return true
}

const toolColumns = [
  ...['name', 'state', 'version', 'hash', 'definition', 'findings'],
  ...['pending_version', 'position', 'created_at', 'seen_at'],
] as const
const versionColumns = [
  ...['name', 'version', 'hash', 'definition', 'findings'],
  ...['seen_at', 'approved_at', 'approved_by'],
] as const

async function copyTools(
  transaction: Transaction<Database>,
  { tenant_id, server_id }: ServerRow,
  as: string,
): Promise<void> {
  const tables = { mcp_tools: toolColumns, mcp_tool_versions: versionColumns }
  for (const [table, names] of Object.entries(tables)) {
    const columns = sql.join(names.map((name) => sql.ref(name)))
    await sql`insert into ${sql.table(table)} (tenant_id, server_id, ${columns})
      select tenant_id, ${as}, ${columns} from ${sql.table(table)}
      where tenant_id = ${tenant_id} and server_id = ${server_id}`.execute(transaction)
  }
}

/** Drops those of a tenant's editions that `isDue` says; whether there were any. */
export async function dropEditions(
  { transaction, kind }: Means,
  tenant_id: string,
  isDue: (edition: EditionRow) => boolean,
): Promise<boolean> {
  const ofTenant = transaction.selectFrom('mcp_server_editions').where('tenant_id', '=', tenant_id)
  const due = (await ofTenant.selectAll().execute()).filter(isDue)
  if (due.length === 0) return false
  await takeRevision(transaction, kind, { tenant_id, topic: 'tools' })
  for (const edition of due) await dropEdition(transaction, edition)
  return true
}

async function dropEdition(
  transaction: Transaction<Database>,
  { tenant_id, server_id, origin }: EditionRow,
): Promise<void> {
  const place = { tenant_id, server_id }
  for (const table of ['mcp_tools', 'mcp_tool_versions', 'mcp_server_editions'] as const) {
    const rows = transaction.deleteFrom(table)
    await rows.where(({ and }) => and(place as never)).execute()
  }
  const find = (table: 'mcp_servers' | 'mcp_server_editions', where: object) =>
    transaction
      .selectFrom(table)
      .select('server_id')
      .where(({ and }) => and({ tenant_id, ...where } as never))
      .executeTakeFirst()
  if (await find('mcp_servers', { server_id: origin })) return
  if (await find('mcp_server_editions', { origin })) return
  const signIns = transaction.deleteFrom('mcp_sign_ins')
  await signIns.where(({ and }) => and({ tenant_id, server_id: origin })).execute()
}
