import type { DataTable } from '@dataagent/schema'
import type { SourceNotes } from '../ports.ts'

/** Tables with what was said of them and of their columns. */
export function withNotes(tables: readonly DataTable[], notes: SourceNotes): DataTable[] {
  const tableNotes = byName(notes.tables)
  return tables.map((table) => {
    const said = tableNotes(table.name)
    const columnNotes = byName(said?.columns ?? {})
    const columns = table.columns.map((column) => described(column, columnNotes(column.name)))
    return { ...described(table, said), columns }
  })
}

function described<T extends { description?: string }>(
  one: T,
  said: { description?: string | undefined } | undefined,
): T {
  return said?.description ? { ...one, description: said.description } : one
}

/** As it is written, or else in any case. */
function byName<T>(notes: Readonly<Record<string, T>>): (name: string) => T | undefined {
  const folded = new Map(Object.entries(notes).map(([name, said]) => [name.toLowerCase(), said]))
  const exact = new Map(Object.entries(notes))
  return (name) => exact.get(name) ?? folded.get(name.toLowerCase())
}
