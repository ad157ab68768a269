import type { ApprovalRow, ApprovalRows } from './contract.ts'

export interface BatchReaderOptions {
  rows: Pick<ApprovalRows, 'getMany'>
  onRow(row: ApprovalRow): void
  onMissing(approval_id: string): void
}

/** Reads approvals, all that are wanted at once together, one query at a time. */
export interface BatchReader {
  /** What cannot be read because the database is away is forgotten: whoever needs it asks again. */
  read(approval_ids: Iterable<string>): void
  /** Resolves when nothing is being read. */
  idle(): Promise<void>
}

export function createBatchReader({ rows, onRow, onMissing }: BatchReaderOptions): BatchReader {
  const wanted = new Set<string>()
  let underWay: Promise<void> | undefined

  async function drain(): Promise<void> {
    // Later in the same tick more may be wanted.
    await undefined
    while (wanted.size > 0) {
      const ids = [...wanted]
      wanted.clear()
      await readBatch(ids).catch(ignore)
    }
    underWay = undefined
  }

  async function readBatch(ids: readonly string[]): Promise<void> {
    const missing = new Set(ids)
    for (const row of await rows.getMany(ids)) {
      missing.delete(row.approval_id)
      onRow(row)
    }
    for (const id of missing) onMissing(id)
  }

  return {
    read(approval_ids) {
      for (const id of approval_ids) wanted.add(id)
      if (wanted.size > 0) underWay ??= drain()
    },
    async idle() {
      await underWay
    },
  }
}

function ignore(): void {}
