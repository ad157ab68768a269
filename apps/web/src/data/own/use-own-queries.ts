import type { QueryResult } from '@dataagent/schema'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useClient } from '../../api/api-context.ts'
import type { OwnQuery } from './place-own.ts'

/** Of a session at most; the server lists no more. */
const most = 1_000
const pageSize = 200

/** The queries of a session without their rows; without a session, those that were run here. */
export function useOwnQueries(session_id: string | undefined, query_id: string) {
  const client = useClient()
  const { data = [] } = useQuery({
    queryKey: keyOf(session_id, query_id),
    async queryFn({ signal }) {
      const own: OwnQuery[] = []
      while (session_id !== undefined && own.length < most) {
        const page = { brief: 'true', limit: pageSize, offset: own.length } as const
        const { queries, total } = await client.data.ofSession(session_id, page, { signal })
        own.push(...queries.map((query) => ({ query, isBrief: true })))
        if (queries.length === 0 || own.length >= total) break
      }
      return own
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data
}

/** Adds what somebody has just run. */
export function useAddOwnQuery(session_id: string | undefined, below: string) {
  const cache = useQueryClient()
  return (query: QueryResult) =>
    cache.setQueryData<OwnQuery[]>(keyOf(session_id, below), (own = []) => [
      ...own.filter((each) => each.query.query_id !== query.query_id),
      { query, below },
    ])
}

function keyOf(session_id: string | undefined, query_id: string) {
  return session_id === undefined
    ? ['data', 'own', 'here', query_id]
    : ['data', 'own', 'session', session_id]
}
