import {
  type ServerConfigInput,
  type ServerUpdateInput,
  serverInfoSchema,
  serverListSchema,
} from '@dataagent/schema'
import { type CallOptions, toPath, type Verbs } from '../http/index.ts'

const answer = serverInfoSchema

/** Servers that users have added for themselves, by name. */
export function createUserServersApi({ get, create, put, tell }: Verbs) {
  const pathOf = (user_id: string, server_name: string) =>
    toPath`/users/${user_id}/mcp-servers/${server_name}`

  return {
    list: (user_id: string, options?: CallOptions) =>
      get(toPath`/users/${user_id}/mcp-servers`, { answer: serverListSchema, ...options }),
    create: (user_id: string, body: ServerConfigInput, options?: CallOptions) =>
      create(toPath`/users/${user_id}/mcp-servers`, { body, answer, ...options }),
    get: (user_id: string, server_name: string, options?: CallOptions) =>
      get(pathOf(user_id, server_name), { answer, ...options }),
    update: (
      ...[user_id, server_name, body, options]: [string, string, ServerUpdateInput, CallOptions?]
    ) => put(pathOf(user_id, server_name), { body, answer, ...options }),
    delete: (user_id: string, server_name: string, options?: CallOptions) =>
      tell('DELETE', pathOf(user_id, server_name), options),
  }
}
