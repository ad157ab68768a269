import { z } from 'zod'
import { id, name, timestamp } from './scalars.ts'

/**
 * `platform_admin` manages tenants, `admin` one tenant, `user` what is their own; `auditor` reads
 * what happened in one tenant, and changes and runs nothing.
 */
export const roleSchema = z.enum(['platform_admin', 'admin', 'user', 'auditor'])
export type Role = z.infer<typeof roleSchema>

export const userSchema = z.object({
  user_id: id,
  tenant_id: id,
  name,
  role: roleSchema,
  created_at: timestamp,
  /** From then on the user may do nothing; null is never. */
  disabled_at: timestamp.nullable(),
})
export type User = z.infer<typeof userSchema>
