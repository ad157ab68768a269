import type { Align, TableColumn } from '../table/table-layout.ts'

/** A part of an answer that is laid out by itself. */
export type Block =
  /** An empty line. */
  | { kind: 'gap' }
  | { kind: 'paragraph'; indent: number; text: string }
  | { kind: 'heading'; depth: number; text: string }
  | { kind: 'item'; indent: number; marker: string; text: string }
  | { kind: 'quote'; text: string }
  | { kind: 'rule' }
  | { kind: 'fence'; indent: number; lang: string }
  /** One line of code. */
  | { kind: 'code'; indent: number; lang: string; text: string }
  | { kind: 'table'; table: OpenTable; rows: string[][]; isFirst: boolean; isLast: boolean }

/** Parts of one table share where their columns are. */
export interface OpenTable {
  columns: TableColumn[]
}

/** How far the lines of an answer have been read. */
export interface Reading {
  /** What was read last and may still grow. */
  open:
    | { kind: 'none' }
    | { kind: 'paragraph' | 'quote'; indent: number; lines: string[] }
    | { kind: 'item'; indent: number; marker: string; lines: string[] }
    | { kind: 'fence'; mark: string; indent: number; lang: string }
    | { kind: 'table'; table: OpenTable; rows: string[][]; isFirst: boolean }
  /** Whether indented text belongs to an item of a list before it. */
  isInList: boolean
  /** Of the last block that is complete. */
  last: Block['kind'] | undefined
  sawBlank: boolean
}

export function beginReading(): Reading {
  return { open: { kind: 'none' }, isInList: false, last: undefined, sawBlank: false }
}

/** One that can go on without changing this one. */
export function copyReading(reading: Reading): Reading {
  const { open } = reading
  if ('lines' in open) return { ...reading, open: { ...open, lines: [...open.lines] } }
  if (open.kind === 'table') return { ...reading, open: { ...open, rows: [...open.rows] } }
  return { ...reading }
}

/** What is read again when it grows is never longer: what is more becomes a block of its own. */
export const openMax = 2048
const rowsMax = 400

const fenceForm = /^([ \t]*)(`{3,}|~{3,})[ \t]*([^`\s]*)[^`]*$/
const headingForm = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/
const itemForm = /^([ \t]*)([-*+]|\d{1,9}[.)])(?:[ \t]+(.*))?$/
const quoteForm = /^ {0,3}> ?(.*)$/
const ruleForm = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/
const underlineForm = /^ {0,3}(=+|--+)[ \t]*$/
const dividerForm = /^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/

/** Reads one whole line; blocks that are complete by it go to `out`. */
export function readLine(reading: Reading, line: string, out: Block[]): void {
  if (reading.open.kind === 'fence') readCode(reading, line, out)
  else if (reading.open.kind === 'table' && isRow(line)) readRow(reading, line, out)
  else if (line.trim() === '') {
    closeOpen(reading, out)
    reading.sawBlank = true
  } else if (!beginDivided(reading, line, out) && !beginBlock(reading, line, out)) {
    readText(reading, line, out)
  }
}

/** Whatever is open is complete. */
export function closeOpen(reading: Reading, out: Block[]): void {
  const { open } = reading
  reading.open = { kind: 'none' }
  if (open.kind === 'table') {
    const { table, rows, isFirst } = open
    emit(reading, { kind: 'table', table, rows, isFirst, isLast: true }, out)
  } else if ('lines' in open && open.lines.length > 0) {
    const { lines, ...rest } = open
    emit(reading, { ...rest, text: lines.join('\n') } as Block, out)
  }
}

/** Blocks that stand apart have an empty line on both sides, others where the text has one. */
function emit(reading: Reading, block: Block, out: Block[]): void {
  const { last, sawBlank } = reading
  const goesOn =
    (block.kind === 'code' && (last === 'code' || last === 'fence') && !sawBlank) ||
    (block.kind === 'table' && !block.isFirst)
  const isApart = standsApart.has(block.kind) || (last !== undefined && standsApart.has(last))
  if (last !== undefined && !goesOn && (sawBlank || isApart)) out.push({ kind: 'gap' })
  out.push(block)
  reading.last = block.kind
  reading.sawBlank = false
}

const standsApart = new Set<Block['kind']>(['heading', 'table', 'fence', 'code'])

function readCode(reading: Reading, line: string, out: Block[]): void {
  const { open } = reading
  if (open.kind !== 'fence') return
  const { mark, indent, lang } = open
  const trimmed = line.trim()
  if (trimmed.length >= mark.length && trimmed === mark[0]?.repeat(trimmed.length)) {
    reading.open = { kind: 'none' }
    reading.sawBlank = true
    return
  }
  reading.sawBlank = false
  const text = indent > 0 ? line.replace(new RegExp(`^[ \\t]{0,${indent}}`), '') : line
  emit(reading, { kind: 'code', indent, lang, text }, out)
}

function isRow(line: string): boolean {
  return line.includes('|') && !fenceForm.test(line)
}

function readRow(reading: Reading, line: string, out: Block[]): void {
  const { open } = reading
  if (open.kind !== 'table') return
  open.rows.push(splitRow(line))
  if (open.rows.length < rowsMax) return
  const { table, rows, isFirst } = open
  emit(reading, { kind: 'table', table, rows, isFirst, isLast: false }, out)
  reading.open = { ...open, rows: [], isFirst: false }
}

/** A line of dashes makes of the lines before it a heading, or of the last one a table's head. */
function beginDivided(reading: Reading, line: string, out: Block[]): boolean {
  const { open } = reading
  if (open.kind !== 'paragraph' || open.lines.length === 0) return false
  const head = splitRow(open.lines.at(-1) ?? '')
  if (line.includes('|') && dividerForm.test(line)) {
    const marks = splitRow(line)
    if (marks.length !== head.length) return false
    open.lines.pop()
    closeOpen(reading, out)
    const columns = head.map((title, at) => ({ title, align: toAlign(marks[at] ?? '') }))
    reading.open = { kind: 'table', table: { columns }, rows: [], isFirst: true }
    return true
  }
  const underline = underlineForm.exec(line)?.[1]
  if (underline === undefined) return false
  reading.open = { kind: 'none' }
  const depth = underline.startsWith('=') ? 1 : 2
  emit(reading, { kind: 'heading', depth, text: open.lines.join(' ') }, out)
  return true
}

function beginBlock(reading: Reading, line: string, out: Block[]): boolean {
  const fence = fenceForm.exec(line)
  if (fence) {
    closeOpen(reading, out)
    const [, space = '', mark = '```', lang = ''] = fence
    const indent = reading.isInList ? columnsOf(space) : 0
    emit(reading, { kind: 'fence', indent, lang }, out)
    reading.open = { kind: 'fence', mark, indent, lang }
    return true
  }
  const heading = headingForm.exec(line)
  if (heading) {
    closeOpen(reading, out)
    reading.isInList = false
    const text = (heading[2] ?? '').replace(/[ \t]+#*[ \t]*$/, '')
    emit(reading, { kind: 'heading', depth: heading[1]?.length ?? 1, text }, out)
    return true
  }
  if (ruleForm.test(line)) {
    closeOpen(reading, out)
    emit(reading, { kind: 'rule' }, out)
    return true
  }
  return beginItem(reading, line, out) || readQuote(reading, line, out)
}

