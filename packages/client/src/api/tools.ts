import {
  pendingToolListSchema,
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
    /** Definitions that wait for an administrator. */
    pending: (options?: CallOptions) =>
      get('/tools/pending', { answer: pendingToolListSchema, ...options }),
    decide: (body: ToolDecisionRequest, options?: CallOptions) =>
      tell('POST', '/tools/decide', { body, ...options }),
  }
}
