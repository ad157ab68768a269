import { useQuery } from '@tanstack/react-query'
import { useClient } from '../api/api-context.ts'

/** A query that was run, with its first rows. */
export function useStoredQuery(query_id: string, enabled: boolean) {
  const client = useClient()
  return useQuery({
    queryKey: ['data', 'query', query_id],
    queryFn: ({ signal }) => client.data.query(query_id, { signal }),
    enabled,
    staleTime: Number.POSITIVE_INFINITY,
  })
}
