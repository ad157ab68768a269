import { AppError, readJson, type Tenant } from '@dataagent/schema'
import { countRows } from '../count-rows.ts'
import { insertChange } from '../hub/change-rows.ts'
import { inRevision } from '../hub/take-revision.ts'
import { assertId } from '../ids.ts'
import type { Page } from '../sessions.ts'
import type { Noted, PlatformOptions, TenantRow } from './tables.ts'

export type Tenants = ReturnType<typeof createTenants>
type TenantChange = Partial<Omit<Tenant, 'tenant_id' | 'created_at'>>

/** Every change takes the next revision of the topic `tenants` in the same transaction. */
export function createTenants({ db, engine }: PlatformOptions) {
  async function find(from: PlatformOptions['db'], tenant_id: string) {
    const query = from.selectFrom('tenants').selectAll().where('tenant_id', '=', tenant_id)
    const row = await query.executeTakeFirst()
    return row?.tenant_id === tenant_id ? fromRow(row) : undefined
  }

  return {
    /** Throws `conflict` where the id is taken. */
    async create(tenant: Tenant, { note }: Noted = {}): Promise<void> {
      const { tenant_id } = tenant
      assertId('tenant_id', tenant_id)
      const topic = { tenant_id, topic: 'tenants' } as const
      await inRevision({ db, engine }, topic, async (transaction, revision) => {
        await transaction.insertInto('tenants').values(toRow(tenant)).execute()
        await insertChange(transaction, note, revision)
      })
    },

    get: (tenant_id: string) => find(db, tenant_id),

    /** Throws `not_found`. */
    update(tenant_id: string, change: TenantChange, { note }: Noted = {}): Promise<Tenant> {
      const topic = { tenant_id, topic: 'tenants' } as const
      return inRevision({ db, engine }, topic, async (transaction, revision) => {
        const tenant = await find(transaction, tenant_id)
        if (!tenant) throw new AppError('not_found', `there is no tenant ${tenant_id}`)
        const next = { ...tenant, ...change }
        const set = transaction.updateTable('tenants').set(toRow(next))
        await set.where('tenant_id', '=', tenant_id).execute()
        await insertChange(transaction, note, revision)
        return next
      })
    },

    /** By tenant_id. */
    async list({ limit, offset }: Page): Promise<Tenant[]> {
      const query = db.selectFrom('tenants').selectAll().orderBy('tenant_id')
      return (await query.limit(limit).offset(offset).execute()).map(fromRow)
    },

    count: () => countRows(db.selectFrom('tenants')),
  }
}

function toRow(tenant: Tenant): TenantRow {
  return { ...tenant, features_enabled: JSON.stringify(tenant.features_enabled) }
}

function fromRow(row: TenantRow): Tenant {
  return { ...row, features_enabled: readJson(row.features_enabled) as string[] }
}
