import type { Citations } from '@dataagent/schema'
import { findMarks } from './find-citations.ts'
import { findNumbers } from './find-numbers.ts'
import { type CitedQuery, createKnownValues } from './known-values.ts'
import { toProse } from './prose.ts'

export interface CitationInput {
  /** A reply, as Markdown. */
  text: string
  /** What was run in this session, with the rows that are kept. */
  queries: readonly CitedQuery[]
  /**
   * Texts whose numbers a reply may repeat without a query: the question, and the SQL with its
   * thresholds.
   */
  given?: readonly string[]
}

/**
 * What the numbers of a reply rest on: which queries it cites, which citations name none, and which
 * numbers no query has given, whether they are cited or not. The rules are those of `findCitations`
 * and `findNumbers`.
 */
export function checkCitations({ text, queries, given = [] }: CitationInput): Citations {
  const prose = toProse(text)
  const ids = new Map(queries.map(({ ref, query_id }) => [ref, query_id]))
  const result: Citations = { cited: [], dangling: [], uncovered: [] }
  for (const { ref, ...span } of findMarks(text, prose)) {
    const query_id = ids.get(ref)
    if (query_id === undefined) result.dangling.push(span)
    else result.cited.push({ ...span, ref, query_id })
  }
  const numbers = findNumbers(prose)
  if (numbers.length === 0) return result
  const known = createKnownValues(queries, given)
  for (const number of numbers) {
    if (known.has(number)) continue
    const { from, to } = number
    result.uncovered.push({ from, to, text: text.slice(from, to) })
  }
  return result
}
