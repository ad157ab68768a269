import type { TrimRows } from '../audit/index.ts'

/** What is deleted for its age. Each call deletes a bounded part, in a transaction of its own. */
export interface RetentionRows extends TrimRows {
  /** Those of whom calls were recorded. */
  auditedTenants(): Promise<string[]>
  /**
   * Tools that their server has not offered since `before`, with their versions, under the next
   * revision of the topic `tools` of each tenant. Gives how many; fewer than `limit` is all.
   */
  deleteGoneTools(before: number, limit: number): Promise<number>
  /** Versions of tools of servers that were removed before then; the names of `limit` tools. */
  deleteOrphanVersions(before: number, limit: number): Promise<number>
  /** Approvals that were decided, or lapsed, and ran out before then; those that wait stay. */
  deleteApprovals(before: number, limit: number): Promise<number>
}

/** Deletes what is too old. */
export interface Retention {
  /** Deletes now; does nothing where another process does. Rejects where the store is away. */
  sweep(): Promise<void>
  start(): void
  close(): Promise<void>
}
