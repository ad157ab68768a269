import type { ClientRow, GrantRow, GroupRow } from '@dataagent/gateway'
import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import type { Database } from '../tables.ts'

export interface GatewayRowsOptions {
  db: Kysely<Database>
  engine: Engine
}

/** The tables of the gateway. */
export interface GatewayTables {
  mcp_tool_groups: GroupRow
  mcp_oauth_clients: ClientRow
  mcp_grants: GrantRow
}
