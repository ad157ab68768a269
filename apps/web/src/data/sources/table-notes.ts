import type { DataSourceNotes, DataTable } from '@dataagent/schema'

export interface Said {
  description: string
  hidden: boolean
}

/** What is said of a table, as its form holds it. */
export interface TableSaid extends Said {
  columns: Readonly<Record<string, Said>>
}

/** What is noted, and besides it what the source says of itself. */
export function toSaid({ name, columns }: DataTable, { tables }: DataSourceNotes): TableSaid {
  const noted = tables[name]
  return {
    ...toOne(noted),
    columns: Object.fromEntries(
      columns.map((column) => [column.name, toOne(noted?.columns?.[column.name])]),
    ),
  }
}

/** The notes of the source with those of one table in the place of what was noted of it. */
export function withTable(notes: DataSourceNotes, table: string, said: TableSaid): DataSourceNotes {
  const columns = Object.entries(said.columns).flatMap(([name, each]) => {
    const note = toNote(each)
    return note ? [[name, note] as const] : []
  })
  const own = toNote(said) ?? {}
  const { [table]: _, ...others } = notes.tables
  if (columns.length === 0 && Object.keys(own).length === 0) return { tables: others }
  const whole = columns.length === 0 ? own : { ...own, columns: Object.fromEntries(columns) }
  return { tables: { ...others, [table]: whole } }
}

function toOne(note: { description?: string; hidden?: boolean } | undefined): Said {
  return { description: note?.description ?? '', hidden: note?.hidden ?? false }
}

function toNote({ description, hidden }: Said) {
  const text = description.trim()
  if (text === '' && !hidden) return undefined
  return { ...(text !== '' && { description: text }), ...(hidden && { hidden }) }
}
