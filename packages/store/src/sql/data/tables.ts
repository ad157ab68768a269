import type { DataDefinition, DataQuestion, QueryKey, QueryRow, SourceRow } from '@dataagent/schema'
import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import type { Database } from '../tables.ts'

export interface DataRowsOptions {
  db: Kysely<Database>
  engine: Engine
}

/** True and false are 1 and 0, lists are JSON. */
export interface SourceColumns extends Omit<SourceRow, 'enabled' | 'read_only'> {
  /** The name as names are compared. */
  name_key: string
  enabled: number
  read_only: number | null
}

export interface DefinitionColumns extends DataDefinition {
  tenant_id: string
}

export interface QuestionColumns extends Omit<DataQuestion, 'also' | 'note' | 'verified'> {
  tenant_id: string
  also: string
  note: string | null
  verified: number
}

export interface QueryColumns extends Omit<QueryRow, 'columns' | 'rows'> {
  columns: string
  rows: string
}

/** The tables of the data room. */
export interface DataTables {
  data_sources: SourceColumns
  data_definitions: DefinitionColumns
  data_questions: QuestionColumns
  data_queries: QueryColumns
  /** The number that was given last in each scope. */
  data_scopes: Pick<QueryRow, 'tenant_id' | 'scope_id'> & { last_number: number }
  /** Whose kept rows may be there still. */
  data_deleted_queries: QueryKey
}
