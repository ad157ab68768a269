import { z } from 'zod'
import { id } from '../scalars.ts'
import { tenantSchema, tenantSettingsSchema } from '../tenants.ts'
import { pageFields } from './page.ts'

const gibibyte = 2 ** 30
const {
  name,
  max_users,
  max_sessions_per_user,
  max_mcp_servers,
  workspace_quota,
  features_enabled,
} = tenantSettingsSchema.shape

/** POST /api/v1/tenants */
export const tenantCreateSchema = z.strictObject({
  tenant_id: id,
  name,
  max_users: max_users.default(null),
  max_sessions_per_user: max_sessions_per_user.default(null),
  max_mcp_servers: max_mcp_servers.default(null),
  workspace_quota: workspace_quota.default(gibibyte),
  features_enabled: features_enabled.default(['*']),
})
export type TenantCreate = z.infer<typeof tenantCreateSchema>
export type TenantCreateInput = z.input<typeof tenantCreateSchema>

/** PATCH /api/v1/tenants/{tenant_id}: what is absent stays as it is. */
export const tenantUpdateSchema = z.strictObject({
  name: name.exactOptional(),
  max_users: max_users.exactOptional(),
  max_sessions_per_user: max_sessions_per_user.exactOptional(),
  max_mcp_servers: max_mcp_servers.exactOptional(),
  workspace_quota: workspace_quota.exactOptional(),
  features_enabled: features_enabled.exactOptional(),
})
export type TenantUpdate = z.infer<typeof tenantUpdateSchema>

/** GET /api/v1/tenants */
export const tenantListSchema = z.object({ tenants: z.array(tenantSchema), ...pageFields })
export type TenantList = z.infer<typeof tenantListSchema>
