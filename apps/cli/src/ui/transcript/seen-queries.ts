import type { QueryResult, ResultBlock } from '@dataagent/schema'
import type { ShownBlock } from '../blocks/result-block.ts'

/** How many are remembered, for charts of them. */
const seenMax = 100

/** Queries that were shown: a chart names its query, and holds no rows itself. */
export function createSeenQueries() {
  const seen = new Map<string, QueryResult>()
  return {
    add(block: ResultBlock): ShownBlock {
      if (block.kind === 'chart') return { ...block, query: seen.get(block.query_id) }
      if (block.kind === 'export') return block
      seen.set(block.query.query_id, block.query)
      const [oldest] = seen.keys()
      if (seen.size > seenMax && oldest !== undefined) seen.delete(oldest)
      return block
    },
  }
}
