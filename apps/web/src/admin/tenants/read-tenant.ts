import type { Tenant, TenantUpdate } from '@dataagent/schema'

const gibibyte = 2 ** 30

/** A tenant as its form holds it: all of it text. */
export interface TenantFields {
  tenant_id: string
  name: string
  max_users: string
  max_sessions_per_user: string
  max_mcp_servers: string
  /** In GiB. */
  workspace_quota: string
  /** One in each line. */
  features_enabled: string
}

export const newTenant: TenantFields = {
  ...{ tenant_id: '', name: '', max_users: '', max_sessions_per_user: '', max_mcp_servers: '' },
  ...{ workspace_quota: '1', features_enabled: '*' },
}

export function toFields(tenant: Tenant): TenantFields {
  const { workspace_quota } = tenant
  return {
    ...{ tenant_id: tenant.tenant_id, name: tenant.name },
    max_users: toText(tenant.max_users),
    max_sessions_per_user: toText(tenant.max_sessions_per_user),
    max_mcp_servers: toText(tenant.max_mcp_servers),
    workspace_quota: toGibibytes(workspace_quota),
    features_enabled: tenant.features_enabled.join('\n'),
  }
}

/** What the form says of limits and features; null where a field is empty. */
export function readTenant(fields: TenantFields): Required<TenantUpdate> {
  const quota = toLimit(fields.workspace_quota)
  return {
    name: fields.name,
    max_users: toLimit(fields.max_users),
    max_sessions_per_user: toLimit(fields.max_sessions_per_user),
    max_mcp_servers: toLimit(fields.max_mcp_servers),
    workspace_quota: quota === null ? null : Math.round(quota * gibibyte),
    features_enabled: [...new Set(fields.features_enabled.split(/[\s,]+/).filter(Boolean))],
  }
}

/** What the form changes of a tenant; a quota that nobody has touched keeps its exact bytes. */
export function changesOf(tenant: Tenant, fields: TenantFields): TenantUpdate {
  const before = toFields(tenant)
  const now = Object.entries(readTenant(fields))
  return Object.fromEntries(
    now.filter(([name]) => {
      const field = name as keyof TenantUpdate
      return fields[field] !== before[field]
    }),
  )
}

/** Rounded, to be read: what is not whole has three digits that say something. */
function toGibibytes(bytes: number | null): string {
  return bytes === null ? '' : String(Number((bytes / gibibyte).toPrecision(4)))
}

function toText(limit: number | null): string {
  return limit === null ? '' : String(limit)
}

function toLimit(text: string): number | null {
  return text.trim() === '' ? null : Number(text)
}
