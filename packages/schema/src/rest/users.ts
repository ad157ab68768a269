import { z } from 'zod'
import { apiKeyInfoSchema } from '../api-keys.ts'
import { id, timestamp, wholeNumber } from '../scalars.ts'
import { roleSchema, userSchema } from '../users.ts'
import { pageFields, pageQuerySchema } from './page.ts'

const { name } = userSchema.shape

/** GET /api/v1/users; of another tenant for a platform administrator alone. */
export const usersQuerySchema = pageQuerySchema.extend({
  tenant_id: id.exactOptional(),
  q: z.string().trim().min(1).max(200).exactOptional().meta({
    description: 'A text in their name or id',
  }),
})
export type UsersQuery = z.infer<typeof usersQuerySchema>

export const usersPageSchema = z.object({ users: z.array(userSchema), ...pageFields })
export type UsersPage = z.infer<typeof usersPageSchema>

/** POST /api/v1/users */
export const userCreateSchema = z.strictObject({
  user_id: id,
  name,
  role: roleSchema.default('user'),
  tenant_id: id.exactOptional(),
})
export type UserCreate = z.infer<typeof userCreateSchema>
export type UserCreateInput = z.input<typeof userCreateSchema>

/** PATCH /api/v1/users/{user_id}: what is absent stays as it is. */
export const userUpdateSchema = z.strictObject({
  name: name.exactOptional(),
  role: roleSchema.exactOptional(),
  disabled: z.boolean().exactOptional(),
})
export type UserUpdate = z.infer<typeof userUpdateSchema>

/** GET /api/v1/users/{user_id}/api-keys, oldest first. */
export const apiKeysPageSchema = z.object({ api_keys: z.array(apiKeyInfoSchema), ...pageFields })
export type ApiKeysPage = z.infer<typeof apiKeysPageSchema>

/** POST /api/v1/users/{user_id}/api-keys; without a role it has that of the user. */
export const apiKeyCreateSchema = z.strictObject({
  name,
  role: roleSchema.exactOptional(),
  expires_at: timestamp.nullable().exactOptional(),
  act_as: z.boolean().exactOptional(),
})
export type ApiKeyCreate = z.infer<typeof apiKeyCreateSchema>

/** The one answer that holds the key itself. */
export const apiKeyCreatedSchema = apiKeyInfoSchema.extend({ key: z.string() })
export type ApiKeyCreated = z.infer<typeof apiKeyCreatedSchema>

/** POST /api/v1/users/{user_id}/sign-out: how many browsers were signed in. */
export const signedOutSchema = z.object({ signed_out: wholeNumber })
export type SignedOut = z.infer<typeof signedOutSchema>
