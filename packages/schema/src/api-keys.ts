import { z } from 'zod'
import { id, name, timestamp } from './scalars.ts'
import { roleSchema } from './users.ts'

/**
 * An API key as it is listed: everything but the key itself, which is shown once when it is made.
 */
export const apiKeyInfoSchema = z.object({
  key_id: id,
  tenant_id: id,
  user_id: id,
  name,
  role: roleSchema,
  act_as: z.boolean().meta({ description: 'Whether its holder may act for other users' }),
  created_at: timestamp,
  last_used_at: timestamp.nullable(),
  expires_at: timestamp.nullable(),
  revoked_at: timestamp.nullable(),
})
export type ApiKeyInfo = z.infer<typeof apiKeyInfoSchema>
