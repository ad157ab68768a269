import type { DataColumn, DataRow, DataTable, SourceKind } from '@dataagent/schema'
import type { SourceNotes } from '../ports.ts'

/** A source that can be asked, and only asked. */
export interface Engine extends AsyncDisposable {
  readonly kind: SourceKind
  /**
   * Tables and views with their columns; `row_count` where it costs nothing. `tables`: only those.
   * Of a folder with very many files the columns of some are left out; ask for those by name.
   */
  describe(options: { signal?: AbortSignal; tables?: readonly string[] }): Promise<DataTable[]>
  /**
   * Runs one statement that reads. Anything else is `invalid_request` or `forbidden`, in words that
   * a model can act on; `timeout` where it takes longer, from here to the end of its rows.
   */
  query(sql: string, options: QueryOptions): Promise<RunningQuery>
  /** Whether the role cannot write at all; null where that could not be told. */
  check(options: { signal?: AbortSignal }): Promise<EngineCheck>
}

export interface QueryOptions {
  signal?: AbortSignal
  timeoutMs: number
  /**
   * What these notes hide is `forbidden`, as the engine itself reads the statement: DuckDB and
   * SQLite can tell. A second wall, for a statement that was made free of it.
   */
  hidden?: SourceNotes
  /** Names of tables and views that a WITH of ours has taken to make the statement free of it. */
  shadows?: readonly string[]
}

export interface EngineCheck {
  read_only: boolean | null
  version: string
}

/** Its rows are read once. Leaving the loop ends the query at once. */
export interface RunningQuery {
  readonly columns: readonly DataColumn[]
  /** At most about 2,000 rows or 1 MiB at a time, fetched as they are asked for. */
  readonly batches: AsyncIterable<readonly DataRow[]>
}
