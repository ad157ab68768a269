import type { CredentialRow, EditionRow, ServerQuota, ServerRow, ServerRows } from '@dataagent/hub'
import { AppError } from '@dataagent/schema'
import type { Kysely, Transaction } from 'kysely'
import { assertId } from '../ids.ts'
import type { Database } from '../tables.ts'
import { insertChange } from './change-rows.ts'
import { dropEditions, keepEdition } from './editions.ts'
import type { HubRowsOptions } from './hub-store.ts'
import { inRevision } from './take-revision.ts'

type Change<T> = (transaction: Transaction<Database>, revision: number) => Promise<T>

/** Servers and users' credentials for them, in `mcp_servers` and `mcp_credentials`. */
export function createServerRows({ db, engine }: HubRowsOptions): ServerRows {
  /** The revision comes first: its lock makes all who change servers wait for each other. */
  const change = <T>(tenant_id: string, work: Change<T>): Promise<T> =>
    inRevision({ db, engine }, { tenant_id, topic: 'servers' }, work)

  /** Keeps the configuration for the sessions that began with it, or takes it from all. */
  async function leave(
    transaction: Transaction<Database>,
    stored: ServerRow,
    { revision, keepAs }: { revision: number; keepAs: string | undefined },
  ): Promise<boolean> {
    const means = { transaction, kind: engine.kind }
    if (keepAs !== undefined) return keepEdition(means, stored, { server_id: keepAs, revision })
    await dropEditions(means, stored.tenant_id, (edition) => edition.origin === stored.server_id)
    return false
  }

  return {
    async list(tenant_id) {
      const query = db.selectFrom('mcp_servers').selectAll()
      const own = tenant_id === undefined ? query : query.where('tenant_id', '=', tenant_id)
      return own.orderBy('tenant_id').orderBy('server_id').execute()
    },

    async insert(row, quota, note) {
      assertServerIds(row)
      return change(row.tenant_id, async (transaction, revision) => {
        await assertRoom(transaction, row, quota)
        await transaction
          .insertInto('mcp_servers')
          .values({ ...row, revision })
          .execute()
        await insertChange(transaction, note, revision)
        return revision
      })
    },

    async listEditions(tenant_id) {
      const query = db.selectFrom('mcp_server_editions').selectAll()
      const own = tenant_id === undefined ? query : query.where('tenant_id', '=', tenant_id)
      return own.orderBy('tenant_id').orderBy('server_id').execute()
    },

    deleteEdition: ({ tenant_id, server_id }, note) =>
      change(tenant_id, async (transaction, revision) => {
        const means = { transaction, kind: engine.kind }
        const isDue = (edition: EditionRow) => edition.server_id === server_id
        const isDropped = await dropEditions(means, tenant_id, isDue)
        if (isDropped) await insertChange(transaction, note, revision)
        return isDropped
      }),

    async update(row, note, keepAs) {
      assertServerIds(row)
      return change(row.tenant_id, async (transaction, revision) => {
        const stored = await findServer(transaction, row)
        if (!stored) throw noServer(row.server_id)
        if (stored.revision !== row.revision) throw changedMeanwhile(row.server_id)
        const isKept = await leave(transaction, stored, { revision, keepAs })
        const { name, config, secrets, updated_at } = row
        await whereServer(transaction.updateTable('mcp_servers'), row)
          .set({ name, config, secrets, updated_at, revision })
          .execute()
        await insertChange(transaction, note, revision)
        return { revision, isKept }
      })
    },

    async delete({ tenant_id, server_id, revision: seen }, note, keepAs) {
      const ref = { tenant_id, server_id }
      // Asked first, so that what is not there costs no revision.
      if (!(await findServer(db, ref))) return undefined
      return change(tenant_id, async (transaction, revision) => {
        const stored = await findServer(transaction, ref)
        if (!stored) return undefined
        if (seen !== undefined && stored.revision !== seen) throw changedMeanwhile(server_id)
        const isKept = await leave(transaction, stored, { revision, keepAs })
        await whereServer(transaction.deleteFrom('mcp_tools'), ref).execute()
        await whereServer(transaction.deleteFrom('mcp_credentials'), ref).execute()
        await whereServer(transaction.deleteFrom('mcp_servers'), ref).execute()
        // Sessions that keep the server keep being signed in there.
        if (!isKept) await whereServer(transaction.deleteFrom('mcp_sign_ins'), ref).execute()
        await insertChange(transaction, note, revision)
        return { revision, isKept }
      })
    },

    listCredentials: (tenant_id, server_id) =>
      whereServer(db.selectFrom('mcp_credentials'), { tenant_id, server_id })
        .selectAll()
        .orderBy('user_id')
        .execute(),

    getCredential: (tenant_id, server_id, user_id) =>
      findCredential(db, { tenant_id, server_id, user_id }),

    async setCredential(row, note) {
      assertId('user_id', row.user_id)
      return change(row.tenant_id, async (transaction, revision) => {
        if (!(await findServer(transaction, row))) throw noServer(row.server_id)
        await whereCredential(transaction.deleteFrom('mcp_credentials'), row).execute()
        await transaction.insertInto('mcp_credentials').values(row).execute()
        await insertChange(transaction, note, revision)
      })
    },

    async deleteCredential(ref, note) {
      if (!(await findCredential(db, ref))) return false
      return change(ref.tenant_id, async (transaction, revision) => {
        const query = whereCredential(transaction.deleteFrom('mcp_credentials'), ref)
        if ((await query.executeTakeFirst()).numDeletedRows === 0n) return false
        await insertChange(transaction, note, revision)
        return true
      })
    },
  }
}

