import { join } from 'node:path'
import type { DataTable } from '@dataagent/schema'
import type { DuckDBConnection } from '@duckdb/node-api'
import type { RunnerSetUp } from '../../runner/messages.ts'
import { WorkError } from '../work-error.ts'
import { readSheetNames } from '../xlsx/workbook.ts'
import { describeCatalogue } from './catalogue.ts'
import { asksCatalogue, checkTree } from './check-tree.ts'
import type { SessionTables } from './duckdb-session.ts'
import { makeView } from './file-views.ts'
import { type FolderFile, listFolder, stampOf } from './folder-files.ts'
import { openLocked } from './open-locked.ts'
import { quoteName, quotePath } from './quote.ts'
import { makeSheetTable } from './sheet-tables.ts'
import { nameFiles, toTableName } from './table-names.ts'

/** A table that can be made: of a file, or of a sheet in one. */
interface Offer {
  /** As it is written. */
  name: string
  file: FolderFile
  sheet?: string
  /** Why it cannot be made. */
  fault?: string
}

const describeMs = 8_000

/** The data files of a folder as tables, each made when it is first asked for or has changed. */
export async function openFolderTables(
  setUp: RunnerSetUp & { folder: string },
): Promise<SessionTables> {
  const { folder } = setUp
  const database = await openLocked({ ...setUp, path: undefined })
  const reserved = await readReserved(await database.connect())
  const made = new Map<string, { stamp: string; isTable: boolean }>()
  const sheets = new Map<string, { stamp: string; names: string[]; fault?: string }>()

  /** All tables of the folder as it is now, by their names in lower case. */
  async function listOffers(): Promise<Map<string, Offer>> {
    const offers = new Map<string, Offer>()
    for (const [key, file] of nameFiles(await listFolder(folder), reserved)) {
      if (file.format !== 'xlsx') offers.set(key, { name: nameOf(file, key), file })
      else for (const offer of await sheetOffers(key, file)) offers.set(keyOf(offer), offer)
    }
    return offers
  }

  async function sheetOffers(key: string, file: FolderFile): Promise<Offer[]> {
    const stamp = await stampOf(folder, file.path)
    if (stamp === undefined) return []
    let known = sheets.get(file.path)
    if (known?.stamp !== stamp) {
      known = await readSheetNames(join(folder, file.path)).then(
        (names) => ({ stamp, names }),
        (error: Error) => ({ stamp, names: [], fault: error.message }),
      )
      sheets.set(file.path, known)
    }
    const name = nameOf(file, key)
    if (known.fault !== undefined) return [{ name, file, fault: known.fault }]
    return known.names.map((sheet) => ({
      name: `${name}__${toTableName(sheet, new Set())}`,
      ...{ file, sheet },
    }))
  }

  function nameOf(file: FolderFile, key: string): string {
    const short = toTableName(file.words.at(-1)!, reserved)
    return short.toLowerCase() === key ? short : key
  }

  async function make(connection: DuckDBConnection, offer: Offer): Promise<void> {
    const key = keyOf(offer)
    const stamp = await stampOf(folder, offer.file.path)
    if (stamp === undefined) throw new WorkError('not_found', `The file of ${key} has gone.`)
    if (made.get(key)?.stamp === stamp) return
    await drop(connection, key)
    const { name, file, sheet, fault } = offer
    if (fault !== undefined) throw new WorkError('invalid_request', fault)
    if (sheet === undefined) await makeView(connection, { ...setUp, name, file })
    else await makeSheetTable(connection, { name, path: join(folder, file.path), sheet })
    made.set(key, { stamp, isTable: sheet !== undefined })
  }

  async function drop(connection: DuckDBConnection, key: string): Promise<void> {
    const found = made.get(key)
    if (found === undefined) return
    made.delete(key)
    await connection.run(`DROP ${found.isTable ? 'TABLE' : 'VIEW'} IF EXISTS ${quoteName(key)}`)
  }

  async function makeAll(connection: DuckDBConnection, offers: Iterable<Offer>) {
    const unread = new Map<string, string>()
    const deadline = performance.now() + describeMs
    for (const offer of offers) {
      if (performance.now() > deadline) unread.set(keyOf(offer), '')
      else {
        await make(connection, offer).catch((error) =>
          unread.set(keyOf(offer), (error as Error).message.split('\n')[0]!),
        )
      }
    }
    return unread
  }

  return {
    instance: async () => database,
    async prepare(connection, tree) {
      const offers = await listOffers()
      for (const key of [...made.keys()]) if (!offers.has(key)) await drop(connection, key)
      for (const { name } of tree.tables) addPathName(offers, name)
      checkTree(tree, { tables: new Set(offers.keys()), macros: new Set() })
      if (asksCatalogue(tree)) await makeAll(connection, offers.values())
      const wanted = tree.tables.flatMap(({ name }) => offers.get(name) ?? [])
      for (const offer of wanted) await make(connection, offer)
    },
    async describe(connection, names) {
      const only = names && new Set(names.map((name) => name.toLowerCase()))
      const all = [...(await listOffers()).values()]
      const offers = all.filter((offer) => only?.has(keyOf(offer)) ?? true)
      const unread = await makeAll(connection, offers)
      const columns = new Map(
        (await describeCatalogue(connection)).map((table) => [table.name.toLowerCase(), table]),
      )
      const tables: DataTable[] = []
      for (const offer of offers) {
        const fault = unread.get(keyOf(offer))
        tables.push({
          name: offer.name,
          description: toDescription(offer, fault, folder),
          row_count: fault === undefined ? await countRows(connection, offer, folder) : null,
          columns: columns.get(keyOf(offer))?.columns ?? [],
        })
      }
      return tables
    },
  }
}

/** `FROM 'sub/orders.csv'` means the table of that file. */
function addPathName(offers: Map<string, Offer>, name: string): void {
  if (offers.has(name) || !/[./]/.test(name)) return
  const offer = offers
    .values()
    .find(({ file, sheet }) => sheet === undefined && file.path.toLowerCase() === name)
  if (offer !== undefined) offers.set(name, { ...offer, name })
}

function keyOf({ name }: { name: string }): string {
  return name.toLowerCase()
}

function toDescription(offer: Offer, fault: string | undefined, folder: string): string {
  const where = offer.sheet === undefined ? offer.file.path : `${offer.file.path}: ${offer.sheet}`
  if (fault === undefined) return where
  const why =
    fault === '' ? 'columns not read yet; describe it by name' : `cannot be read: ${fault}`
  return `${where} (${why.replaceAll(folder, '').slice(0, 300)})`
}

/** Where the file says so itself. */
async function countRows(connection: DuckDBConnection, offer: Offer, folder: string) {
  const { file, sheet, name } = offer
  if (file.format !== 'parquet' && sheet === undefined) return null
  const sql =
    sheet === undefined
      ? `SELECT sum(num_rows) FROM parquet_file_metadata(${quotePath(join(folder, file.path))})`
      : `SELECT count(*) FROM ${quoteName(name)}`
  const reader = await connection.runAndReadAll(sql)
  return Number(reader.getRowsJson()[0]?.[0] ?? 0)
}

async function readReserved(connection: DuckDBConnection): Promise<Set<string>> {
  const reader = await connection.runAndReadAll(
    "SELECT keyword_name FROM duckdb_keywords() WHERE keyword_category IN ('reserved', 'type_function')",
  )
  connection.disconnectSync()
  return new Set(reader.getRowsJson().map(([word]) => String(word)))
}
