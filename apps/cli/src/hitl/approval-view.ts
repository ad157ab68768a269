import { toSigns } from '../input/index.ts'
import { cut, type Theme, toPlainLine, wrap } from '../ui/index.ts'
import type { Lang } from '../words/index.ts'
import type { ApprovalRequest } from './contract.ts'
import { toShortArguments } from './details.ts'
import type { Warning } from './warnings.ts'
import { toReason, words } from './words.ts'

export interface View {
  theme: Theme
  lang: Lang
  width: number
}

const nameWidth = 60

/** `Allow tool on server?`, and behind it what counts down. */
export function renderTitle(request: ApprovalRequest, notes: readonly string[], view: View) {
  const { theme, lang, width } = view
  const tool = theme.strong(toPlainLine(request.name, nameWidth))
  const server = request.server === undefined ? undefined : toPlainLine(request.server, nameWidth)
  const title =
    server === undefined ? words.title(tool) : words.titleOn(tool, theme.emphasis(server))
  const text = [`${theme.warn(theme.glyphs.waiting)} ${title[lang]}`, ...notes.map(theme.dim)]
  return wrap(text.join(theme.dim(toSigns(' · ', theme))), width).slice(0, 3)
}

export function renderReason({ reason }: ApprovalRequest, { theme, lang, width }: View): string[] {
  if (reason === undefined || reason === '') return []
  const why = words.why(toPlainLine(toReason(reason)[lang]))[lang]
  return wrap(theme.dim(why), width).slice(0, 2)
}

/** What the tool says it does: its server's words, so a line of them will do. */
export function renderDescription({ description }: ApprovalRequest, view: View): string[] {
  const line = toPlainLine(description, view.width)
  return line === '' ? [] : [view.theme.dim(line)]
}

export function renderArguments(request: ApprovalRequest, { lang, width, theme }: View): string[] {
  const lines = wrap(toShortArguments(request, lang), Math.max(1, width - 2))
  const shown = lines.slice(0, 2).map((line) => `  ${line}`)
  if (lines.length > 2) shown.push(`  ${theme.glyphs.ellipsis}`)
  return shown.map((line) => cut(line, width, ''))
}

const warningsAtMost = 3

export function renderWarnings(warnings: readonly Warning[], view: View): string[] {
  const { theme, lang, width } = view
  const shown = warnings
    .slice(0, warningsAtMost)
    .flatMap(({ path, text }) =>
      wrap(`! ${toPlainLine(path, 30)}: ${toPlainLine(text[lang])}`, width).slice(0, 2),
    )
  const more = warnings.length - warningsAtMost
  if (more > 0) shown.push(cut(`! ${words.moreWarnings(more)[lang]}`, width, ''))
  return shown.map((line) => theme.warn(line))
}

/** Minutes and seconds. */
export function toCountdown(leftMs: number): string {
  const seconds = Math.max(0, Math.ceil(leftMs / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
