import type { DataRow, QueryResult } from '@dataagent/schema'
import { type InfiniteData, infiniteQueryOptions } from '@tanstack/react-query'

const pageSize = 1_000
/** A text that was cut is at least as long, and ends so. */
const cutLength = 40
const cutEnd = '…'

type Page = Pick<QueryResult, 'rows'>

interface RowsClient {
  data: {
    rows(
      query_id: string,
      page: { offset: number; limit: number },
      options: { signal: AbortSignal },
    ): Promise<Page>
  }
}

type AskedQuery = Pick<QueryResult, 'query_id' | 'rows' | 'kept_rows'>

/**
 * The rows of a query, page by page. The first page are those that come with the query, unless
 * texts in them are cut: then it is asked for as well.
 */
export function rowsOptions(client: RowsClient, { query_id, rows: first, kept_rows }: AskedQuery) {
  const isWhole = first.length > kept_rows || !first.some(hasCutText)
  const begun = { pages: [{ rows: first }], pageParams: [0] }
  return infiniteQueryOptions<Page, Error, InfiniteData<Page, number>, string[], number>({
    queryKey: ['data', 'rows', query_id],
    queryFn: ({ pageParam: offset, signal }) => {
      const limit = offset === 0 ? first.length : pageSize
      return client.data.rows(query_id, { offset, limit }, { signal })
    },
    initialPageParam: 0,
    ...(isWhole && { initialData: begun }),
    getNextPageParam: (last, pages) =>
      last.rows.length > 0 && countOf(pages) < kept_rows ? countOf(pages) : undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

function hasCutText(row: DataRow): boolean {
  return row.some(
    (value) => typeof value === 'string' && value.length > cutLength && value.endsWith(cutEnd),
  )
}

function countOf(pages: readonly Page[]): number {
  return pages.reduce((sum, { rows }) => sum + rows.length, 0)
}
