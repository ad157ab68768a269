import type { SourceKind } from '@dataagent/schema'
import { cutSql } from '../sql-gate/index.ts'

/** Whether two statements differ in blanks, comments and the case of words alone. */
export function createSameSql(kind: SourceKind, sql: string): (other: string) => boolean {
  const wanted = toShape(kind, sql)
  return (other) => toShape(kind, other) === wanted
}

function toShape(kind: SourceKind, sql: string): string {
  const cut = cutSql(sql, kind === 'files' ? 'duckdb' : kind)
  if (cut.status === 'refused') return sql
  // A text as it is written: the same within E'…' and '…' is not the same text.
  const tokens = cut.tokens.map(({ kind: of, text, from, to }) =>
    of === 'word' ? text.toLowerCase() : sql.slice(from, to),
  )
  while (tokens.at(-1) === ';') tokens.pop()
  return JSON.stringify(tokens)
}
