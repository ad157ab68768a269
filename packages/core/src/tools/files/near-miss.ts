import { hasPassage } from './passages-in.ts'
import { positionsOf } from './positions-of.ts'

const shownChars = 500
/** In more nobody looks for what is only similar. */
const lookedAtChars = 1_000_000
const notThere = 'old_string is not in the file. Read the file again and copy the passage exactly'

/** Why a passage is not in a text, as well as can be told, and what to do. */
export function nearMiss(text: string, passage: string): string {
  if (text.length > lookedAtChars || passage.length > lookedAtChars / 100) return notThere
  if (/^\s*\d+\t/.test(passage) && hasPassage(text, withoutNumbers(passage))) {
    return 'old_string has line numbers, which are not in the file. Leave them out'
  }
  const bySpace = findLines(text, passage, squeeze)
  if (bySpace) return differs('in spaces, tabs or empty lines', bySpace)
  const byLetter = findLines(text, passage, (line) => fold(squeeze(line)))
  if (byLetter) return differs('in letters that look alike (quotes, dashes, width)', byLetter)
  return notThere
}

function withoutNumbers(passage: string): string {
  return passage.replace(/^[^\S\n]*\d+\t/gm, '')
}

interface Similar {
  line: number
  text: string
}

function differs(how: string, { line, text }: Similar): string {
  const shown = text.length > shownChars ? `${text.slice(0, shownChars)}…` : text
  return (
    `old_string is not in the file: what is at line ${line} differs from it ${how}. ` +
    `The file has ${JSON.stringify(shown)}: use exactly that`
  )
}

/** Where the lines of a passage are in a text, when both are seen through `see`. */
function findLines(
  text: string,
  passage: string,
  see: (line: string) => string,
): Similar | undefined {
  const wanted = passage.split('\n').map(see).filter(isFull)
  const lines = text.split('\n')
  const seen = lines.map((line, at) => ({ at, line: see(line) })).filter(({ line }) => isFull(line))
  if (wanted.length === 0) return undefined
  const start = startOf(
    seen.map(({ line }) => line),
    wanted,
  )
  const [first, last] = [seen[start], seen[start + wanted.length - 1]]
  if (first === undefined || last === undefined) return undefined
  return { line: first.at + 1, text: lines.slice(first.at, last.at + 1).join('\n') }
}

/** The first line of a passage may begin, and its last may end, in the middle of one. */
function startOf(lines: readonly string[], wanted: readonly string[]): number {
  const [first = '', last = ''] = [wanted[0], wanted.at(-1)]
  if (wanted.length === 1) return lines.findIndex((line) => hasPassage(line, first))
  const between = wanted.slice(1, -1)
  for (const at of positionsOf(lines, between)) {
    const isAt = lines[at - 1]?.endsWith(first) && lines[at + between.length]?.startsWith(last)
    if (isAt) return at - 1
  }
  return -1
}

function isFull(line: string): boolean {
  return line !== ''
}

function squeeze(line: string): string {
  return line.replace(/[\s\u00a0\u3000]+/gu, ' ').trim()
}

const alike: [RegExp, string][] = [
  [/[\u2018\u2019\u201a\u2032]/g, "'"],
  [/[\u201c\u201d\u201e\u2033\u300c\u300d]/g, '"'],
  [/[\u2010-\u2015\u2212]/g, '-'],
  [/\u2026/g, '...'],
  [/[\u200b-\u200d\ufeff]/g, ''],
]

function fold(line: string): string {
  return alike.reduce((text, [from, to]) => text.replace(from, to), line).normalize('NFKC')
}
