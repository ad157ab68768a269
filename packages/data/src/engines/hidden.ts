import type { SourceNotes, TableNotes } from '../ports.ts'

/** A table or view as far as notes may speak of it. */
export interface Named {
  /** Its own names, and those of the tables that it is a part of. */
  names: readonly string[]
  isView: boolean
}

/** What of a source is neither told nor given. Names are the same whatever their case. */
export interface Hidden {
  hidesTable(table: Named): boolean
  /** Whether the notes hide it, or a column of it. */
  hidesSomeOf(table: Named): boolean
  /**
   * A column of a view is hidden where one of its name is in any table, unless the notes say
   * otherwise of the view: a view that nobody thought of shows nothing.
   */
  hidesColumn(table: Named, column: string): boolean
}

export function fold(name: string): string {
  return name.toLowerCase()
}

/** Undefined where nothing is hidden. */
export function toHidden(notes: SourceNotes): Hidden | undefined {
  const tables = new Map(Object.entries(notes.tables).map(([name, said]) => [fold(name), said]))
  const columns = new Map([...tables].map(([name, said]) => [name, hiddenColumns(said)]))
  const anywhere = new Set(
    [...columns.values()].flatMap((said) => [...said].flatMap(([name, is]) => (is ? name : []))),
  )
  const hidesSome = [...tables.values()].some(({ hidden }) => hidden) || anywhere.size > 0
  if (!hidesSome) return undefined
  return {
    hidesTable: ({ names }) => names.some((name) => tables.get(fold(name))?.hidden === true),
    hidesSomeOf: ({ names }) =>
      names.some((name) => {
        const said = columns.get(fold(name))?.values() ?? []
        return tables.get(fold(name))?.hidden === true || [...said].includes(true)
      }),
    hidesColumn({ names, isView }, column) {
      const said = names.map((name) => columns.get(fold(name))?.get(fold(column)))
      if (said.includes(true)) return true
      return isView && !said.includes(false) && anywhere.has(fold(column))
    },
  }
}

function hiddenColumns({ columns = {} }: TableNotes): Map<string, boolean> {
  const said = Object.entries(columns).flatMap(([name, { hidden }]) =>
    hidden === undefined ? [] : [[fold(name), hidden] as const],
  )
  return new Map(said)
}
