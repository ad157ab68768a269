import { constants, type DatabaseSync } from 'node:sqlite'
import { fold, type Hidden } from '../../hidden.ts'
import { WorkError } from '../work-error.ts'

/** Pragmas that only tell, as functions: `pragma_table_info('t')`. */
const telling = new Set([
  ...['table_info', 'table_xinfo', 'table_list', 'index_list', 'index_info', 'index_xinfo'],
  ...['foreign_key_list', 'function_list'],
])
const refusedFunctions = /^(?:load_extension|fts3_tokenizer|readfile|writefile|edit)$/i

export interface Wall {
  hidden: Hidden
  /** The names that the statement gives to queries within it. */
  withNames: readonly string[]
}

/** From now on statements can be prepared only where they read, and nothing that is hidden. */
export function allowReadsOnly(database: DatabaseSync, wall: Wall | undefined): void {
  const hides = wall && createHides(wall, listViews(database))
  database.setAuthorizer((action, ...[first, second, , within]) => {
    if (!isReading(action, first, second)) return constants.SQLITE_DENY
    if (hides === undefined) return constants.SQLITE_OK
    if (action === constants.SQLITE_PRAGMA) return constants.SQLITE_DENY
    const isHidden = action === constants.SQLITE_READ && hides(first ?? '', second ?? '', within)
    return isHidden ? constants.SQLITE_DENY : constants.SQLITE_OK
  })
}

/** What stands in a view is for whoever made the view to say. */
function createHides({ hidden, withNames }: Wall, views: ReadonlySet<string>) {
  // SQLite names what stands in a WITH as it does what stands in a view.
  const taken = withNames.find((name) => views.has(fold(name)))
  if (taken !== undefined) {
    const told = `The WITH ${taken} has the name of a view. Give it another.`
    throw new WorkError('forbidden', told)
  }
  return (table: string, column: string, within: string | null): boolean => {
    if (within !== null && views.has(fold(within))) return false
    const named = { names: [table], isView: views.has(fold(table)) }
    return catalogue.test(table) || hidden.hidesTable(named) || hidden.hidesColumn(named, column)
  }
}

const catalogue = /^(?:sqlite_|pragma_|dbstat$)/i

function listViews(database: DatabaseSync): ReadonlySet<string> {
  const rows = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'view'").all()
  return new Set(rows.map(({ name }) => fold(String(name))))
}

function isReading(action: number, first: string | null, second: string | null): boolean {
  if (action === constants.SQLITE_SELECT || action === constants.SQLITE_READ) return true
  if (action === constants.SQLITE_RECURSIVE) return true
  if (action === constants.SQLITE_FUNCTION) return !refusedFunctions.test(second ?? '')
  return action === constants.SQLITE_PRAGMA && telling.has(first ?? '')
}
