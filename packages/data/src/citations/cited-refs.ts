import type { CitationMark } from './find-citations.ts'
import type { WrittenNumber } from './find-numbers.ts'

/** What may stand between a number and its citation: a word that says of what, and emphasis. */
const between = /^[^\S\n]?[*_)）]{0,3}[^\S\n]?[%‰\p{L}\p{Sc}]{0,16}[^\S\n]?[*_)）]{0,3}[^\S\n]?$/u
const betweenMax = 32

/**
 * The queries that are cited directly behind a number: `40.5 [q1]`, `**40.5** 元[q1, q3]` and
 * `40.5 orders [q1][q3]`. What stands before other words, or before another number, is cited by
 * nothing in particular. `numbers` and `marks` are in the order of `prose`; linear in its length.
 */
export function findCitedRefs(
  prose: string,
  numbers: readonly WrittenNumber[],
  marks: readonly CitationMark[],
): Map<WrittenNumber, string[]> {
  const refsOf = new Map<WrittenNumber, string[]>()
  let at = 0
  for (const [i, number] of numbers.entries()) {
    while (at < marks.length && marks[at]!.from < number.to) at += 1
    const mark = marks[at]
    if (mark === undefined) break
    const next = numbers[i + 1]
    if (next !== undefined && next.from < mark.from) continue
    if (isDirectly(prose, number.to, mark.from)) refsOf.set(number, refsFrom(prose, marks, at))
  }
  return refsOf
}

function isDirectly(prose: string, from: number, to: number): boolean {
  return to - from <= betweenMax && between.test(prose.slice(from, to))
}

/** Of the citations that adjoin, from the one at `first`. */
function refsFrom(prose: string, marks: readonly CitationMark[], first: number): string[] {
  let last = first
  while (last + 1 < marks.length && adjoin(prose, marks[last]!, marks[last + 1]!)) last += 1
  return [...new Set(marks.slice(first, last + 1).map(({ ref }) => ref))]
}

function adjoin(prose: string, one: CitationMark, other: CitationMark): boolean {
  return (
    other.from - one.to <= 3 && /^[^\S\n]?[,，、]?[^\S\n]?$/.test(prose.slice(one.to, other.from))
  )
}
