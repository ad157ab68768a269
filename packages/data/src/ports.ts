import type { DataSourceNotes } from '@dataagent/schema'

export type { DataStore, QueryRow, SourceRow } from '@dataagent/schema'

/** What administrators say of a source's tables and columns: `SourceRow.notes`, as JSON. */
export type SourceNotes = DataSourceNotes
export type TableNotes = SourceNotes['tables'][string]