function beginItem(reading: Reading, line: string, out: Block[]): boolean {
  const item = itemForm.exec(line)
  if (!item) return false
  const [, space = '', marker = '-', text = ''] = item
  closeOpen(reading, out)
  reading.isInList = true
  reading.open = { kind: 'item', indent: columnsOf(space), marker, lines: [text] }
  limitOpen(reading, out)
  return true
}

function readQuote(reading: Reading, line: string, out: Block[]): boolean {
  const quote = quoteForm.exec(line)
  if (!quote) return false
  const { open } = reading
  if (open.kind === 'quote') open.lines.push(quote[1] ?? '')
  else {
    closeOpen(reading, out)
    reading.open = { kind: 'quote', indent: 0, lines: [quote[1] ?? ''] }
  }
  limitOpen(reading, out)
  return true
}

function readText(reading: Reading, line: string, out: Block[]): void {
  if (reading.open.kind === 'table') closeOpen(reading, out)
  const { open } = reading
  const text = line.trimStart()
  const indent = columnsOf(line.slice(0, line.length - text.length))
  if ('lines' in open) open.lines.push(text)
  else if (indent >= 4 && !reading.isInList) {
    emit(reading, { kind: 'code', indent: 0, lang: '', text: line.trimEnd() }, out)
    return
  } else {
    if (indent === 0) reading.isInList = false
    reading.open = { kind: 'paragraph', indent, lines: [text] }
  }
  limitOpen(reading, out)
}

/** What is too long goes on as a paragraph below, or as more of the quotation. */
function limitOpen(reading: Reading, out: Block[]): void {
  const { open } = reading
  if (!('lines' in open)) return
  const size = open.lines.reduce((sum, line) => sum + line.length, 0)
  if (size < openMax && open.lines.length < 64) return
  closeOpen(reading, out)
  if (open.kind === 'quote') reading.open = { kind: 'quote', indent: 0, lines: [] }
  else {
    const indent = open.kind === 'item' ? open.indent + open.marker.length + 1 : open.indent
    reading.open = { kind: 'paragraph', indent, lines: [] }
  }
}

/** Cells of a row, between its bars; one behind a backslash is none. */
function splitRow(line: string): string[] {
  const inner = line.trim().replace(/^\|/, '')
  const cells: string[] = []
  let cell = ''
  for (let at = 0; at < inner.length; at++) {
    const sign = inner[at]
    if (sign === '\\' && inner[at + 1] === '|') {
      cell += '|'
      at++
    } else if (sign === '|') {
      cells.push(cell.trim())
      cell = ''
    } else cell += sign
  }
  if (cell.trim() !== '' || cells.length === 0) cells.push(cell.trim())
  return cells
}

function toAlign(mark: string): Align | undefined {
  if (/^:-+:$/.test(mark)) return 'center'
  if (mark.endsWith(':')) return 'right'
  return mark.startsWith(':') ? 'left' : undefined
}

function columnsOf(space: string): number {
  return space.replaceAll('\t', '    ').length
}
