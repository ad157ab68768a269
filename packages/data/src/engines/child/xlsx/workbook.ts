import { type FileHandle, open } from 'node:fs/promises'
import { WorkError } from '../work-error.ts'
import { toCell } from './cell.ts'
import { readDateStyles } from './styles.ts'
import { attribute, elements, textOf } from './xml.ts'
import { readEntries, readText, type ZipEntry } from './zip.ts'

/** A cell with something in it. `text` is how it reads; a date's `value` is milliseconds of UTC. */
export type Cell =
  | { kind: 'text'; text: string }
  | { kind: 'number' | 'date'; text: string; value: number }
  | { kind: 'boolean'; text: string; value: boolean }

const smallPart = 8 * 1024 * 1024
const largePart = 192 * 1024 * 1024
const mostCells = 4_000_000
const widest = 16_384

export async function readSheetNames(path: string): Promise<string[]> {
  return await withWorkbook(path, async ({ sheets }) => sheets.map(({ name }) => name))
}

/** The rows of a sheet, from its first one with anything in it; empty rows are left out. */
export async function readSheet(path: string, sheet: string): Promise<(Cell | undefined)[][]> {
  return await withWorkbook(path, async (book) => {
    const found = book.sheets.find(({ name }) => name === sheet)
    if (found === undefined) throw new WorkError('not_found', `There is no sheet ${sheet}.`)
    const [strings, styles] = await Promise.all([readStrings(book), readStyles(book)])
    const xml = await book.read(found.part, largePart)
    return readRows(xml, { strings, dateStyles: styles, is1904: book.is1904 })
  })
}

interface Book {
  sheets: { name: string; part: string }[]
  is1904: boolean
  /** The text of a part; empty where there is none. */
  read(part: string, mostBytes: number): Promise<string>
}

async function withWorkbook<T>(path: string, work: (book: Book) => Promise<T>): Promise<T> {
  const file = await open(path)
  try {
    return await work(await openBook(file, await readEntries(file)))
  } finally {
    await file.close()
  }
}

async function openBook(file: FileHandle, entries: Map<string, ZipEntry>): Promise<Book> {
  const read = async (part: string, mostBytes: number) => {
    const entry = entries.get(part)
    return entry === undefined ? '' : await readText(file, entry, mostBytes)
  }
  const xml = await read('xl/workbook.xml', smallPart)
  const relations = await read('xl/_rels/workbook.xml.rels', smallPart)
  const targets = new Map(
    [...elements(relations, 'Relationship')].map(({ tag }) => [
      attribute(tag, 'Id'),
      attribute(tag, 'Target') ?? '',
    ]),
  )
  const sheets = [...elements(xml, 'sheet')].flatMap(({ tag }) => {
    const target = targets.get(/\s\w+:id="([^"]*)"/.exec(tag)?.[1])
    const name = attribute(tag, 'name')
    if (target === undefined || name === undefined) return []
    return [{ name, part: target.startsWith('/') ? target.slice(1) : `xl/${target}` }]
  })
  return { sheets, is1904: /<workbookPr[^>]*date1904="(?:1|true)"/.test(xml), read }
}

async function readStrings(book: Book): Promise<string[]> {
  const xml = await book.read('xl/sharedStrings.xml', largePart)
  return [...elements(xml, 'si')].map(({ inner }) => textOf(inner))
}

async function readStyles(book: Book): Promise<ReadonlySet<number>> {
  return readDateStyles(await book.read('xl/styles.xml', smallPart))
}

function readRows(xml: string, context: Parameters<typeof toCell>[2]): (Cell | undefined)[][] {
  const rows: (Cell | undefined)[][] = []
  let cells = 0
  for (const { inner } of elements(xml, 'row')) {
    const row: (Cell | undefined)[] = []
    for (const { tag, inner: content } of elements(inner, 'c')) {
      const cell = toCell(tag, content, context)
      const at = toColumn(attribute(tag, 'r')) ?? row.length
      if (cell === undefined || at >= widest) continue
      while (row.length < at) row.push(undefined)
      row[at] = cell
    }
    cells += row.length
    if (cells > mostCells) {
      throw new WorkError('too_large', `The sheet has over ${mostCells} cells. Save it as CSV.`)
    }
    if (row.length > 0) rows.push(row)
  }
  return rows
}

/** `AB12` is column 27. */
function toColumn(place: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(place ?? '')?.[0]
  if (letters === undefined) return undefined
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}
