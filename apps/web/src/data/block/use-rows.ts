import { isClientError } from '@dataagent/client'
import type { DataRow, QueryResult } from '@dataagent/schema'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useClient } from '../../api/api-context.ts'
import { rowsOptions } from './rows-options.ts'

/** The rows of a query that are here, and the way to more of them. */
export interface QueryRows {
  rows: readonly DataRow[]
  hasMore: boolean
  isLoading: boolean
  /** Why no more came. `isGone`: the server does not keep them any more. */
  problem: { error: unknown; isGone: boolean } | undefined
  loadMore(): void
}

/** Begins with the first rows, which come with the query; others are asked for when wanted. */
export function useRows(asked: QueryResult): QueryRows {
  const client = useClient()
  const query = useInfiniteQuery(rowsOptions(client, asked))
  const { data, error, hasNextPage, isFetching, fetchNextPage, refetch } = query
  const rows = useMemo(
    () => data?.pages.flatMap((page) => page.rows) ?? asked.rows,
    [data, asked.rows],
  )
  return {
    rows,
    hasMore: hasNextPage,
    isLoading: isFetching,
    problem: error ? { error, isGone: isClientError(error, 'not_found') } : undefined,
    loadMore: () => {
      if (isFetching) return
      if (data === undefined) void refetch()
      else if (hasNextPage) void fetchNextPage()
    },
  }
}
