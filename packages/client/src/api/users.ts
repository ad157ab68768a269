import {
  type ApiKeyCreate,
  apiKeyCreatedSchema,
  apiKeysPageSchema,
  signedOutSchema,
  type UserCreateInput,
  type UsersQuery,
  type UserUpdate,
  userSchema,
  usersPageSchema,
} from '@dataagent/schema'
import { type CallOptions, type QueryOf, toPath, type Verbs } from '../http/index.ts'

/** Of another tenant for a platform administrator alone. */
export interface TenantOptions extends CallOptions {
  tenant_id?: string | undefined
}

const answer = userSchema

const within = ({ tenant_id, ...options }: TenantOptions = {}) => ({
  query: { tenant_id },
  ...options,
})

export function createUsersApi({ get, create, post, patch }: Verbs) {
  return {
    list: (query: QueryOf<UsersQuery> = {}, options?: CallOptions) =>
      get('/users', { query, answer: usersPageSchema, ...options }),
    create: (body: UserCreateInput, options?: CallOptions) =>
      create('/users', { body, answer, ...options }),
    get: (user_id: string, options?: TenantOptions) =>
      get(toPath`/users/${user_id}`, { answer, ...within(options) }),
    update: (user_id: string, body: UserUpdate, options?: TenantOptions) =>
      patch(toPath`/users/${user_id}`, { body, answer, ...within(options) }),
    /** Out of every browser. */
    signOut: (user_id: string, options?: TenantOptions) =>
      post(toPath`/users/${user_id}/sign-out`, { answer: signedOutSchema, ...within(options) }),
  }
}

export function createApiKeysApi({ get, create, post, tell }: Verbs) {
  const made = apiKeyCreatedSchema

  return {
    list: (user_id: string, query: QueryOf<UsersQuery> = {}, options?: CallOptions) =>
      get(toPath`/users/${user_id}/api-keys`, { query, answer: apiKeysPageSchema, ...options }),
    /** The answer alone holds the key. */
    create: (user_id: string, body: ApiKeyCreate, options?: TenantOptions) =>
      create(toPath`/users/${user_id}/api-keys`, { body, answer: made, ...within(options) }),
    rotate: (user_id: string, key_id: string, options?: TenantOptions) =>
      post(toPath`/users/${user_id}/api-keys/${key_id}/rotate`, {
        ...{ answer: made, ...within(options) },
      }),
    delete: (user_id: string, key_id: string, options?: TenantOptions) =>
      tell('DELETE', toPath`/users/${user_id}/api-keys/${key_id}`, within(options)),
  }
}
