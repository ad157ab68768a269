import {
  type ApiKeyCreate,
  apiKeyCreatedSchema,
  apiKeysPageSchema,
  type PageQuery,
  signedOutSchema,
  type UserCreateInput,
  type UsersQuery,
  type UserUpdate,
  userSchema,
  usersPageSchema,
} from '@dataagent/schema'
import { type CallOptions, type QueryOf, toPath, type Verbs } from '../http/index.ts'

const answer = userSchema

export function createUsersApi({ get, create, post, patch }: Verbs) {
  return {
    list: (query: QueryOf<UsersQuery> = {}, options?: CallOptions) =>
      get('/users', { query, answer: usersPageSchema, ...options }),
    create: (body: UserCreateInput, options?: CallOptions) =>
      create('/users', { body, answer, ...options }),
    get: (user_id: string, options?: CallOptions) =>
      get(toPath`/users/${user_id}`, { answer, ...options }),
    update: (user_id: string, body: UserUpdate, options?: CallOptions) =>
      patch(toPath`/users/${user_id}`, { body, answer, ...options }),
    /** Out of every browser. */
    signOut: (user_id: string, options?: CallOptions) =>
      post(toPath`/users/${user_id}/sign-out`, { answer: signedOutSchema, ...options }),
  }
}

export function createApiKeysApi({ get, create, post, tell }: Verbs) {
  const made = apiKeyCreatedSchema

  return {
    list: (user_id: string, query: QueryOf<PageQuery> = {}, options?: CallOptions) =>
      get(toPath`/users/${user_id}/api-keys`, { query, answer: apiKeysPageSchema, ...options }),
    /** The answer alone holds the key. */
    create: (user_id: string, body: ApiKeyCreate, options?: CallOptions) =>
      create(toPath`/users/${user_id}/api-keys`, { body, answer: made, ...options }),
    rotate: (user_id: string, key_id: string, options?: CallOptions) =>
      post(toPath`/users/${user_id}/api-keys/${key_id}/rotate`, { answer: made, ...options }),
    delete: (user_id: string, key_id: string, options?: CallOptions) =>
      tell('DELETE', toPath`/users/${user_id}/api-keys/${key_id}`, options),
  }
}
