import {
  type CredentialsUpdate,
  connectionTestResultSchema,
  credentialsStatusSchema,
  importPreviewSchema,
  type ServerTestRequestInput,
  type ServerUpdateInput,
  type SharedServerCreateInput,
  serverHealthHistorySchema,
  serverInfoSchema,
  serverListSchema,
  serverSignInBegunSchema,
  serverSignInSchema,
  serverStatusListSchema,
  type TemplateList,
  templateListSchema,
} from '@dataagent/schema'
import { type CallOptions, toPath, type Verbs } from '../http/index.ts'

const answer = serverInfoSchema
const statuses = serverStatusListSchema

/** Servers that are shared, and what concerns any server by its id. */
export function createServersApi({ get, post, create, put, tell }: Verbs) {
  return {
    list: (options?: CallOptions) => get('/mcp-servers', { answer: serverListSchema, ...options }),
    create: (body: SharedServerCreateInput, options?: CallOptions) =>
      create('/mcp-servers', { body, answer, ...options }),
    get: (server_id: string, options?: CallOptions) =>
      get(toPath`/mcp-servers/${server_id}`, { answer, ...options }),
    update: (server_id: string, body: ServerUpdateInput, options?: CallOptions) =>
      put(toPath`/mcp-servers/${server_id}`, { body, answer, ...options }),
    delete: (server_id: string, options?: CallOptions) =>
      tell('DELETE', toPath`/mcp-servers/${server_id}`, options),
    /** What a pasted text holds; nothing is stored or started. */
    import: (text: string, options?: CallOptions) =>
      post('/mcp-servers/import', { body: { text }, answer: importPreviewSchema, ...options }),
    test: (body: ServerTestRequestInput, options?: CallOptions) =>
      post('/mcp-servers/test', { body, answer: connectionTestResultSchema, ...options }),
    /** As it is stored, with its secrets. */
    testStored: (server_id: string, options?: CallOptions) =>
      post(toPath`/mcp-servers/${server_id}/test`, {
        ...{ answer: connectionTestResultSchema, ...options },
      }),
    /** How its connections have fared lately, newest first. */
    health: (server_id: string, options?: CallOptions) =>
      get(toPath`/mcp-servers/${server_id}/health`, {
        ...{ answer: serverHealthHistorySchema, ...options },
      }),
    status: (server_id: string, options?: CallOptions) =>
      get(toPath`/mcp-servers/${server_id}/status`, { answer: statuses, ...options }),
    reconnect: (server_id: string, options?: CallOptions) =>
      post(toPath`/mcp-servers/${server_id}/reconnect`, { answer: statuses, ...options }),
    refresh: (server_id: string, options?: CallOptions) =>
      post(toPath`/mcp-servers/${server_id}/refresh`, { answer: statuses, ...options }),
    credentials: (server_id: string, options?: CallOptions) =>
      get(toPath`/mcp-servers/${server_id}/credentials`, {
        ...{ answer: credentialsStatusSchema, ...options },
      }),
    setCredentials: (server_id: string, body: CredentialsUpdate, options?: CallOptions) =>
      tell('PUT', toPath`/mcp-servers/${server_id}/credentials`, { body, ...options }),
    deleteCredentials: (server_id: string, options?: CallOptions) =>
      tell('DELETE', toPath`/mcp-servers/${server_id}/credentials`, options),
    signInStatus: (server_id: string, options?: CallOptions) =>
      get(toPath`/mcp-servers/${server_id}/sign-in`, { answer: serverSignInSchema, ...options }),
    beginSignIn: (server_id: string, options?: CallOptions) =>
      post(toPath`/mcp-servers/${server_id}/sign-in`, {
        ...{ answer: serverSignInBegunSchema, ...options },
      }),
    signOut: (server_id: string, options?: CallOptions) =>
      tell('DELETE', toPath`/mcp-servers/${server_id}/sign-in`, options),
    templates: (options?: CallOptions) =>
      get('/mcp-servers/templates', { answer: templateListSchema, ...options }),
    setTemplates: (body: TemplateList, options?: CallOptions) =>
      put('/mcp-servers/templates', { body, answer: templateListSchema, ...options }),
  }
}
