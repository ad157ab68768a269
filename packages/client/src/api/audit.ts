import {
  type CallsExportQuery,
  type CallsQuery,
  type CallsTallyQuery,
  type ChangesQuery,
  callsPageSchema,
  callsTallySchema,
  chainReportSchema,
  changesPageSchema,
} from '@dataagent/schema'
import type { CallOptions, QueryOf, Verbs } from '../http/index.ts'

export function createAuditApi({ get, post, open }: Verbs) {
  return {
    calls: (query: QueryOf<CallsQuery> = {}, options?: CallOptions) =>
      get('/audit/calls', { query, answer: callsPageSchema, ...options }),
    /** The file, as the answer that it streams in. */
    exportCalls: (query: QueryOf<CallsExportQuery> = {}, options?: CallOptions) =>
      open('/audit/calls/export', { query, accept: '*/*', ...options }),
    tally: (query: QueryOf<CallsTallyQuery>, options?: CallOptions) =>
      get('/audit/calls/tally', { query, answer: callsTallySchema, ...options }),
    changes: (query: QueryOf<ChangesQuery> = {}, options?: CallOptions) =>
      get('/audit/changes', { query, answer: changesPageSchema, ...options }),
    verify: (options?: CallOptions) =>
      post('/audit/verify', { answer: chainReportSchema, ...options }),
  }
}
