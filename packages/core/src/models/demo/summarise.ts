import { isPlainObject } from '@dataagent/schema'
import { inWords, texts } from './demo-texts.ts'
import { parseJson } from './known-tools.ts'
import type { Language } from './language.ts'

const rowsMax = 20
const columnsMax = 8
const fieldsMax = 30
const textMax = 4_000
const cellMax = 120
/** A larger result is not parsed. */
const jsonMax = 400_000

/** A result in words: lists of objects as tables, objects as `key: value`, texts as they are. */
export function summarise(content: string, language: Language): string {
  const trimmed = content.trim()
  if (trimmed === '') return texts.empty[language]
  const value = /^[[{]/.test(trimmed) && trimmed.length <= jsonMax ? parseJson(trimmed) : undefined
  if (Array.isArray(value)) return toList(value, language)
  return isPlainObject(value) ? toFields(value, language) : cut(trimmed, textMax)
}

function toFields(value: Record<string, unknown>, language: Language): string {
  const entries = Object.entries(value).slice(0, fieldsMax)
  const parts = entries.map(([key, field]) => {
    const isTable = Array.isArray(field) && field.length > 0 && field.every(isPlainObject)
    return isTable ? `\n**${key}**\n\n${toList(field, language)}\n` : `- ${key}: ${toCell(field)}`
  })
  return parts.length === 0 ? texts.empty[language] : parts.join('\n').trim()
}

function toList(items: readonly unknown[], language: Language): string {
  if (items.length === 0) return texts.empty[language]
  const shown = items.slice(0, rowsMax)
  const rows = shown.filter(isPlainObject)
  const list =
    rows.length === shown.length
      ? toTable(rows)
      : shown.map((item) => `- ${toCell(item)}`).join('\n')
  const left = items.length - shown.length
  return left > 0 ? `${list}\n\n${inWords.more(left)[language]}` : list
}

function toTable(rows: readonly Record<string, unknown>[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))].slice(0, columnsMax)
  const toRow = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [
    toRow(columns.map(toCell)),
    toRow(columns.map(() => '---')),
    ...rows.map((row) => toRow(columns.map((column) => toCell(row[column])))),
  ].join('\n')
}

/** One value on one line. */
function toCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return cut(text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|'), cellMax)
}

function cut(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max)}…` : text
}
