import type { Paint } from '../contract.ts'
import { type Look, say } from '../look.ts'
import { toPlain } from '../sanitize.ts'
import { cut, wrap } from '../width.ts'
import { words } from '../words.ts'

/** Lines of a block, and whether there is more that Ctrl+O shows. */
export interface Rendered {
  lines: string[]
  isFolded: boolean
}

/** `short`: a few lines of what is long. `whole`: all of it, up to what a terminal can bear. */
export type Extent = 'short' | 'whole'

/** Lays out a block of the conversation. */
export type Render = (width: number, extent: Extent) => Rendered

export const wholeMax = 2000

export function unfolded(lines: string[]): Rendered {
  return { lines, isFolded: false }
}

interface FoldOptions {
  extent: Extent
  /** How many lines are left where it is folded. */
  keep: number
  /** Lines, besides those given, that were not even laid out. */
  unseen?: number
}

/** The first lines, and how many more there are; a fold that saves one line is none. */
export function fold(
  lines: readonly string[],
  { extent, keep, unseen = 0 }: FoldOptions,
  look: Look,
  width: number,
): Rendered {
  const limit = extent === 'whole' ? wholeMax : keep
  const left = lines.length + unseen - limit
  if (left <= 1 && unseen === 0) return unfolded([...lines])
  const more = renderMore(left, 'line', { extent, look, width })
  return { lines: [...lines.slice(0, limit), more], isFolded: extent === 'short' }
}

/** Says how much is not shown. */
export function renderMore(
  left: number,
  unit: Parameters<typeof words.more>[1],
  { extent, look, width }: { extent: Extent; look: Look; width: number },
): string {
  const { glyphs, dim } = look.theme
  const text = say(look, words.more(left, unit, extent === 'whole' ? '/export' : 'Ctrl+O'))
  return dim(cut(`${glyphs.ellipsis} ${text}`, width, glyphs.ellipsis))
}

interface LongOptions {
  extent: Extent
  keep: number
  paint?: Paint
}

/** Text of others, of which only as much is read as is shown. */
export function renderLong(
  text: string,
  { extent, keep, paint = (line) => line }: LongOptions,
  look: Look,
  width: number,
): Rendered {
  const { head, unseen } = clip(text.trimEnd(), (extent === 'whole' ? wholeMax : keep) + 2, width)
  const lines = wrap(toPlain(head), width)
  return fold(lines.map(paint), { extent, keep, unseen }, look, width)
}

/** The first lines, and how many follow them: about, where one of them is very long. */
function clip(text: string, most: number, width: number): { head: string; unseen: number } {
  const longest = most * Math.max(width, 80) * 2
  let [end, lines] = [text.indexOf('\n'), 1]
  while (end >= 0 && lines < most) {
    end = text.indexOf('\n', end + 1)
    lines++
  }
  const head = text.slice(0, Math.min(longest, end < 0 ? text.length : end))
  if (head.length === text.length) return { head, unseen: 0 }
  let unseen = Math.ceil(((end < 0 ? text.length : end) - head.length) / width)
  for (let at = end; at >= 0; at = text.indexOf('\n', at + 1)) unseen++
  return { head, unseen }
}

export function indented({ lines, isFolded }: Rendered, by = 2): Rendered {
  const space = ' '.repeat(by)
  return { lines: lines.map((line) => (line === '' ? '' : space + line)), isFolded }
}

/** With a sign before the first line; the others stand below its text. */
export function signed(sign: string, { lines, isFolded }: Rendered): Rendered {
  return { lines: lines.map((line, at) => (at === 0 ? sign : '  ') + line), isFolded }
}

export function joined(parts: readonly Rendered[]): Rendered {
  return {
    lines: parts.flatMap(({ lines }) => lines),
    isFolded: parts.some(({ isFolded }) => isFolded),
  }
}
