import {
  pendingToolListSchema,
  type RegisteredToolsQuery,
  registeredToolsPageSchema,
  type ToolCallRequestInput,
  type ToolDecisionRequest,
  type ToolExplainRequest,
  type ToolsQuery,
  toolCallResponseSchema,
  toolExplanationSchema,
  toolsPageSchema,
} from '@dataagent/schema'
import type { CallOptions, QueryOf, Verbs } from '../http/index.ts'

export function createToolsApi({ get, post, tell }: Verbs) {
  return {
    list: (query: QueryOf<ToolsQuery> = {}, options?: CallOptions) =>
      get('/tools', { query, answer: toolsPageSchema, ...options }),
    call: (body: ToolCallRequestInput, options?: CallOptions) =>
      post('/tools/call', { body, answer: toolCallResponseSchema, ...options }),
    explain: (body: ToolExplainRequest, options?: CallOptions) =>
      post('/tools/explain', { body, answer: toolExplanationSchema, ...options }),
    /** Every tool of the tenant, for its administrators. */
    registry: (query: QueryOf<RegisteredToolsQuery> = {}, options?: CallOptions) =>
      get('/tools/registry', { query, answer: registeredToolsPageSchema, ...options }),
    /** Definitions that wait for an administrator. */
    pending: (options?: CallOptions) =>
      get('/tools/pending', { answer: pendingToolListSchema, ...options }),
    decide: (body: ToolDecisionRequest, options?: CallOptions) =>
      tell('POST', '/tools/decide', { body, ...options }),
  }
}