type ServerRef = Pick<ServerRow, 'tenant_id' | 'server_id'>
type CredentialRef = Pick<CredentialRow, 'tenant_id' | 'server_id' | 'user_id'>
interface Filterable {
  where(column: string, operator: '=', value: string): this
}

function whereServer<Q>(query: Q, { tenant_id, server_id }: ServerRef): Q {
  const filterable = query as Q & Filterable
  return filterable.where('tenant_id', '=', tenant_id).where('server_id', '=', server_id)
}

function whereCredential<Q>(query: Q, ref: CredentialRef): Q {
  return (whereServer(query, ref) as Q & Filterable).where('user_id', '=', ref.user_id)
}

/** MySQL finds `a` by `a ` too: what was found is compared once more. */
async function findServer(db: Kysely<Database>, ref: ServerRef): Promise<ServerRow | undefined> {
  const query = db.selectFrom('mcp_servers').selectAll()
  const row = await whereServer(query, ref).executeTakeFirst()
  const isSame = row?.tenant_id === ref.tenant_id && row.server_id === ref.server_id
  return isSame ? row : undefined
}

async function findCredential(
  db: Kysely<Database>,
  ref: CredentialRef,
): Promise<CredentialRow | undefined> {
  const query = db.selectFrom('mcp_credentials').selectAll()
  const row = await whereCredential(query, ref).executeTakeFirst()
  const isSame = row?.user_id === ref.user_id && row.server_id === ref.server_id
  return isSame ? row : undefined
}

async function assertRoom(
  transaction: Transaction<Database>,
  { tenant_id, owner }: Pick<ServerRow, 'tenant_id' | 'owner'>,
  { perOwner, perTenant }: ServerQuota = {},
): Promise<void> {
  const ofTenant = transaction.selectFrom('mcp_servers').where('tenant_id', '=', tenant_id)
  const count = async (query: typeof ofTenant) => {
    const row = await query.select(({ fn }) => fn.countAll().as('n')).executeTakeFirst()
    return Number(row?.n ?? 0)
  }
  if (perOwner !== undefined && (await count(ofTenant.where('owner', '=', owner))) >= perOwner) {
    throw noRoom('perOwner', perOwner, owner === '' ? 'the tenant may share' : 'a user may have')
  }
  if (perTenant !== undefined && (await count(ofTenant)) >= perTenant) {
    throw noRoom('perTenant', perTenant, 'the tenant may have')
  }
}

function assertServerIds(row: ServerRef & { name: string; owner?: string }): void {
  assertId('tenant_id', row.tenant_id)
  assertId('server_id', row.server_id)
  assertId('name', row.name)
  if (row.owner) assertId('owner', row.owner)
}

function noRoom(limit: keyof ServerQuota, max: number, what: string): AppError {
  const servers = max === 1 ? '1 server' : `${max} servers`
  const message = `${what} at most ${servers}: remove one, or ask for a higher limit`
  return new AppError('quota_exceeded', message, { data: { limit, max } })
}

function noServer(server_id: string): AppError {
  return new AppError('not_found', `there is no server ${server_id}`)
}

function changedMeanwhile(server_id: string): AppError {
  const message = `server ${server_id} has been changed meanwhile: read it again`
  return new AppError('conflict', message)
}
