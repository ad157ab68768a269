import { use, useMemo } from 'react'
import { QueriesContext } from '../citations/queries-context.ts'
import { type OwnQuery, placeOwn } from './place-own.ts'
import { useOwnQueries } from './use-own-queries.ts'

/** What the reader has run that stands below a query of the agent. */
export function useOwnBelow(query_id: string, session_id: string | undefined): readonly OwnQuery[] {
  const listed = useOwnQueries(session_id, query_id)
  const queries = use(QueriesContext)
  const places = useMemo(() => {
    const shown = [...queries.values()].map(({ query }) => query)
    return placeOwn(listed, shown)
  }, [listed, queries])
  return places.get(query_id) ?? none
}

const none: readonly OwnQuery[] = []
