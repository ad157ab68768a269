import { citationPattern } from '@dataagent/schema'
import { toProse } from './prose.ts'

/** A place in a reply that cites a query, in UTF-16 units from its beginning. */
export interface CitationMark {
  from: number
  to: number
  text: string
  /** As written; `q0` and the like name no query. */
  ref: string
}

/**
 * The citations in a reply: `[q1]`, `[q1, q3]` and `【q1】`, outside code. A list gives one mark for
 * each query; its marks adjoin and together cover the brackets, so that each can be replaced by
 * what shows it. `(q1)` and `Q1` are no citations: they are how people write the first quarter; a
 * link `[q1](…)` is a link.
 */
export function findCitations(text: string): CitationMark[] {
  return findMarks(text, toProse(text))
}

export function findMarks(text: string, prose: string): CitationMark[] {
  return [...prose.matchAll(citationPattern)].flatMap((found) => {
    const named = [...found[0].matchAll(/q\d{1,12}/g)]
    return named.map(({ 0: ref, index }, i) => {
      const from = found.index + (i === 0 ? 0 : index)
      const end = named[i + 1]?.index ?? found[0].length
      return { from, to: found.index + end, text: text.slice(from, found.index + end), ref }
    })
  })
}
