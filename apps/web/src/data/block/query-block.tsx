import type { ChartSpec, QueryResult } from '@dataagent/schema'
import { useOwnBelow } from '../own/use-own-below.ts'
import { OneBlock } from './one-block.tsx'

interface QueryBlockProps {
  query: QueryResult
  /** Those that were made of it; else one is suggested. */
  charts?: readonly ChartSpec[]
  /** The session that a query of the reader becomes one of. */
  session_id?: string | undefined
  /** Whether it is the query of a question that is kept already. */
  isKept?: boolean
}

/** What a query gave, and below it what the reader has made of it since. */
export function QueryBlock({ query, charts, session_id, isKept }: QueryBlockProps) {
  const below = query.query_id
  const own = useOwnBelow(below, session_id)
  return (
    <>
      <OneBlock {...{ query, charts, session_id, below, isKept }} />
      {own.map(({ query: each, isBrief }) => (
        <div key={each.query_id} className="border-l-2 border-accent pl-2">
          <OneBlock query={each} {...{ session_id, below, isBrief }} isOwn />
        </div>
      ))}
    </>
  )
}
