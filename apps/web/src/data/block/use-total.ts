import type { QueryResult } from '@dataagent/schema'
import { useFormats, useWords } from '../../words/use-words.ts'
import { queryWords } from './query-words.ts'

/** How many rows the whole result has, as far as they were counted. */
export function useTotal({ row_count, kept_rows, rows }: QueryResult): string {
  const words = useWords(queryWords)
  const formats = useFormats()
  if (row_count !== null) return formats.number(row_count)
  return words.atLeast(formats.number(Math.max(kept_rows, rows.length)))
}
