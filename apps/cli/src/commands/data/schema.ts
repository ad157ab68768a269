import type { DataSource, DataTable } from '@dataagent/schema'
import type { App } from '../../app/index.ts'
import { toPlainLine } from '../../ui/index.ts'
import { formatCount } from '../view/format.ts'
import { toRows } from '../view/rows.ts'
import { findSource, listSources } from './sources.ts'
import { columnCount, moreTables, noSource, noTables, rowCount, unknownTable } from './words.ts'

const tablesShown = 200

/** The sources; the tables of one; the columns of one table. */
export async function runSchema(args: string, app: App): Promise<void> {
  const sources = await listSources(app)
  if (args === '') return showSources(sources, app)
  const { name, table } = split(args, sources)
  const source = await findSource(name, app)
  if (source === undefined) return
  const { client } = await app.link()
  const names = table === undefined ? {} : { names: table }
  const { tables } = await client.data.tables(source.source_id, names, { signal: app.signal })
  if (table === undefined) return showTables(source, tables, app)
  const found = tables.find((one) => one.name.toLowerCase() === table.toLowerCase())
  if (found) return showTable(found, app)
  app.tell('warn', unknownTable(toPlainLine(table, 60), toPlainLine(source.name, 40))[app.lang])
}

/** A name may have blanks: the longest that it begins with. */
function split(args: string, sources: readonly DataSource[]): { name: string; table?: string } {
  const typed = args.toLowerCase()
  const [longest] = sources
    .map(({ name }) => name)
    .filter((name) => `${typed} `.startsWith(`${name.toLowerCase()} `))
    .sort((a, b) => b.length - a.length)
  const name = longest ?? args.split(/\s+/)[0] ?? ''
  const table = args.slice(name.length).trim()
  return table === '' ? { name } : { name, table }
}

function showSources(sources: readonly DataSource[], app: App): void {
  const { theme, lang } = app
  if (sources.length === 0) {
    app.tell('info', noSource[lang])
    return
  }
  const rows = sources.map(({ name, kind, status, status_text, description }) => [
    status === 'failing' ? theme.bad(theme.glyphs.failed) : theme.good(theme.glyphs.done),
    ...[theme.accent(toPlainLine(name, 30)), theme.dim(kind)],
    status === 'failing' ? (status_text ?? description) : description,
  ])
  app.say(toRows(rows, { width: app.screen.columns }).join('\n'))
}

function showTables({ name }: DataSource, tables: readonly DataTable[], app: App): void {
  const { theme, lang } = app
  if (tables.length === 0) {
    app.tell('info', noTables(toPlainLine(name, 40))[lang])
    return
  }
  const rows = tables
    .slice(0, tablesShown)
    .map((table) => [
      theme.accent(toPlainLine(table.name, 40)),
      table.row_count === null ? '' : rowCount(formatCount(table.row_count))[lang],
      theme.dim(columnCount(table.columns.length)[lang]),
      table.description ?? table.columns.map((column) => column.name).join(', '),
    ])
  app.say(toRows(rows, { width: app.screen.columns, right: [1, 2] }).join('\n'))
  const left = tables.length - tablesShown
  if (left > 0) app.tell('info', moreTables(left)[lang])
}

function showTable({ name, description, row_count, columns }: DataTable, app: App): void {
  const { theme, lang } = app
  const count = row_count === null ? '' : `  ${rowCount(formatCount(row_count))[lang]}`
  const rows = columns.map((column) => [
    ...[theme.accent(toPlainLine(column.name, 40)), theme.dim(toPlainLine(column.type, 24))],
    column.description ?? '',
  ])
  app.say(
    [
      `${theme.heading(toPlainLine(name))}${theme.dim(count)}`,
      ...(description === undefined ? [] : [toPlainLine(description)]),
      ...toRows(rows, { width: app.screen.columns }),
    ].join('\n'),
  )
}
