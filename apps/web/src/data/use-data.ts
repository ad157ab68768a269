import { useQuery } from '@tanstack/react-query'
import { useClient } from '../api/api-context.ts'

/** The sources that the caller may ask. */
export function useSources() {
  const client = useClient()
  return useQuery({
    queryKey: ['data', 'sources'],
    queryFn: async ({ signal }) => (await client.data.sources({ signal })).sources,
  })
}

/** The tables of a source; `all`: with what is hidden. */
export function useTables(source_id: string, all: boolean) {
  const client = useClient()
  return useQuery({
    queryKey: ['data', 'tables', source_id, all],
    queryFn: async ({ signal }) =>
      (await client.data.tables(source_id, all ? { all: 'true' } : {}, { signal })).tables,
    staleTime: 60_000,
  })
}

/** What administrators say of the tables of a source. */
export function useNotes(source_id: string, enabled: boolean) {
  const client = useClient()
  return useQuery({
    queryKey: ['data', 'notes', source_id],
    queryFn: ({ signal }) => client.data.notes(source_id, { signal }),
    enabled,
  })
}

export function useDefinitions() {
  const client = useClient()
  return useQuery({
    queryKey: ['data', 'definitions'],
    queryFn: async ({ signal }) => (await client.data.definitions({ signal })).definitions,
  })
}

/** Verified questions, or those that the caller has saved; the newest first. */
export function useQuestions(verified: boolean, { limit = 50, offset = 0 } = {}) {
  const client = useClient()
  return useQuery({
    queryKey: ['data', 'questions', verified, limit, offset],
    queryFn: ({ signal }) =>
      client.data.questions({ verified: `${verified}`, limit, offset }, { signal }),
  })
}
