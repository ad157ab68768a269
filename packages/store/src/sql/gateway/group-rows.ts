import type { GroupRow, GroupRows } from '@dataagent/gateway'
import { AppError, readJson } from '@dataagent/schema'
import type { Kysely, Transaction } from 'kysely'
import { assertRoom } from '../assert-room.ts'
import { insertChange } from '../hub/change-rows.ts'
import { inRevision } from '../hub/take-revision.ts'
import { assertId } from '../ids.ts'
import type { Database } from '../tables.ts'
import { revokeGrants } from './grant-rows.ts'
import type { GatewayRowsOptions } from './tables.ts'

type Change<T> = (transaction: Transaction<Database>, revision: number) => Promise<T>
type Pins = Record<string, string>

/** Tool groups and their keys, in `mcp_tool_groups`. */
export function createGroupRows({ db, engine }: GatewayRowsOptions): GroupRows {
  /** The revision comes first: its lock makes all who change groups wait for each other. */
  const change = <T>(tenant_id: string, work: Change<T>): Promise<T> =>
    inRevision({ db, engine }, { tenant_id, topic: 'groups' }, work)

  return {
    async load(tenant_id) {
      const query = db.selectFrom('mcp_tool_groups').selectAll()
      const own = tenant_id === undefined ? query : query.where('tenant_id', '=', tenant_id)
      return own.orderBy('group_id').execute()
    },

    get: (group_id) => find(db, { group_id }),

    async create(row, { note, max } = {}) {
      for (const field of ['group_id', 'tenant_id', 'name'] as const) assertId(field, row[field])
      await change(row.tenant_id, async (transaction, revision) => {
        const all = transaction.selectFrom('mcp_tool_groups')
        const room = { limit: 'groups', who: 'the tenant may have', what: 'tool groups' }
        await assertRoom(all.where('tenant_id', '=', row.tenant_id), { ...room, max })
        await transaction.insertInto('mcp_tool_groups').values(row).execute()
        await insertChange(transaction, note, revision)
      })
    },

    async update(tenant_id, group_id, fields, { note, ifKeyNumber } = {}) {
      if (fields.name !== undefined) assertId('name', fields.name)
      await change(tenant_id, async (transaction, revision) => {
        const stored = await find(transaction, { tenant_id, group_id })
        if (!stored) throw noGroup(group_id)
        if (ifKeyNumber !== undefined && stored.key_number !== ifKeyNumber) {
          throw new AppError('conflict', `the key of ${group_id} has been changed meanwhile`)
        }
        await write(transaction, group_id, fields)
        await insertChange(transaction, note, revision)
      })
    },

    async delete(tenant_id, group_id, at, { note } = {}) {
      // Asked first, so that what is not there costs no revision.
      if (!(await find(db, { tenant_id, group_id }))) return false
      return change(tenant_id, async (transaction, revision) => {
        const query = transaction.deleteFrom('mcp_tool_groups')
        const own = query.where(({ and }) => and({ tenant_id, group_id }))
        if ((await own.executeTakeFirst()).numDeletedRows === 0n) return false
        await revokeGrants({ transaction, kind: engine.kind }, { tenant_id, group_id }, at)
        await insertChange(transaction, note, revision)
        return true
      })
    },

    async pinNames(group_id, names) {
      const seen = await find(db, { group_id })
      if (!seen) throw noGroup(group_id)
      const known = toPins(seen)
      if (Object.keys(names).every((name) => Object.hasOwn(known, name))) return known
      return change(seen.tenant_id, async (transaction) => {
        const stored = await find(transaction, { group_id })
        if (!stored) throw noGroup(group_id)
        const pins = { ...names, ...toPins(stored) }
        await write(transaction, group_id, { pinned_names: JSON.stringify(pins) })
        return pins
      })
    },

    listUnhashed: () =>
      db
        .selectFrom('mcp_tool_groups')
        .selectAll()
        .where('api_key', 'is not', null)
        .where('hashed_api_key', 'is', null)
        .orderBy('group_id')
        .execute(),
  }
}

/** MySQL finds `a` by `a ` too: what was found is compared once more. */
async function find(
  db: Kysely<Database>,
  { group_id, tenant_id }: { group_id: string; tenant_id?: string },
): Promise<GroupRow | undefined> {
  const query = db.selectFrom('mcp_tool_groups').selectAll()
  const row = await query.where('group_id', '=', group_id).executeTakeFirst()
  if (row?.group_id !== group_id) return undefined
  return tenant_id === undefined || row.tenant_id === tenant_id ? row : undefined
}

async function write(
  transaction: Transaction<Database>,
  group_id: string,
  fields: Partial<GroupRow>,
): Promise<void> {
  if (Object.keys(fields).length === 0) return
  const update = transaction.updateTable('mcp_tool_groups').set(fields)
  await update.where('group_id', '=', group_id).execute()
}

function toPins({ pinned_names }: GroupRow): Pins {
  return readJson(pinned_names) as Pins
}

function noGroup(group_id: string): AppError {
  return new AppError('not_found', `there is no tool group ${group_id}`)
}
