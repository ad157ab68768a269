import type { NewChange } from '../changes.ts'
import type { DataColumn, DataRow } from './columns.ts'
import type { DataDefinition, DataQuestion, SourceKind } from './sources.ts'

/** A source as it is stored. What reaches it (`location`) is sealed. */
export interface SourceRow {
  tenant_id: string
  source_id: string
  /** Unique within the tenant, whatever its case. */
  name: string
  kind: SourceKind
  description: string
  scope: 'user' | 'tenant'
  /** Whose it is, where the scope is `user`. */
  user_id: string | null
  enabled: boolean
  /** Sealed JSON of how it is reached. */
  location: string
  /** JSON of what administrators say of its tables and columns. */
  notes: string
  status: 'unknown' | 'ok' | 'failing'
  status_text: string | null
  read_only: boolean | null
  checked_at: number | null
  created_at: number
  updated_at: number
}

export type SourceFields = Partial<Omit<SourceRow, 'tenant_id' | 'source_id' | 'created_at'>>

/** A change with the note of it, which is stored in the same transaction. */
export interface NotedChange {
  note?: NewChange | undefined
}

export interface SourceRows {
  /** By name, whatever its case. */
  list(tenant_id: string): Promise<SourceRow[]>
  get(tenant_id: string, source_id: string): Promise<SourceRow | undefined>
  /** `conflict` where the name or id is taken, `quota_exceeded` where the tenant has `max`. */
  create(row: SourceRow, options: NotedChange & { max: number }): Promise<void>
  /**
   * Changes these columns alone, so that what others change meanwhile stays, the rotation of keys
   * too; gives the row as it is then. `not_found` where there is none, `conflict` where the name is
   * taken, or where the row has another `updated_at` than `ifUpdatedAt`.
   */
  update(
    tenant_id: string,
    source_id: string,
    fields: SourceFields,
    options?: NotedChange & { ifUpdatedAt?: number | undefined },
  ): Promise<SourceRow>
  /** With its definitions and questions; queries stay. False where there was none. */
  delete(tenant_id: string, source_id: string, options?: NotedChange): Promise<boolean>
}

export type StoredDefinition = DataDefinition & { tenant_id: string }

export interface DefinitionRows {
  /** By term. */
  list(tenant_id: string): Promise<StoredDefinition[]>
  /** Adds it, or puts it in the place of the one with its id. `quota_exceeded` over `max`. */
  put(row: StoredDefinition, options: NotedChange & { max: number }): Promise<void>
  /** False where there was none. */
  delete(tenant_id: string, definition_id: string, options?: NotedChange): Promise<boolean>
}

export type StoredQuestion = DataQuestion & { tenant_id: string }

export interface QuestionRows {
  /** Those of all, and of that user. The newest first. */
  list(tenant_id: string, user_id: string | null): Promise<StoredQuestion[]>
  get(tenant_id: string, question_id: string): Promise<StoredQuestion | undefined>
  /**
   * Adds it, or puts it in the place of the one with its id. `quota_exceeded` where its owner, or
   * where it has none the tenant, has `max`.
   */
  put(row: StoredQuestion, options: NotedChange & { max: number }): Promise<void>
  /** False where there was none. */
  delete(tenant_id: string, question_id: string, options?: NotedChange): Promise<boolean>
}

/** A query that was run, whether it gave rows or failed. */
export interface QueryRow {
  tenant_id: string
  query_id: string
  /** The session that it belongs to, or `user:<id>` for who asks without one. */
  scope_id: string
  /** The number of its `ref` within the scope. */
  number: number
  user_id: string
  source_id: string
  source_name: string
  sql: string
  purpose: string | null
  columns: readonly DataColumn[]
  /** The first rows. */
  rows: readonly DataRow[]
  row_count: number | null
  kept_rows: number
  elapsed_ms: number
  as_of: number
  /** Why it gave nothing. */
  error: string | null
  verified_question_id: string | null
}

export type QueryKey = Pick<QueryRow, 'tenant_id' | 'query_id'>

export interface CopiedQuery {
  query_id: string
  copy_id: string
}

export interface QueryRows {
  /**
   * Gives the query the next number of its scope, from 1: each once, whoever adds at the same time,
   * and none again after its query was deleted. `conflict` where the id is taken.
   */
  add(row: Omit<QueryRow, 'number'>): Promise<QueryRow>
  get(tenant_id: string, query_id: string): Promise<QueryRow | undefined>
  getNumber(tenant_id: string, scope_id: string, number: number): Promise<QueryRow | undefined>
  /** The last `limit` of those that gave rows, in the order of their numbers. */
  listScope(tenant_id: string, scope_id: string, page: { limit: number }): Promise<QueryRow[]>
  /** The newest first, those that failed too. */
  list(
    tenant_id: string,
    page: {
      limit: number
      offset: number
      user_id?: string | undefined
      source_id?: string | undefined
    },
  ): Promise<QueryRow[]>
  /**
   * Copies those of one scope into another that has none, with their numbers and under ids of their
   * own; the other counts on from there. With `before`, none from the first on that was asked then
   * or later.
   */
  copyScope(
    tenant_id: string,
    scopes: { from: string; to: string; before?: number | undefined },
  ): Promise<CopiedQuery[]>
  /** All of these sessions, whose ids no two tenants share. */
  deleteScopes(scope_ids: readonly string[]): Promise<void>
  /** Those of all tenants from before `time`, the oldest first; how many, at most `limit`. */
  deleteBefore(time: number, limit: number): Promise<number>
  /** Those that were deleted, and whose kept rows may be there still, until `forgetDeleted`. */
  listDeleted(limit: number): Promise<QueryKey[]>
  /** Once the kept rows of these are gone. */
  forgetDeleted(keys: readonly QueryKey[]): Promise<void>
}

/** Stored rows of the data room. Throws what a database throws besides. */
export interface DataStore {
  sources: SourceRows
  definitions: DefinitionRows
  questions: QuestionRows
  queries: QueryRows
}
