import { AppError, readJson, type Tenant } from '@dataagent/schema'
import type { Kysely } from 'kysely'
import { assertId } from './ids.ts'
import type { Database, TenantRow } from './tables.ts'

export interface Tenants {
  /** Throws `conflict` where the id is taken. */
  create(tenant: Tenant): Promise<void>
  get(tenant_id: string): Promise<Tenant | undefined>
  /** Throws `not_found`. */
  update(tenant_id: string, change: Partial<Omit<Tenant, 'tenant_id'>>): Promise<void>
  list(page: { limit: number; offset: number }): Promise<Tenant[]>
}

export function createTenants(db: Kysely<Database>): Tenants {
  return {
    async create(tenant) {
      assertId('tenant_id', tenant.tenant_id)
      await db.insertInto('tenants').values(toRow(tenant)).execute()
    },

    async get(tenant_id) {
      const query = db.selectFrom('tenants').selectAll().where('tenant_id', '=', tenant_id)
      const row = await query.executeTakeFirst()
      return row?.tenant_id === tenant_id ? fromRow(row) : undefined
    },

    async update(tenant_id, { features_enabled, ...change }) {
      const set = features_enabled
        ? { ...change, features_enabled: JSON.stringify(features_enabled) }
        : change
      if (Object.keys(set).length === 0) return
      const query = db.updateTable('tenants').set(set).where('tenant_id', '=', tenant_id)
      const { numUpdatedRows } = await query.executeTakeFirst()
      if (numUpdatedRows === 0n) throw new AppError('not_found', `there is no tenant ${tenant_id}`)
    },

    async list({ limit, offset }) {
      const query = db.selectFrom('tenants').selectAll().orderBy('tenant_id')
      return (await query.limit(limit).offset(offset).execute()).map(fromRow)
    },
  }
}

function toRow(tenant: Tenant): TenantRow {
  return { ...tenant, features_enabled: JSON.stringify(tenant.features_enabled) }
}

function fromRow(row: TenantRow): Tenant {
  return { ...row, features_enabled: readJson(row.features_enabled) as string[] }
}
