import { withoutRepeats } from '@dataagent/schema'
import { toPlainLine } from '../sanitize.ts'
import type { TableSource } from '../table/table-layout.ts'
import { wholeMax } from './rendered.ts'

/** What of a tool's result is shown, one below the other. */
export type ResultPart =
  /** As the tool gave it: control characters and all. */
  { kind: 'text'; text: string } | { kind: 'table'; table: TableSource; count: number }

type Fields = Readonly<Record<string, unknown>>

/** A result, whatever its shape: text, JSON in text, JSON, or MCP content. */
export function toResultParts(result: unknown): ResultPart[] {
  if (result === null || result === undefined || result === '') return []
  if (typeof result === 'string') return [fromText(result)]
  if (!isFields(result) || !Array.isArray(result.content)) return [fromJson(result)]
  const { content, structuredContent } = result
  if (structuredContent === undefined) return content.map(fromContent)
  return [
    fromJson(structuredContent),
    ...withoutRepeats(content, structuredContent).map(fromContent),
  ]
}

const jsonMax = 4_000_000

function fromText(text: string): ResultPart {
  if (text.length > jsonMax || !/^\s*[[{]/.test(text)) return { kind: 'text', text }
  try {
    return fromJson(JSON.parse(text))
  } catch {
    return { kind: 'text', text }
  }
}

function fromContent(part: unknown): ResultPart {
  if (!isFields(part)) return fromJson(part)
  const { type, text, resource, uri, data, mimeType } = part
  if (typeof text === 'string') return fromText(text)
  if (isFields(resource)) return fromContent({ ...resource, data: resource.blob })
  if (typeof data === 'string') {
    const kb = Math.ceil((data.length * 3) / 4 / 1024)
    return { kind: 'text', text: `[${String(mimeType ?? type)}, ${kb} KB]` }
  }
  return typeof uri === 'string' ? { kind: 'text', text: uri } : fromJson(part)
}

function fromJson(value: unknown): ResultPart {
  const rows = findRows(value)
  if (rows) return { kind: 'table', ...rows }
  const message = isFields(value) && typeof value.message === 'string' && toMessage(value)
  return { kind: 'text', text: message || JSON.stringify(value, null, 2) || '' }
}

/** What an error says besides its words is for the model, or stands in the line of the call. */
const untold = new Set(['code', 'message', 'tool_name', 'advice'])

/** An error of ours: its words, and below them what it knows. */
function toMessage(error: Fields): string | false {
  if (typeof error.code !== 'string') return false
  const facts = Object.entries(error).filter(([name]) => !untold.has(name))
  const lines = facts.map(([name, value]) => `${name}: ${toFact(value)}`)
  return [error.message, ...lines].join('\n')
}

const toFact = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

const columnsMax = 40

function findRows(value: unknown): { table: TableSource; count: number } | undefined {
  if (Array.isArray(value)) return fromObjects(value)
  if (!isFields(value)) return undefined
  const { columns, rows } = value
  if (Array.isArray(columns) && Array.isArray(rows) && rows.every(Array.isArray)) {
    return toTable(columns.map(toCell), rows)
  }
  const lists = Object.values(value).filter((each) => Array.isArray(each))
  return lists.length === 1 ? fromObjects(lists[0] as unknown[]) : undefined
}

function fromObjects(rows: readonly unknown[]) {
  if (rows.length === 0 || !rows.every(isFields)) return undefined
  const names = [...new Set(rows.slice(0, 200).flatMap((row) => Object.keys(row)))]
  return toTable(
    names,
    rows.map((row) => names.map((name) => row[name])),
  )
}

function toTable(names: readonly string[], rows: readonly (readonly unknown[])[]) {
  if (names.length === 0 || names.length > columnsMax) return undefined
  const columns = names.map((name) => ({ title: toPlainLine(name, 60) }))
  const shown = rows.slice(0, wholeMax).map((row) => row.slice(0, columnsMax).map(toCell))
  return { table: { columns, rows: shown }, count: rows.length }
}

function toCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  return toPlainLine(typeof value === 'object' ? JSON.stringify(value) : String(value), 200)
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
