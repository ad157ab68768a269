import { z } from 'zod'
import { runInfoSchema } from '../runs.ts'
import { id, timestamp, wholeNumber } from '../scalars.ts'
import { tenantSettingsSchema } from '../tenants.ts'
import { periodFields } from './page.ts'

const { max_users, max_sessions_per_user, max_mcp_servers, workspace_quota } =
  tenantSettingsSchema.shape

/** GET /api/v1/tenants/{tenant_id}/usage: what there is, beside what there may be. */
export const tenantUsageSchema = z.object({
  tenant_id: id,
  users: wholeNumber,
  mcp_servers: wholeNumber,
  running_turns: wholeNumber,
  limits: z.object({ max_users, max_sessions_per_user, max_mcp_servers, workspace_quota }),
})
export type TenantUsage = z.infer<typeof tenantUsageSchema>

const by = z.enum(['day', 'minute', 'user', 'model', 'assistant'])

/** GET /api/v1/usage: turns that began from `from` on and before `to`. */
export const usageQuerySchema = z.strictObject({
  ...periodFields,
  by: by.default('day'),
  user_id: id.exactOptional(),
  tenant_id: id.exactOptional(),
})
export type UsageQuery = z.infer<typeof usageQuerySchema>

const { prompt_tokens, completion_tokens, cached_tokens, cost_micros } = runInfoSchema.shape

/** `key` is the day (2026-11-16, UTC), the minute (2026-11-16T10:05Z), the user, model or agent. */
export const usageReportSchema = z.object({
  tenant_id: id,
  by,
  from: timestamp,
  to: timestamp,
  rows: z.array(
    z.object({
      key: z.string(),
      runs: wholeNumber,
      errors: wholeNumber,
      prompt_tokens,
      completion_tokens,
      cached_tokens,
      cost_micros,
    }),
  ),
})
export type UsageReport = z.infer<typeof usageReportSchema>
