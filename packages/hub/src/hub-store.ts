import type { ApprovalRows } from './approvals/index.ts'
import type { CallLogRows } from './audit/index.ts'
import type { ToolRows } from './catalogue/index.ts'
import type { ChangeRows } from './changes/index.ts'
import type { PolicyRows } from './policy/index.ts'
import type { ResultRows } from './results/index.ts'
import type { RetentionRows } from './retention/index.ts'
import type { RevisionRows } from './revisions/index.ts'
import type { ServerRows } from './servers/index.ts'
import type { SessionRows } from './sessions/index.ts'
import type { SignInRows } from './sign-ins/index.ts'

/**
 * What the hub needs of a database. Every method may reject with `store_unavailable`,
 * `storage_full` or `internal` beside its own errors.
 */
export interface HubStore {
  servers: ServerRows
  sessions: SessionRows
  tools: ToolRows
  policy: PolicyRows
  revisions: RevisionRows
  approvals: ApprovalRows
  calls: CallLogRows
  results: ResultRows
  changes: ChangeRows
  retention: RetentionRows
  signIns: SignInRows
}
