import { type DataSource, workspaceSourceId } from '@dataagent/schema'
import type { SourceRow } from '../ports.ts'

/** A source as those who may ask it see it. */
export function toSource(row: SourceRow): DataSource {
  const { source_id, name, kind, description, scope, enabled, status, read_only } = row
  return {
    ...{ source_id, name, kind, description, scope, enabled, status, read_only },
    ...(row.status_text !== null && { status_text: row.status_text }),
    ...(row.checked_at !== null && { checked_at: row.checked_at }),
  }
}

/** The files of whoever asks. */
export const workspaceSource: DataSource = {
  source_id: workspaceSourceId,
  name: 'workspace',
  kind: 'files',
  description: 'Files in your own workspace: CSV, TSV, JSON, Parquet and Excel.',
  scope: 'user',
  enabled: true,
  status: 'ok',
  read_only: true,
}
