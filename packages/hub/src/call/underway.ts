import type { CallRecord } from '../audit/index.ts'
import type { CallContext } from '../call-context.ts'
import type { CatalogueEntry } from '../catalogue/index.ts'
import type { RefusedStatus, ToolFault, ToolResult } from '../outcome.ts'
import type { Verdict } from '../policy/index.ts'
import type { Span } from '../tracing/index.ts'
import type { ToolCall } from './contract.ts'

/** One call on its way through the steps. `record` is filled in as they go. */
export interface Underway {
  context: CallContext
  call: ToolCall
  args: Record<string, unknown>
  record: CallRecord
  span: Span
  /** The monotonic time of its begin. */
  begun: number
}

/** One whose tool is known and allowed. */
export interface Admitted extends Underway {
  entry: CatalogueEntry
  verdict: Exclude<Verdict, { status: 'deny' }>
  /** The setting that approved it in a person's place. */
  approved_by?: string
  /** Who approved it with other arguments than it was asked for with. */
  edited_by?: string
}

/** How a call ends, wherever that is decided. */
export type Ending =
  | { status: 'ok'; result: ToolResult }
  | { status: 'failed'; error: ToolFault; result?: ToolResult }
  | { status: RefusedStatus; error: ToolFault }
