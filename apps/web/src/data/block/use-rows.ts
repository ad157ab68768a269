import { isClientError } from '@dataagent/client'
import type { DataRow, QueryResult } from '@dataagent/schema'
import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useClient } from '../../api/api-context.ts'

const pageSize = 1_000

/** The rows of a query that are here, and the way to more of them. */
export interface QueryRows {
  rows: readonly DataRow[]
  hasMore: boolean
  isLoading: boolean
  /** Why no more came. `isGone`: the server does not keep them any more. */
  problem: { error: unknown; isGone: boolean } | undefined
  loadMore(): void
}

type Page = Pick<QueryResult, 'rows'>

/** Begins with the first rows, which come with the query; others are asked for when wanted. */
export function useRows({ query_id, rows: first, kept_rows }: QueryResult): QueryRows {
  const client = useClient()
  const query = useInfiniteQuery<Page, Error, InfiniteData<Page, number>, string[], number>({
    queryKey: ['data', 'rows', query_id],
    queryFn: ({ pageParam: offset, signal }) =>
      client.data.rows(query_id, { offset, limit: pageSize }, { signal }),
    initialPageParam: 0,
    initialData: { pages: [{ rows: first }], pageParams: [0] },
    getNextPageParam: (last, pages) =>
      last.rows.length > 0 && countOf(pages) < kept_rows ? countOf(pages) : undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = query
  const rows = useMemo(() => data.pages.flatMap((page) => page.rows), [data])
  return {
    rows,
    hasMore: hasNextPage,
    isLoading: isFetchingNextPage,
    problem: error ? { error, isGone: isClientError(error, 'not_found') } : undefined,
    loadMore: () => {
      if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
    },
  }
}

function countOf(pages: readonly Page[]): number {
  return pages.reduce((sum, { rows }) => sum + rows.length, 0)
}
