import type { HubStore } from '@dataagent/hub'
import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import type { Database } from '../tables.ts'
import { createApprovalRows } from './approval-rows.ts'
import { createCallLogRows } from './call-log-rows.ts'
import { createChangeRows } from './change-rows.ts'
import { createPolicyRows } from './policy-rows.ts'
import { createResultRows } from './result-rows.ts'
import { createRetentionRows } from './retention-rows.ts'
import { createRevisionRows } from './revision-rows.ts'
import { createServerRows } from './server-rows.ts'
import { createSessionRows } from './session-rows.ts'
import { createSignInRows } from './sign-in-rows.ts'
import { createToolRows } from './tool-rows.ts'

export interface HubRowsOptions {
  db: Kysely<Database>
  engine: Engine
}

/** The tables of the governed tool layer, as the hub's ports want them. */
export function createHubStore(options: HubRowsOptions): HubStore {
  return {
    servers: createServerRows(options),
    sessions: createSessionRows(options),
    tools: createToolRows(options),
    policy: createPolicyRows(options),
    revisions: createRevisionRows(options),
    approvals: createApprovalRows(options),
    calls: createCallLogRows(options),
    results: createResultRows(options),
    changes: createChangeRows(options),
    retention: createRetentionRows(options),
    signIns: createSignInRows(options),
  }
}
