import type { DataColumn, DataRow } from '@dataagent/schema'
import { AppError } from '@dataagent/schema/base'
import { textWidth } from '../charts/index.ts'
import { escapeXml } from './escape-xml.ts'
import { type ExportedResult, type ExportStream, untilAborted } from './export-stream.ts'
import { writeZip } from './write-zip.ts'
import { createCellWriter, textCell } from './xlsx-cells.ts'
import { sheetEnd, sheetStart, workbookParts, workbookXml } from './xlsx-parts.ts'

export interface XlsxOptions {
  /** Of the sheet; what a sheet's name may not hold is left out. Default `Data`. */
  sheetName?: string
  signal?: AbortSignal
}

export interface XlsxStream extends ExportStream {
  /** Texts that were longer than the 32,767 characters of a cell, and were cut. */
  readonly cutCells: number
}

/** The rows of a sheet besides the heading. */
const mostRows = 1_048_575
const mostColumns = 16_384
const chunkSize = 256 * 1024

/**
 * A result as an Excel workbook with one sheet, packed as it is read. Integers and decimals of more
 * digits than Excel keeps are text, dates are dates. A result that has more rows than a sheet fails
 * with `too_large`; what was read until then is no whole file.
 */
export function writeXlsx(result: ExportedResult, options: XlsxOptions = {}): XlsxStream {
  const tally = { rows: 0, cutCells: 0 }
  return {
    get rows() {
      return tally.rows
    },
    get cutCells() {
      return tally.cutCells
    },
    [Symbol.asyncIterator]: () => writeZip(entriesOf(result, tally, options)),
  }
}

interface Tally {
  rows: number
  cutCells: number
}

function* entriesOf(result: ExportedResult, tally: Tally, { sheetName, signal }: XlsxOptions) {
  if (result.columns.length > mostColumns) {
    throw new AppError('too_large', `An Excel sheet holds at most ${mostColumns} columns`)
  }
  for (const [name, xml] of Object.entries(workbookParts)) {
    yield { name, content: [Buffer.from(xml)] }
  }
  const workbook = workbookXml(escapeXml(toSheetName(sheetName)))
  yield { name: 'xl/workbook.xml', content: [Buffer.from(workbook)] }
  const batches = untilAborted(result.batches, signal)
  yield { name: 'xl/worksheets/sheet1.xml', content: sheetBytes(result.columns, batches, tally) }
}

async function* sheetBytes(
  columns: readonly DataColumn[],
  batches: AsyncIterable<readonly DataRow[]>,
  tally: Tally,
): AsyncGenerator<Uint8Array> {
  const letters = columns.map((_, i) => toLetters(i))
  const writers = columns.map((column) => createCellWriter(column, () => void tally.cutCells++))
  let text = ''
  for await (const batch of batches) {
    if (text === '' && tally.rows === 0) text = startOf(columns, letters, batch)
    for (const row of batch) {
      if (tally.rows === mostRows) throw tooManyRows()
      tally.rows += 1
      const at = tally.rows + 1
      text += `<row r="${at}">`
      for (const [i, writer] of writers.entries()) text += writer.write(row[i], letters[i]! + at)
      text += '</row>'
      if (text.length < chunkSize) continue
      yield Buffer.from(text)
      text = ''
    }
  }
  if (text === '' && tally.rows === 0) text = startOf(columns, letters, [])
  yield Buffer.from(text + sheetEnd)
}

/** The first rows say how wide the columns are. */
function startOf(
  columns: readonly DataColumn[],
  letters: readonly string[],
  rows: readonly DataRow[],
): string {
  const looked = rows.slice(0, 100)
  const widths = columns.map(({ name }, i) => {
    const widest = looked.reduce(
      (most, row) => Math.max(most, textWidth(String(row[i] ?? '').slice(0, 60))),
      textWidth(name.slice(0, 60)),
    )
    return Math.min(60, Math.max(8, widest + 2))
  })
  const cells = columns.map(({ name }, i) => textCell(`${letters[i]}1`, name, 'heading'))
  return `${sheetStart(widths)}<row r="1">${cells.join('')}</row>`
}

/** A, B … Z, AA … */
function toLetters(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26))
  return index < 26 ? letter : toLetters(Math.floor(index / 26) - 1) + letter
}

function toSheetName(name = 'Data'): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML forbids them
  const clean = name.toWellFormed().replace(/[[\]:*?/\\\u0000-\u001f\ufffe\uffff]/g, ' ')
  return clean.slice(0, 31).toWellFormed().replace(/^'|'$/g, ' ').trim() || 'Data'
}

function tooManyRows(): AppError {
  return new AppError(
    'too_large',
    'An Excel sheet holds at most 1,048,575 rows, and the result has more. Export it as csv or parquet, or narrow the query',
    { data: { max_rows: mostRows } },
  )
}
