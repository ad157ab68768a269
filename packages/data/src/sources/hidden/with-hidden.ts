import type { DataTable } from '@dataagent/schema'
import { type Engine, fold, type Hidden, toHidden } from '../../engines/index.ts'
import type { SourceNotes } from '../../ports.ts'
import { refuseCatalogue } from './refuse-catalogue.ts'
import { type AskOptions, findRelations, type Relation } from './relations.ts'
import { type Seen, type Shadowed, shadowHidden } from './shadow.ts'
import { namesIn, readStatement } from './statement.ts'

const describeMs = 60_000

/**
 * The engine without what the notes hide: such tables and columns are neither described nor given.
 * It closes the engine that it is made of. Where a role may read them, this is no wall against
 * every statement of a server's dialect: grants are.
 */
export function withHidden(engine: Engine, notes: SourceNotes): Engine {
  const hidden = toHidden(notes)
  if (hidden === undefined) return engine

  async function rewrite(sql: string, options: AskOptions): Promise<Shadowed> {
    const statement = readStatement(sql, engine.kind)
    if (statement === undefined) return { sql, names: [] }
    refuseCatalogue(statement)
    const relations = await findRelations(engine, namesIn(statement), options)
    return shadowHidden(
      statement,
      relations.map((relation) => toSeen(relation, hidden!)),
    )
  }

  return {
    kind: engine.kind,
    async query(asked, options) {
      const { sql, names } = await rewrite(asked, options)
      return engine.query(sql, { ...options, hidden: notes, shadows: names })
    },
    async describe(options) {
      const tables = await engine.describe(options)
      const { signal } = options
      const isView = await findViews(tables, { timeoutMs: describeMs, ...(signal && { signal }) })
      return toShownTables(tables, hidden, isView)
    },
    check: (options) => engine.check(options),
    [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
  }

  /** Asked of those alone for which it matters. */
  async function findViews(tables: readonly DataTable[], options: AskOptions) {
    const doubtful = tables.filter(({ name, columns }) =>
      columns.some((column) => hidden!.hidesColumn({ names: [name], isView: true }, column.name)),
    )
    const names = doubtful.map(({ name }) => name.slice(name.lastIndexOf('.') + 1))
    const found = await findRelations(
      engine,
      [...names, ...doubtful.map(({ name }) => name)],
      options,
    )
    const views = new Set(found.filter((one) => one.isView).flatMap((one) => one.names.map(fold)))
    return (name: string) => views.has(fold(name))
  }
}

function toSeen(relation: Relation, hidden: Hidden): Seen {
  if (hidden.hidesTable(relation)) return { relation, shown: [], isWhole: false }
  const shown = relation.columns.filter((column) => !hidden.hidesColumn(relation, column))
  return { relation, shown, isWhole: shown.length === relation.columns.length }
}

function toShownTables(
  tables: readonly DataTable[],
  hidden: Hidden,
  isView: (name: string) => boolean,
): DataTable[] {
  return tables.flatMap((table) => {
    const named = { names: [table.name], isView: isView(table.name) }
    if (hidden.hidesTable(named)) return []
    const columns = table.columns.filter(({ name }) => !hidden.hidesColumn(named, name))
    return columns.length === 0 && table.columns.length > 0 ? [] : [{ ...table, columns }]
  })
}
