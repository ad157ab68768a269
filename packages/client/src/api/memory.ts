import {
  factListSchema,
  type MemoryClearQuery,
  type MemoryQuery,
  memoryExportSchema,
} from '@dataagent/schema'
import { type CallOptions, type QueryOf, toPath, type Verbs } from '../http/index.ts'

/** What assistants remember of the caller. */
export function createMemoryApi({ get, tell }: Verbs) {
  return {
    list: (query: MemoryQuery, options?: CallOptions) =>
      get('/memory', { query, answer: factListSchema, ...options }),
    export: (options?: CallOptions) =>
      get('/memory/export', { answer: memoryExportSchema, ...options }),
    /** Of one assistant, or without one of all. */
    clear: (query: QueryOf<MemoryClearQuery> = {}, options?: CallOptions) =>
      tell('DELETE', '/memory', { query, ...options }),
    forget: (fact_id: string, query: MemoryQuery, options?: CallOptions) =>
      tell('DELETE', toPath`/memory/${fact_id}`, { query, ...options }),
  }
}
