import { cut, type Theme, widthOf } from '../ui/index.ts'
import type { Lang } from '../words/index.ts'
import { withoutBlock } from './field.ts'
import { words } from './words.ts'

/** Marks the lines of the editor that are its frame, which is drawn here instead. */
const frameMark = '\ue000'

export function markFrame(line: string): string {
  return frameMark + line
}

/** Columns before each row: the prompt's sign and a blank. */
export const indent = 2

/** In less, the editor finds no place to break a line of wide letters, and does not end. */
export const editorWidthMin = 3

export interface Frame {
  theme: Theme
  lang: Lang
  width: number
}

/** The editor's rows with the sign before the first, our lines around them, its list below. */
export function frameEditor(lines: readonly string[], frame: Frame): string[] {
  const bottom = lines.findLastIndex((line) => line.startsWith(frameMark))
  const isAtTop = hiddenRows(lines[0]) === undefined
  return [
    frameLine(lines[0], 'rowsAbove', frame),
    ...lines.slice(1, bottom).map((line, at) => signed(withoutBlock(line), at === 0 && isAtTop)),
    frameLine(lines[bottom], 'rowsBelow', frame),
    ...lines.slice(bottom + 1).map((line) => cut(line, frame.width, '')),
  ]

  function signed(line: string, isFirst: boolean): string {
    const sign = isFirst ? frame.theme.accent(frame.theme.glyphs.prompt) : ' '
    return cut(`${sign} ${line.trimEnd()}`, frame.width, '')
  }
}

function hiddenRows(line = ''): string | undefined {
  return /[↑↓] (\d+)/.exec(line)?.[1]
}

function frameLine(
  line: string | undefined,
  says: 'rowsAbove' | 'rowsBelow',
  { theme, lang, width }: Frame,
): string {
  const hidden = hiddenRows(line)
  const label = hidden === undefined ? '' : ` ${words[says](hidden)[lang]} `
  const shown = cut(label, Math.max(0, width - 2), '')
  const rest = Math.max(0, width - 2 - widthOf(shown))
  const two = theme.glyphs.line.repeat(Math.min(2, width))
  return theme.dim(two + shown + theme.glyphs.line.repeat(rest))
}
