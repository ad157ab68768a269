import type { DataColumn, DataRow, DataTable } from '@dataagent/schema'
import type { AskedQuery } from '../runner/messages.ts'

/** A source opened in a runner. It does one thing at a time. */
export interface Session {
  readonly version: string
  describe(options: { tables: readonly string[] | undefined }): Promise<DataTable[]>
  query(asked: AskedQuery): Promise<SessionQuery>
  /** Ends what is under way, as soon as the engine can; the work then fails. */
  interrupt(): void
}

export interface SessionQuery {
  readonly columns: DataColumn[]
  /** Pieces of any size. Leaving the loop ends the query. */
  readonly rows: AsyncIterable<DataRow[]>
}
