import {
  AppError,
  id,
  pageQuerySchema,
  type Tenant,
  tenantCreateSchema,
  tenantListSchema,
  tenantSchema,
  tenantUpdateSchema,
} from '@dataagent/schema'
import { z } from 'zod'
import { defineRoute, type Route, tenantOf } from '../deps/index.ts'
import type { Identity, Principal } from '../identity/index.ts'
import type { GetPlatform, Platform } from '../platform/index.ts'
import { refusingTwice } from './duplicate.ts'
import { exportTenant } from './tenants-export.ts'
import { removeTenant } from './tenants-remove.ts'

const all = { path: '/tenants', tag: 'tenants', access: 'platform_admin' } as const
const one = {
  path: '/tenants/:tenant_id',
  tag: 'tenants',
  params: z.strictObject({ tenant_id: id }),
  answer: tenantSchema,
} as const

/** The customers of this installation, with their limits and features. */
export function tenantRoutes(platform: GetPlatform, identity: Pick<Identity, 'forget'>): Route[] {
  return [
    defineRoute({
      ...all,
      ...{ method: 'GET', summary: 'All tenants.' },
      query: pageQuerySchema,
      answer: tenantListSchema,
      async handle({ query }) {
        const { tenants } = platform().tables
        const [list, total] = await Promise.all([tenants.list(query), tenants.count()])
        return { tenants: list, ...query, total }
      },
    }),
    defineRoute({
      ...all,
      ...{ method: 'POST', creates: true, status: 201, summary: 'Adds a tenant.' },
      body: tenantCreateSchema,
      answer: tenantSchema,
      async handle({ principal, body }) {
        const { config, clock, tables, note } = platform()
        if (!config.multi_tenant) throw oneTenantOnly()
        const tenant = { ...body, created_at: clock.now() }
        const added = { ...changeOf(tenant), action: 'added', after: tenant } as const
        const adding = tables.tenants.create(tenant, { note: note(principal, added) })
        await refusingTwice(`a tenant ${tenant.tenant_id}`, adding)
        await takeOver(platform(), tenant.tenant_id)
        return tenant
      },
    }),
    defineRoute({
      ...one,
      ...{ method: 'GET', access: 'auditor', summary: 'One tenant, with its limits and features.' },
      handle: ({ principal, params }) =>
        findTenant(platform(), tenantOf(principal, params.tenant_id)),
    }),
    defineRoute({
      ...one,
      ...{ method: 'PATCH', access: 'platform_admin' },
      summary: 'Changes limits and features; they hold within a second in all processes.',
      body: tenantUpdateSchema,
      async handle({ principal, params: { tenant_id }, body }) {
        const { tables, note } = platform()
        const before = await findTenant(platform(), tenant_id)
        const after = { ...before, ...body }
        const changed = { ...changeOf(before), action: 'changed', before, after } as const
        const tenant = await tables.tenants.update(tenant_id, body, {
          note: note(principal, changed),
        })
        await takeOver(platform(), tenant_id)
        return tenant
      },
    }),
    defineRoute({
      ...{ ...all, path: one.path, method: 'DELETE', params: one.params, isLong: true },
      summary: 'Ends a tenant and deletes all that is stored of it, for good.',
      async handle({ principal, params: { tenant_id } }) {
        await removeTenant(platform(), principal, await findTenant(platform(), tenant_id))
        identity.forget()
      },
    }),
    defineRoute({
      ...{ ...all, path: '/tenants/:tenant_id/export', method: 'GET', params: one.params },
      summary: 'All that is stored of a tenant, without secrets, as lines of JSON.',
      raw: { produces: 'application/x-ndjson' },
      async handle({ principal, params: { tenant_id }, reply, signal }) {
        const tenant = await findTenant(platform(), tenant_id)
        await noteExport(platform(), principal, tenant)
        return exportTenant(platform(), { tenant, reply, signal })
      },
    }),
  ]
}

/** Throws `not_found`. */
export async function findTenant({ tables }: Platform, tenant_id: string): Promise<Tenant> {
  const tenant = await tables.tenants.get(tenant_id)
  if (tenant) return tenant
  throw new AppError('not_found', `there is no tenant ${tenant_id}`)
}

/** Who took all of it is in the record of changes of the tenant. */
async function noteExport({ tables, note }: Platform, by: Principal, tenant: Tenant) {
  const copied = { ...changeOf(tenant), action: 'copied' } as const
  await tables.tenants.update(tenant.tenant_id, {}, { note: note(by, copied) })
}

/** Here at once; the others are told, and would find out by themselves within a second. */
async function takeOver({ tenants, hub }: Platform, tenant_id: string): Promise<void> {
  await tenants.reload(tenant_id)
  await hub.revisions.publish(tenant_id, 'tenants')
}

function changeOf({ tenant_id }: Tenant) {
  return { tenant_id, kind: 'tenant', target: tenant_id } as const
}

function oneTenantOnly(): AppError {
  return new AppError(
    'forbidden',
    'This server has one tenant. Start it with DATAAGENT_MULTI_TENANT=true to add others.',
  )
}
