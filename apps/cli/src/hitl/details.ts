import { type Theme, toPlain, toPlainLine } from '../ui/index.ts'
import type { Lang } from '../words/index.ts'
import type { ApprovalRequest } from './contract.ts'
import { words } from './words.ts'

/** In one or two lines: `query: "select…"  limit: 10`. */
export function toShortArguments({ args }: ApprovalRequest, lang: Lang): string {
  const parts = Object.entries(args).map(
    ([key, value]) => `${toPlainLine(key, 30)}: ${toPlainLine(JSON.stringify(value), 60)}`,
  )
  return parts.length === 0 ? words.noArguments[lang] : parts.join('  ')
}

/** Of a longer text no more is shown; how much more there is, is told. */
const shownAtMost = 200_000

/** The arguments in full, as lines that are painted but not wrapped. */
export function toDetails({ args }: ApprovalRequest, theme: Theme, lang: Lang): string[] {
  const change = toChange(args)
  const lines = Object.entries(args)
    .filter(([key]) => !change?.keys.includes(key))
    .flatMap(([key, value]) => renderArgument(key, value, { theme, lang }))
  if (change !== undefined) lines.push(...renderChange(change, theme))
  return lines.length === 0 ? [words.noArguments[lang]] : lines
}

interface Look {
  theme: Theme
  lang: Lang
}

function renderArgument(key: string, value: unknown, look: Look): string[] {
  const name = look.theme.accent(toPlainLine(key))
  if (typeof value === 'string') return renderText(name, value, key, look)
  const lines = toLines(JSON.stringify(value, null, 2) ?? 'null', look.lang)
  if (lines.length === 1) return [`${name}: ${lines[0]}`]
  return [`${name}:`, ...lines.map((line) => `  ${line}`)]
}

function renderText(name: string, value: string, key: string, { theme, lang }: Look): string[] {
  const text = isSql(key, value) ? breakSql(value) : value
  if (!text.includes('\n')) return [`${name}: ${toLines(JSON.stringify(text), lang).join(' ')}`]
  const paint = isDiff(key, text) ? (line: string) => paintDiff(line, theme) : same
  return [`${name}:`, ...toLines(text, lang).map((line) => `  ${paint(line)}`)]
}

function same(line: string): string {
  return line
}

function toLines(text: string, lang: Lang): string[] {
  const more = text.length - shownAtMost
  const lines = toPlain(text.slice(0, shownAtMost)).replaceAll('\t', '    ').split('\n')
  return more > 0 ? [...lines, words.notShown(more)[lang]] : lines
}

function isDiff(key: string, text: string): boolean {
  return /^(?:diff|patch)$/i.test(key) || /^@@ -\d+/m.test(text)
}

function paintDiff(line: string, theme: Theme): string {
  if (line.startsWith('@@')) return theme.dim(line)
  if (line.startsWith('+')) return theme.added(line)
  return line.startsWith('-') ? theme.removed(line) : line
}

interface Change {
  keys: readonly string[]
  removed: string
  added: string
}

/** What tools that edit files call the text before and after. */
const changeNames = [
  ['old_string', 'new_string'],
  ['old_str', 'new_str'],
  ['old_text', 'new_text'],
  ['oldText', 'newText'],
] as const

function toChange(args: ApprovalRequest['args']): Change | undefined {
  for (const [before, after] of changeNames) {
    const [removed, added] = [args[before], args[after]]
    if (typeof removed === 'string' && typeof added === 'string') {
      return { keys: [before, after], removed, added }
    }
  }
  return undefined
}

function renderChange({ removed, added }: Change, theme: Theme): string[] {
  return [
    ...linesOf(removed).map((line) => theme.removed(`- ${line}`)),
    ...linesOf(added).map((line) => theme.added(`+ ${line}`)),
  ]
}

function linesOf(text: string): string[] {
  return text === '' ? [] : toLines(text, 'en')
}

function isSql(key: string, text: string): boolean {
  const begins = /^\s*(?:select|with|insert|update|delete|create|alter|drop|merge|truncate)\b/i
  return /sql|query|statement/i.test(key) && begins.test(text)
}

const clauses = [
  ...['from', 'where', 'group by', 'order by', 'having', 'limit', 'union', 'values', 'set'],
  ...['returning', '(?:(?:left|right|inner|full|cross) )?join'],
]
const clauseStart = new RegExp(`\\s+(?=(?:${clauses.join('|')})\\b)`, 'gi')

/**
 * A long statement of one line, its clauses on lines of their own. One with comments stays as it
 * is: on a new line, what a comment hides would look as if it was obeyed.
 */
function breakSql(text: string): string {
  if (text.length < 60 || text.includes('\n') || /--|\/\*|#/.test(text)) return text
  const parts = text.split(/('(?:[^']|'')*'|"[^"]*"|`[^`]*`)/)
  return parts.map((part, at) => (at % 2 === 1 ? part : part.replace(clauseStart, '\n'))).join('')
}
