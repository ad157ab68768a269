import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useClient } from '../api/api-context.ts'

const key = 'files'
const everyMs = 10_000

export function useFolder(path: string | undefined) {
  const client = useClient()
  return useQuery({
    queryKey: [key, 'list', path ?? ''],
    queryFn: ({ signal }) => client.files.list(path === undefined ? {} : { path }, { signal }),
    refetchInterval: everyMs,
    retry: false,
  })
}

export function useWorkspace() {
  const client = useClient()
  return useQuery({
    queryKey: [key, 'workspace'],
    queryFn: ({ signal }) => client.files.workspace({ signal }),
    refetchInterval: everyMs,
    retry: false,
  })
}

/** Looks again after a change. */
export function useRefresh(): () => Promise<void> {
  const queries = useQueryClient()
  return useCallback(() => queries.invalidateQueries({ queryKey: [key] }), [queries])
}
