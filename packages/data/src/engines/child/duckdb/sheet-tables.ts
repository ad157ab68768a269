import type { DuckDBConnection } from '@duckdb/node-api'
import { DuckDBDateValue, DuckDBTimestampValue } from '@duckdb/node-api'
import { type Cell, readSheet } from '../xlsx/workbook.ts'
import { quoteName } from './quote.ts'

type ColumnType = 'BIGINT' | 'DOUBLE' | 'BOOLEAN' | 'DATE' | 'TIMESTAMP' | 'VARCHAR'

const dayMs = 86_400_000

/** Makes the table `name` of a sheet: its first row with anything in it names the columns. */
export async function makeSheetTable(
  connection: DuckDBConnection,
  needs: { name: string; path: string; sheet: string },
): Promise<void> {
  const rows = await readSheet(needs.path, needs.sheet)
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0)
  const isHeaded = (rows[0] ?? []).some((cell) => cell?.kind === 'text')
  const names = toColumnNames(isHeaded ? rows[0]! : [], width)
  const body = isHeaded ? rows.slice(1) : rows
  const types = names.map((_, at) => toColumnType(body, at))
  const columns = names.map((column, at) => `${quoteName(column)} ${types[at]}`)
  const list = columns.join(', ') || 'empty VARCHAR'
  await connection.run(`CREATE OR REPLACE TABLE ${quoteName(needs.name)} (${list})`)
  if (columns.length === 0) return
  const appender = await connection.createAppender(needs.name)
  for (const row of body) {
    for (const [at, type] of types.entries()) appendCell(appender, type, row[at] ?? undefined)
    appender.endRow()
  }
  appender.closeSync()
}

type Appender = Awaited<ReturnType<DuckDBConnection['createAppender']>>

function appendCell(appender: Appender, type: ColumnType, cell: Cell | undefined) {
  if (cell === undefined) return appender.appendNull()
  if (type === 'VARCHAR') return appender.appendVarchar(cell.text)
  if (cell.kind === 'boolean') return appender.appendBoolean(cell.value)
  if (cell.kind === 'date' && type === 'DATE') {
    return appender.appendDate(new DuckDBDateValue(Math.round(cell.value / dayMs)))
  }
  if (cell.kind === 'date') {
    return appender.appendTimestamp(new DuckDBTimestampValue(BigInt(cell.value) * 1000n))
  }
  if (cell.kind === 'text') return appender.appendNull()
  if (type === 'BIGINT') return appender.appendBigInt(BigInt(cell.value))
  return appender.appendDouble(cell.value)
}

/** What all its cells are; text where they differ. */
function toColumnType(rows: readonly (Cell | undefined)[][], at: number): ColumnType {
  let found: ColumnType | undefined
  for (const row of rows) {
    const cell = row[at]
    if (cell === undefined) continue
    const type = toCellType(cell)
    if (found === undefined) found = type
    else if (found !== type) {
      const wider = [found, type].toSorted().join()
      if (wider === 'BIGINT,DOUBLE') found = 'DOUBLE'
      else if (wider === 'DATE,TIMESTAMP') found = 'TIMESTAMP'
      else return 'VARCHAR'
    }
  }
  return found ?? 'VARCHAR'
}

function toCellType(cell: Cell): ColumnType {
  if (cell.kind === 'text') return 'VARCHAR'
  if (cell.kind === 'boolean') return 'BOOLEAN'
  if (cell.kind === 'date') return cell.value % dayMs === 0 ? 'DATE' : 'TIMESTAMP'
  return Number.isSafeInteger(cell.value) ? 'BIGINT' : 'DOUBLE'
}

function toColumnNames(header: readonly (Cell | undefined)[], width: number): string[] {
  const taken = new Set<string>()
  return Array.from({ length: width }, (_, at) => {
    const wanted = header[at]?.text.trim() || `column${at + 1}`
    let name = wanted
    for (let count = 2; taken.has(name.toLowerCase()); count += 1) name = `${wanted}_${count}`
    taken.add(name.toLowerCase())
    return name
  })
}
