import type { Message, Session } from '@dataagent/schema'
import type { CheckpointTables } from './checkpoints/tables.ts'
import type { DataTables } from './data/tables.ts'
import type { GatewayTables } from './gateway/tables.ts'
import type { HubTables } from './hub/tables.ts'
import type { PlatformTables } from './platform/tables.ts'

/** Columns as they are spelled in the database. JSON is text, times are milliseconds since 1970. */
export interface Database
  extends HubTables,
    PlatformTables,
    GatewayTables,
    CheckpointTables,
    DataTables {
  schema_migrations: { name: string; applied_at: number }
  settings: { name: string; value: string }
  sessions: SessionRow
  messages: MessageRow
  events: EventRow
}

export interface SessionRow extends Omit<Session, 'state' | 'metadata'> {
  state: string
  metadata: string
  /** `metadata.title`, to be searched. */
  title: string | null
}

export interface MessageRow extends Message {
  seq: number
}

export interface EventRow {
  session_id: string
  seq: number
  kind: string
  json: string
}
