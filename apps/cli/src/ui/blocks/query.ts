import type { DataColumn, DataValue, QueryResult } from '@dataagent/schema'
import { dotOf, type Look, say } from '../look.ts'
import { toPlainLine } from '../sanitize.ts'
import { renderTable } from '../table/render-table.ts'
import type { TableSource } from '../table/table-layout.ts'
import { cut, wrap } from '../width.ts'
import { words } from '../words.ts'
import { toDuration } from './duration.ts'
import { type Extent, type Rendered, wholeMax } from './rendered.ts'

const rowsShown = 8

interface QueryOptions {
  extent: Extent
  /** What gives the rows that are not shown. Default `/sql` with its number. */
  how?: string
}

/** A query: what it is, its first rows, and how many more there are. */
export function renderQuery(
  query: QueryResult,
  { extent, how = `/sql ${query.ref}` }: QueryOptions,
  look: Look,
  width: number,
): Rendered {
  const { rows, row_count, kept_rows } = query
  const keep = extent === 'whole' || rows.length <= rowsShown + 1 ? wholeMax : rowsShown
  const shown = rows.slice(0, keep)
  const left = (row_count ?? kept_rows) - shown.length
  const lines = [
    ...wrap(look.theme.dim(toFacts(query, look)), width),
    ...(shown.length === 0 ? [] : renderTable(toTable({ ...query, rows: shown }), look, width)),
  ]
  const isFolded = extent === 'short' && shown.length < rows.length
  if (left <= 0 && row_count !== null) return { lines, isFolded }
  const { dim, glyphs } = look.theme
  const more = say(look, words.moreRows(Math.max(0, left), how, row_count === null))
  return { lines: [...lines, dim(cut(`${glyphs.ellipsis} ${more}`, width))], isFolded }
}

/** `q1 · 4 rows · 38 ms · retail` */
function toFacts(query: QueryResult, look: Look): string {
  const { ref, row_count, kept_rows, elapsed_ms, source_name, verified_question_id } = query
  const count = row_count === null ? words.moreThan(kept_rows) : words.rows(row_count)
  return [
    ...[ref, say(look, count), toDuration(elapsed_ms), toPlainLine(source_name, 40)],
    ...(verified_question_id === undefined ? [] : [say(look, words.verified)]),
  ].join(dotOf(look.theme))
}

const numbers: ReadonlySet<DataColumn['kind']> = new Set(['integer', 'decimal', 'float'])

/** Rows of a result as a table. Digits stand as the source gave them. */
export function toTable({ columns, rows }: Pick<QueryResult, 'columns' | 'rows'>): TableSource {
  return {
    columns: columns.map(({ name, kind }) => ({
      ...{ title: toPlainLine(name, 60), isNumber: numbers.has(kind) },
    })),
    rows: rows.map((row) => row.map(toCell)),
  }
}

function toCell(value: DataValue): string {
  return value === null ? 'NULL' : toPlainLine(String(value), 200)
}
