import type { FileOperationEvent } from '@dataagent/schema'
import { type Look, say } from '../look.ts'
import { toPlain, toPlainLine } from '../sanitize.ts'
import { cut, widthOf, wrapWith } from '../width.ts'
import { words } from '../words.ts'
import { type Extent, fold, joined, type Rendered, unfolded, wholeMax } from './rendered.ts'

const linesShown = 20

/** A file that was read or changed: what was done, how much, and the lines with their numbers. */
export function renderFile(
  { operation, path, diff, additions, deletions }: FileOperationEvent,
  look: Look,
  width: number,
  extent: Extent,
): Rendered {
  const { theme } = look
  const { ellipsis } = theme.glyphs
  const verb = say(look, words.operations[operation])
  const isChange = operation !== 'read'
  const minus = theme.isAscii ? '-' : '−'
  const counts = `${theme.added(`+${additions}`)} ${theme.removed(`${minus}${deletions}`)}`
  const tail = isChange ? `  ${counts}` : ''
  const room = Math.max(8, width - widthOf(verb) - widthOf(tail) - 1)
  const name = theme.strong(toPlainLine(path, room, ellipsis))
  const head = unfolded([cut(`${theme.dim(verb)} ${name}${tail}`, width, ellipsis)])
  if (!isChange || diff === '') return head
  return joined([head, renderDiff(diff, look, width, extent)])
}

interface Line {
  sign: '+' | '-' | ' '
  number: number
  text: string
}
/** `@`: the next line is of another place in the file. */
type DiffLine = Line | { sign: '@' }

function renderDiff(diff: string, look: Look, width: number, extent: Extent): Rendered {
  const { lines, unseen } = readDiff(diff, extent === 'whole' ? wholeMax : linesShown + 2)
  const digits = Math.max(
    3,
    ...lines.map((line) => (line.sign === '@' ? 0 : `${line.number}`.length)),
  )
  const shown = lines.flatMap((line, at) => {
    // Between two places of the file, not before the first.
    if (line.sign === '@') return at === 0 ? [] : [look.theme.dim(`${' '.repeat(digits - 1)}:`)]
    return renderLine(line, look, { width, digits, extent })
  })
  return fold(shown, { extent, keep: linesShown, unseen }, look, width)
}

function renderLine(
  line: Line,
  { theme }: Look,
  { width, digits, extent }: { width: number; digits: number; extent: Extent },
): string[] {
  const paint = line.sign === '+' ? theme.added : line.sign === '-' ? theme.removed : theme.dim
  const number = theme.dim(String(line.number).padStart(digits))
  const [first, rest] = [`${number} ${paint(line.sign)} `, ' '.repeat(digits + 3)]
  const text = toPlain(line.text).replaceAll('\t', '   ').replaceAll('\n', ' ')
  if (extent === 'whole') return wrapWith(first, rest, text, width).map((each) => each.trimEnd())
  const shown = cut(text, Math.max(1, width - digits - 3), theme.glyphs.ellipsis)
  return [first + (line.sign === ' ' ? shown : paint(shown))]
}

/** The lines of a unified diff, as many as are wanted, and how many are left. */
function readDiff(diff: string, most: number): { lines: DiffLine[]; unseen: number } {
  const lines: DiffLine[] = []
  let [before, after, isInHunk, unseen] = [0, 0, false, 0]
  for (const raw of diff.split('\n')) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(raw)
    const sign = raw[0]
    if (hunk) {
      ;[before, after, isInHunk] = [Number(hunk[1]), Number(hunk[2]), true]
      if (lines.length < most) lines.push({ sign: '@' })
    } else if (isInHunk && (sign === '+' || sign === '-' || sign === ' ')) {
      const number = sign === '-' ? before : after
      if (sign !== '+') before++
      if (sign !== '-') after++
      if (lines.length < most) lines.push({ sign, number, text: raw.slice(1) })
      else unseen++
    }
  }
  return { lines, unseen }
}
