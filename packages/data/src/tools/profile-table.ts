import { defineTool, type OwnTool } from '@dataagent/hub'
import {
  AppError,
  type ColumnKind,
  type DataColumn,
  type DataRow,
  type DataTable,
  type SourceKind,
} from '@dataagent/schema'
import { z } from 'zod'
import { sqlMax } from '../queries/index.ts'
import { quotePath } from '../sources/index.ts'
import type { DataToolMeans } from './contract.ts'
import { readsRows, sourceField, toToolMs } from './reads.ts'
import { toTable } from './words.ts'

const columnsMax = 40
const measuresOfColumn = 4

export function createProfileTable({ queries, sources }: DataToolMeans): OwnTool {
  return defineTool({
    name: 'profile_table',
    title: 'Profile',
    description:
      'Tells of each column of a table how many values it has, how many differ, the least and the ' +
      'greatest: to see what is in it before asking.',
    ...readsRows,
    input: z.object({
      source: z.string().min(1).max(200).describe(sourceField),
      table: z.string().min(1).max(200),
    }),
    timeoutMs: toToolMs(queries.timeoutMs),
    async run({ source, table }, { principal, session_id, signal }) {
      const { source: found } = await sources.open(principal, source)
      const [seen] = await sources.describe(principal, source, { tables: [table], signal })
      if (seen === undefined) throw unknownTable(table, found.name)
      const { sql, columns } = toProfileSql(found.kind, seen)
      const { rows } = await queries.run(
        { principal, session_id, signal },
        { source: found.source_id, sql, purpose: `Profile of ${seen.name}`.slice(0, 300) },
      )
      const [row = []] = rows
      const rest = seen.columns.length - columns.length
      const cut = rest > 0 ? `\n${rest} more columns are not shown.` : ''
      return `${seen.name}: ${row[0] ?? 0} rows\n${toTable(heads, toProfiles(columns, row))}${cut}`
    },
  })
}

const heads = ['column', 'type', 'values', 'distinct', 'least', 'greatest'].map((name) => ({
  ...{ name, type: 'text', kind: 'text' as const },
}))

function toProfiles(columns: readonly DataColumn[], row: DataRow): DataRow[] {
  return columns.map(({ name, type }, i) => {
    const from = 1 + i * measuresOfColumn
    const measures = row.slice(from, from + measuresOfColumn)
    return [name, type, ...measures]
  })
}

/** What cannot be compared, or says nothing when it is. */
const unordered: ReadonlySet<ColumnKind> = new Set(['json', 'bytes', 'boolean', 'other'])
const unequal: ReadonlySet<ColumnKind> = new Set(['json', 'other'])

interface Profile {
  sql: string
  columns: readonly DataColumn[]
}

/** Of as many columns as one statement may name. */
function toProfileSql(kind: SourceKind, table: DataTable, most = columnsMax): Profile {
  const { name, columns } = table
  const profiled = columns.slice(0, most)
  const measures = profiled.flatMap((column) => toMeasures(kind, column))
  // Only these tell the tables of other schemas by two names.
  const names = kind === 'postgres' || kind === 'duckdb' ? name.split('.') : [name]
  const list = ['count(*)', ...measures].map((one, i) => `${one} AS m${i}`).join(', ')
  const sql = `SELECT ${list} FROM ${quotePath(names, kind)}`
  if (sql.length <= sqlMax || most === 0) return { sql, columns: profiled }
  return toProfileSql(kind, table, most - 1)
}

function toMeasures(kind: SourceKind, column: DataColumn): string[] {
  const name = quotePath([column.name], kind)
  // Of PostgreSQL's types without an order or equality many are told as text.
  const value = kind === 'postgres' && column.kind === 'text' ? `${name}::text` : name
  return [
    ...[`count(${name})`, unequal.has(column.kind) ? 'NULL' : `count(DISTINCT ${value})`],
    ...(unordered.has(column.kind) ? ['NULL', 'NULL'] : [`min(${value})`, `max(${value})`]),
  ]
}

function unknownTable(table: string, source: string): AppError {
  return new AppError(
    'not_found',
    `There is no table ${table} in ${source}. See describe_source for those that there are.`,
  )
}
