import type { Citations } from '@dataagent/schema'
import { findCitedRefs } from './cited-refs.ts'
import { findMarks } from './find-citations.ts'
import { findNumbers, type WrittenNumber } from './find-numbers.ts'
import { type CitedQuery, createKnownValues, type KnownValues } from './known-values.ts'
import { toProse } from './prose.ts'
import { createRepeatable } from './repeatable.ts'

export interface CitationInput {
  /** A reply, as Markdown. */
  text: string
  /** What was run in this session, with the rows that are kept. */
  queries: readonly CitedQuery[]
  /**
   * Texts whose numbers a reply may repeat without a query, in words: the question, and what is
   * said of the data.
   */
  given?: readonly string[]
}

/**
 * What the numbers of a reply rest on: which queries it cites, which citations name none, and which
 * numbers are not covered. A number directly before citations is covered by one of the queries that
 * they name, any other by any query. The rules are those of `findCitations`, `findNumbers` and
 * `findCitedRefs`.
 */
export function checkCitations({ text, queries, given = [] }: CitationInput): Citations {
  const prose = toProse(text)
  const ids = new Map(queries.map(({ ref, query_id }) => [ref, query_id]))
  const result: Citations = { cited: [], dangling: [], uncovered: [] }
  const marks = findMarks(text, prose)
  for (const { ref, ...span } of marks) {
    const query_id = ids.get(ref)
    if (query_id === undefined) result.dangling.push(span)
    else result.cited.push({ ...span, ref, query_id })
  }
  const numbers = findNumbers(prose)
  if (numbers.length === 0) return result
  const isCovered = createCover(queries, given)
  const refsOf = findCitedRefs(prose, numbers, marks)
  for (const number of numbers) {
    const refs = (refsOf.get(number) ?? []).filter((ref) => ids.has(ref))
    if (isCovered(number, refs)) continue
    const { from, to } = number
    result.uncovered.push({ from, to, text: text.slice(from, to) })
  }
  return result
}

/** Whether the queries of `refs` have given a number; without refs, whether any query has. */
function createCover(queries: readonly CitedQuery[], given: readonly string[]) {
  const sql = queries.flatMap((query) => query.sql ?? [])
  const mayRepeat = createRepeatable({ prose: given, sql })
  const all = createKnownValues(queries)
  const byRef = new Map(queries.map((query) => [query.ref, query]))
  const known = new Map<string, KnownValues>()

  function valuesOf(ref: string): KnownValues {
    const query = byRef.get(ref)
    const values = known.get(ref) ?? createKnownValues(query ? [query] : [])
    known.set(ref, values)
    return values
  }

  return (number: WrittenNumber, refs: readonly string[]): boolean => {
    if (mayRepeat(number)) return true
    if (refs.length === 0) return all.has(number)
    return refs.some((ref) => valuesOf(ref).has(number))
  }
}
