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
    workspace_quota: toText(workspace_quota && Number((workspace_quota / gibibyte).toFixed(3))),
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

function toText(limit: number | null): string {
  return limit === null ? '' : String(limit)
}

function toLimit(text: string): number | null {
  return text.trim() === '' ? null : Number(text)
}
