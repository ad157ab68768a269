import type { CallToolResult } from '@dataagent/mcp'
import type { ToolResult } from '../outcome.ts'
import type { Principal } from '../principal.ts'

/** One page of a result that is kept aside. */
export interface ResultRow {
  /** Ends with the number of pages. */
  result_id: string
  /** From 1. */
  page: number
  tenant_id: string
  /** `toCallerKey` of whom it is for. */
  caller: string
  /** Well-formed text without NUL, which not every database takes. */
  content: string
  expires_at: number
}

export interface ResultRows {
  insert(rows: readonly ResultRow[]): Promise<void>
  page(result_id: string, page: number): Promise<ResultRow | undefined>
  /** Deletes the pages of at most `limit` results; gives the number of pages. */
  deleteExpired(now: number, limit: number): Promise<number>
}

export interface Results {
  /**
   * The result to hand over: as it is while it fits, else its beginning, with the rest kept aside
   * for this caller alone. Does not throw: where the rest cannot be kept, the beginning says so. At
   * once where it is small.
   */
  fit(principal: Principal, raw: CallToolResult): ToolResult | Promise<ToolResult>
  /** Throws `not_found` for another's, an expired or an unknown one, and for a page it has not. */
  read(principal: Principal, result_id: string, page: number): Promise<ResultPage>
  /** Deletes what has expired. */
  sweep(): Promise<void>
}

export interface ResultPage {
  result_id: string
  page: number
  pages: number
  text: string
}
