import {
  type GrantsQuery,
  type GroupKeyRotateRequest,
  grantsPageSchema,
  groupKeyCopySchema,
  type ToolGroupCreate,
  type ToolGroupUpdate,
  toolGroupListSchema,
  toolGroupSchema,
  toolGroupWithKeySchema,
} from '@dataagent/schema'
import { type CallOptions, type QueryOf, toPath, type Verbs } from '../http/index.ts'

const answer = toolGroupSchema
const withKey = toolGroupWithKeySchema

/** What is offered to MCP clients. */
export function createToolGroupsApi({ get, create, post, patch, tell }: Verbs) {
  return {
    list: (options?: CallOptions) =>
      get('/mcp-groups', { answer: toolGroupListSchema, ...options }),
    /** The answer holds the key. */
    create: (body: ToolGroupCreate, options?: CallOptions) =>
      create('/mcp-groups', { body, answer: withKey, ...options }),
    get: (group_id: string, options?: CallOptions) =>
      get(toPath`/mcp-groups/${group_id}`, { answer, ...options }),
    update: (group_id: string, body: ToolGroupUpdate, options?: CallOptions) =>
      patch(toPath`/mcp-groups/${group_id}`, { body, answer, ...options }),
    delete: (group_id: string, options?: CallOptions) =>
      tell('DELETE', toPath`/mcp-groups/${group_id}`, options),
    copyKey: (group_id: string, options?: CallOptions) =>
      post(toPath`/mcp-groups/${group_id}/key/copy`, { answer: groupKeyCopySchema, ...options }),
    rotateKey: (group_id: string, body: GroupKeyRotateRequest = {}, options?: CallOptions) =>
      post(toPath`/mcp-groups/${group_id}/key/rotate`, { body, answer: withKey, ...options }),
    revokeKey: (group_id: string, options?: CallOptions) =>
      tell('DELETE', toPath`/mcp-groups/${group_id}/key`, options),
    grants: (group_id: string, query: QueryOf<GrantsQuery> = {}, options?: CallOptions) =>
      get(toPath`/mcp-groups/${group_id}/grants`, { query, answer: grantsPageSchema, ...options }),
    revokeGrant: (group_id: string, grant_id: string, options?: CallOptions) =>
      tell('DELETE', toPath`/mcp-groups/${group_id}/grants/${grant_id}`, options),
  }
}
