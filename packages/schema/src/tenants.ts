import { z } from 'zod'
import { id, name, timestamp, wholeNumber } from './scalars.ts'

/** The most of something; null is no limit. */
const limit = wholeNumber.nullable()

/** What an administrator sets for a tenant. */
export const tenantSettingsSchema = z.object({
  name,
  max_users: limit,
  max_sessions_per_user: limit,
  max_mcp_servers: limit,
  workspace_quota: limit.meta({ description: 'Bytes each user may store' }),
  features_enabled: z.array(z.string().min(1).max(128)).meta({
    description: 'Features, tools and servers that are on; "*" is all, "-name" all but that one',
  }),
})

/** A customer of one installation, apart from every other. */
export const tenantSchema = z.object({
  tenant_id: id,
  ...tenantSettingsSchema.shape,
  created_at: timestamp,
})
export type Tenant = z.infer<typeof tenantSchema>
