import type { DataColumn, DataRow, DataValue } from '@dataagent/schema'
import { isNumeric } from '../charts/index.ts'
import { type ExportedResult, type ExportStream, untilAborted } from './export-stream.ts'

export interface CsvOptions {
  /** Whether it begins with a byte order mark, by which Excel knows UTF-8; default false. */
  bom?: boolean
  /**
   * How NULL is written; default nothing at all. An empty text is always `""`, and a text that
   * reads like this is quoted, so the two are told apart.
   */
  nullText?: string
  signal?: AbortSignal
}

const chunkSize = 256 * 1024
const numberText = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/
/** What spreadsheets take for a formula, also in full width. */
const formulaStart = /^[=+\-@\t\r\n＝＋－＠]/
/**
 * The same where something else than the comma separates cells: quotes count at the beginning of a
 * cell alone, and what stands within a text may be one.
 */
const formulaWithin = /([;\t\r\n]"*)(?=[=+\-@＝＋－＠])/g
/** Some spreadsheets take a semicolon or a tab for the comma. */
const needsQuotes = /^\s|[",;\t\r\n]|\s$/

/**
 * A result as CSV (RFC 4180) in UTF-8 with a heading. A text that a spreadsheet would run as a
 * formula gets an apostrophe before it, also after a semicolon, a tab or a line's end within it,
 * where some begin a cell; numbers of numeric columns stay as they are.
 */
export function writeCsv(result: ExportedResult, options: CsvOptions = {}): ExportStream {
  let rows = 0
  return {
    get rows() {
      return rows
    },
    [Symbol.asyncIterator]: bytes,
  }

  async function* bytes(): AsyncGenerator<Uint8Array> {
    const { columns, batches } = result
    const writeRow = createRowWriter(columns, options.nullText ?? '')
    let text = (options.bom ? '\ufeff' : '') + toLine(columns.map(({ name }) => toField(name, '')))
    for await (const batch of untilAborted(batches, options.signal)) {
      for (const row of batch) {
        text += writeRow(row)
        rows += 1
        if (text.length < chunkSize) continue
        yield Buffer.from(text)
        text = ''
      }
    }
    if (text !== '') yield Buffer.from(text)
  }
}

function createRowWriter(columns: readonly DataColumn[], nullText: string) {
  const numeric = columns.map(({ kind }) => isNumeric(kind))
  const nulls = toLiteral(nullText)
  const cell = (value: DataValue | undefined, i: number): string => {
    if (value === null || value === undefined) return nulls
    if (typeof value !== 'string') return String(value)
    return numeric[i] && numberText.test(value) ? value : toField(value, nullText)
  }
  return (row: DataRow): string => toLine(columns.map((_, i) => cell(row[i], i)))
}

/** A line that would be blank, which readers pass over, is an empty field in quotes. */
function toLine(fields: readonly string[]): string {
  const line = fields.join(',')
  return line === '' ? '""\r\n' : `${line}\r\n`
}

function toField(text: string, nullText: string): string {
  const harmless = text.replace(formulaWithin, "$1'")
  if (formulaStart.test(text)) return quote(`'${harmless}`)
  return text === '' || text === nullText ? quote(text) : toLiteral(harmless)
}

function toLiteral(text: string): string {
  return needsQuotes.test(text) ? quote(text) : text
}

function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}
