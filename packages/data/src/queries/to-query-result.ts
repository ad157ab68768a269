import type { QueryResult } from '@dataagent/schema'
import type { QueryRow } from '../ports.ts'

/** A stored query as people and models see it. */
export function toQueryResult(row: QueryRow): QueryResult {
  const { query_id, source_id, source_name, sql, row_count, kept_rows, elapsed_ms, as_of } = row
  return {
    ...{ query_id, ref: `q${row.number}`, source_id, source_name, sql },
    ...(row.purpose !== null && { purpose: row.purpose }),
    ...{ columns: [...row.columns], rows: row.rows.map((each) => [...each]) },
    ...{ row_count, kept_rows, elapsed_ms, as_of },
    ...(row.verified_question_id !== null && { verified_question_id: row.verified_question_id }),
  }
}
