import { type Paint, padEnd, toPlainLine, widthOf } from '../../ui/index.ts'
import type { Action, McpShell } from './contract.ts'
import { needsAttention, readRows, type ServerRow, type ServerState } from './rows.ts'
import { tell } from './tell.ts'
import { stateWords, words } from './words.ts'

/** All servers, those that need a person first; `--output json` for programs. */
export const list: Action = async ({ words: given }, shell) => {
  const { lang, theme, write, called } = shell
  const form = formOf(given)
  if (form === undefined) {
    tell(shell, 'bad', words.listUsage(called)[lang])
    return 2
  }
  const rows = await readRows(shell)
  if (form === 'json') {
    write(toJson(rows, shell))
    return 0
  }
  if (rows.length === 0) {
    tell(shell, 'info', words.none(called)[lang])
    return 0
  }
  for (const line of toLines(rows, shell)) write(line)
  const connected = rows.filter(({ state }) => state === 'connected').length
  const attention = rows.filter(needsAttention).length
  write(theme.dim(words.summary(connected, attention)[lang]))
  return 0
}

/** Undefined for a form that there is not. */
function formOf(given: readonly string[]): 'text' | 'json' | undefined {
  const [first = 'text', second = ''] = given
  if (first === 'text' || first === '--json') return first === 'text' ? 'text' : 'json'
  const form = first === '--output' ? second : first.replace(/^--output=/, '')
  return form === 'text' || form === 'json' ? form : undefined
}

function toJson(rows: readonly ServerRow[], { lang }: McpShell): string {
  const servers = rows.map(({ advice, ...row }) => ({ ...row, advice: advice?.[lang] }))
  return JSON.stringify({ servers }, null, 2).replaceAll(unseen, toEscape)
}

/** What a terminal would act upon, or not show. */
const unseen = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

function toEscape(sign: string): string {
  const units = Array.from({ length: sign.length }, (_, at) => sign.charCodeAt(at))
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}

const nameMax = 40
const problemMax = 200

function toLines(rows: readonly ServerRow[], shell: McpShell): string[] {
  const { theme, lang } = shell
  const cells = rows.map((row) => toCells(row, shell))
  const widths = [0, 1, 2, 3].map((at) => Math.max(...cells.map((row) => widthOf(row[at] ?? ''))))
  return rows.flatMap((row, index) => {
    const { sign, paint } = look(row.state, shell)
    const [name = '', state = '', ...rest] = (cells[index] ?? []).map((cell, at) =>
      padEnd(cell, widths[at] ?? 0),
    )
    const line = [`${paint(sign)} ${theme.strong(name)}`, paint(state), ...rest.map(theme.dim)]
    const problem = row.problem && toPlainLine(row.problem, problemMax)
    return [
      line.join('  ').trimEnd(),
      ...(problem ? [`  ${problem}`] : []),
      ...(row.advice ? [`  ${theme.glyphs.prompt} ${toPlainLine(row.advice[lang])}`] : []),
    ]
  })
}

function toCells(row: ServerRow, { lang, place }: McpShell): string[] {
  const { name, state, transport, tool_count, scope, source } = row
  return [
    toPlainLine(name, nameMax),
    stateWords[state][lang],
    transport ?? '',
    tool_count === undefined ? '' : words.tools(tool_count)[lang],
    scope === 'file' ? toPlainLine(toShort(source ?? '', place.home)) : words.scopes[scope][lang],
  ]
}

function toShort(path: string, home: string): string {
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path
}

function look(state: ServerState, { theme }: McpShell): { sign: string; paint: Paint } {
  const { glyphs, good, bad, warn, dim } = theme
  if (state === 'connected') return { sign: glyphs.done, paint: good }
  if (state === 'failed' || state === 'invalid') return { sign: glyphs.failed, paint: bad }
  if (state === 'connecting' || state === 'idle') return { sign: glyphs.pending, paint: dim }
  if (state === 'off' || state === 'refused') return { sign: glyphs.stopped, paint: dim }
  return { sign: glyphs.waiting, paint: warn }
}
